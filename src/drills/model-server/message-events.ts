/** `messageEvents`, `messageDocument`: a reply as the events of an Anthropic Messages stream, or as one document. */
import type { ScriptReply } from './script.ts';

export interface StreamEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Wait before this event. */
  readonly waitMs: number;
}

const DEFAULT_INPUT_TOKENS = 1_000;
const DEFAULT_OUTPUT_TOKENS = 50;
/** Short, so that even small texts come in several pieces. */
const PIECE = 12;

export function messageEvents(reply: ScriptReply, model: string, number: number): readonly StreamEvent[] {
  const blocks = contentBlocks(reply, number);
  const chunkMs = reply.chunk_ms ?? 0;
  return [
    event('message_start', { message: envelope(reply, model, number, [], null, 1) }),
    ...blocks.flatMap((block, index) => blockEvents(block, index, chunkMs)),
    event('message_delta', {
      delta: { stop_reason: stopReason(reply), stop_sequence: null },
      usage: { output_tokens: reply.output_tokens ?? DEFAULT_OUTPUT_TOKENS },
    }),
    event('message_stop', {}),
  ];
}

export function messageDocument(reply: ScriptReply, model: string, number: number): Record<string, unknown> {
  return envelope(reply, model, number, contentBlocks(reply, number), stopReason(reply), undefined);
}

type Block = Readonly<Record<string, unknown>> & { readonly type: string };

function contentBlocks(reply: ScriptReply, number: number): readonly Block[] {
  const tools = (reply.tools ?? []).map((tool, index) => ({
    type: 'tool_use',
    id: `toolu_${number}_${index + 1}`,
    name: tool.name,
    input: tool.input,
  }));
  return [...(reply.text === undefined ? [] : [{ type: 'text', text: reply.text }]), ...tools];
}

function blockEvents(block: Block, index: number, chunkMs: number): readonly StreamEvent[] {
  const isText = block.type === 'text';
  const whole = isText ? String(block['text']) : JSON.stringify(block['input']);
  const start = isText ? { type: 'text', text: '' } : { ...block, input: {} };
  const pieces = Array.from({ length: Math.ceil(whole.length / PIECE) }, (_, piece) =>
    whole.slice(piece * PIECE, (piece + 1) * PIECE),
  );
  return [
    event('content_block_start', { index, content_block: start }),
    ...pieces.map((piece) =>
      event(
        'content_block_delta',
        {
          index,
          delta: isText
            ? { type: 'text_delta', text: piece }
            : { type: 'input_json_delta', partial_json: piece },
        },
        chunkMs,
      ),
    ),
    event('content_block_stop', { index }),
  ];
}

function stopReason(reply: ScriptReply): string {
  return (reply.tools ?? []).length > 0 ? 'tool_use' : 'end_turn';
}

function envelope(
  reply: ScriptReply,
  model: string,
  number: number,
  content: readonly Block[],
  reason: string | null,
  outputTokens: number | undefined,
): Record<string, unknown> {
  return {
    id: `msg_${number}`,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: reason,
    stop_sequence: null,
    usage: {
      input_tokens: reply.input_tokens ?? DEFAULT_INPUT_TOKENS,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: outputTokens ?? reply.output_tokens ?? DEFAULT_OUTPUT_TOKENS,
    },
  };
}

function event(name: string, data: Readonly<Record<string, unknown>>, waitMs = 0): StreamEvent {
  return { event: name, data: { type: name, ...data }, waitMs };
}
