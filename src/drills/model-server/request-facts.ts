/** `requestFacts`: what a message request says, reduced to what scripts and tests ask about. */
import { type JsonObject, jsonList, jsonObject, jsonText } from '../../agents/json-value.ts';

export interface RequestFacts {
  readonly model: string;
  readonly stream: boolean;
  readonly session: string | null;
  /** Messages in the conversation, this one included. */
  readonly historyLength: number;
  readonly turn: number;
  /** What was said since the last answer; CLIs add reminders of their own to it. */
  readonly lastUserText: string;
  /** Texts of the tool results since the last answer. */
  readonly toolResults: readonly string[];
  readonly conversation: string;
  readonly cwd: string;
}

export function requestFacts(body: unknown, headers: Readonly<Record<string, unknown>>): RequestFacts {
  const request = jsonObject(body);
  const messages = jsonList(request['messages']).map(jsonObject);
  const answered = messages.findLastIndex((message) => message['role'] === 'assistant');
  const fresh = messages.slice(answered + 1).flatMap(blocks);
  const conversation = messages.map((message) => blocks(message).map(blockText).join('\n')).join('\n');
  return {
    model: jsonText(request['model']),
    stream: request['stream'] === true,
    session: session(request, headers),
    historyLength: messages.length,
    turn: messages.filter((message) => message['role'] === 'assistant').length + 1,
    lastUserText: fresh
      .filter((block) => block['type'] === 'text')
      .map(blockText)
      .join('\n'),
    toolResults: fresh.filter((block) => block['type'] === 'tool_result').map(blockText),
    conversation,
    cwd: workingDirectory(blocks({ content: request['system'] }).map(blockText).join('\n'), conversation),
  };
}

/** The CLI tells the model where it works, in its system prompt or in a reminder. */
function workingDirectory(...texts: readonly string[]): string {
  for (const part of texts) {
    const match = /working directory: ?([^\s<]+)/i.exec(part);
    if (match !== null) return match[1] as string;
  }
  return '.';
}

function session(request: JsonObject, headers: Readonly<Record<string, unknown>>): string | null {
  const header = headers['x-claude-code-session-id'];
  if (typeof header === 'string') return header;
  const user = jsonText(jsonObject(request['metadata'])['user_id']);
  return [...user.matchAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)].at(-1)?.[0] ?? null;
}

function blocks(message: JsonObject): readonly JsonObject[] {
  const content = message['content'];
  return typeof content === 'string' ? [{ type: 'text', text: content }] : jsonList(content).map(jsonObject);
}

function blockText(block: JsonObject): string {
  switch (block['type']) {
    case 'text':
      return jsonText(block['text']);
    case 'tool_use':
      return `${jsonText(block['name'])} ${JSON.stringify(block['input'] ?? {})}`;
    case 'tool_result':
      return blocks(block).map(blockText).join('\n');
    default:
      return '';
  }
}
