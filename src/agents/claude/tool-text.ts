/** Tool calls and contents as text that compares well: equal calls must read equal. */
import { type JsonObject, jsonObject, jsonText } from '../json-value.ts';

/** The literal command for shells (its description is decoration and would hide a loop), compact JSON otherwise. */
export function toolInput(tool: string, input: unknown): string {
  const command = jsonObject(input)['command'];
  if (tool === 'Bash' && typeof command === 'string') return command;
  return JSON.stringify(input ?? {});
}

/** A denied call in the notation in which a person would allow it: `Bash(npm publish)`, `Write(/etc/hosts)`. */
export function permissionRule(tool: string, input: unknown): string {
  const values = jsonObject(input);
  const subject = jsonText(values['command']) || jsonText(values['file_path']) || jsonText(values['url']);
  return subject === '' ? tool : `${tool}(${subject})`;
}

export function contentText(blocks: readonly JsonObject[]): string {
  return blocks
    .filter((block) => block['type'] === 'text')
    .map((block) => jsonText(block['text']))
    .join('\n');
}
