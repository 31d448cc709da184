/**
 * `toolInput`, `permissionRule`, `contentText`: tool calls and contents as text. Calls with the same fields in the same order give equal
 * text.
 */
import { type JsonObject, jsonObject, jsonText } from '../../core/text/json.ts';

/** The literal command for shells (its description is decoration and would hide a loop), compact JSON otherwise. */
export function toolInput(tool: string, input: unknown): string {
  const command = jsonObject(input)['command'];
  if (tool === 'Bash' && typeof command === 'string') return command;
  return JSON.stringify(input ?? {});
}

const EDITING = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);
const READING = new Set(['Read', 'Glob', 'Grep', 'LS']);

/**
 * A denied call as a narrow rule that would allow it: `Bash(npm publish)`, `Edit(//etc/hosts)` (the rule for all tools that write),
 * `WebFetch(domain:example.org)`. Tried with the real CLI. Of other tools only the name is known.
 */
export function permissionRule(tool: string, input: unknown): string {
  const values = jsonObject(input);
  const path = jsonText(values['file_path']) || jsonText(values['notebook_path']) || jsonText(values['path']);
  if (tool === 'Bash') return `Bash(${jsonText(values['command'])})`;
  if (path !== '' && EDITING.has(tool)) return `Edit(${inRule(path)})`;
  if (path !== '' && READING.has(tool)) return `Read(${inRule(path)})`;
  if (tool === 'WebFetch') return `WebFetch(domain:${hostOf(jsonText(values['url']))})`;
  return tool;
}

/** Two slashes mean an absolute path; without a slash it is below the folder in which the agent works. */
function inRule(path: string): string {
  return path.startsWith('/') ? `/${path}` : path;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '*';
}

export function contentText(blocks: readonly JsonObject[]): string {
  return blocks
    .filter((block) => block['type'] === 'text')
    .map((block) => jsonText(block['text']))
    .join('\n');
}
