/** `commandLineOf`, `toolNameOf`, `callInput`, `printedBy`, `callOutput`: tool calls of ACP agents as text. Equal calls give equal text. */
import { type JsonObject, jsonList, jsonObject, jsonText } from '../../core/text/json.ts';

/** The literal command line: of Codex behind `bash -lc`, of Gemini only in the title. */
export function commandLineOf(toolCall: JsonObject): string {
  const { command } = jsonObject(toolCall['rawInput']);
  if (typeof command === 'string') return command;
  const words = jsonList(command).map(jsonText);
  const shell = /(?:^|\/)(?:ba|z|da)?sh$/.test(words[0] ?? '') && /^-\w*c$/.test(words[1] ?? '');
  return words.length === 0 ? jsonText(toolCall['title']) : shell ? (words[2] ?? '') : words.join(' ');
}

/** Claude names the tool beside the protocol; the others only say what kind it is. */
export function toolNameOf(toolCall: JsonObject): string {
  const named = jsonText(jsonObject(jsonObject(toolCall['_meta'])['claudeCode'])['toolName']);
  return named || jsonText(toolCall['toolName']);
}

/** Values that differ at every call and would hide a loop. */
const RESTLESS = new Set(['call_id', 'process_id', 'turn_id', 'started_at_ms', 'description']);

export function callInput(toolCall: JsonObject): string {
  if (toolCall['kind'] === 'execute') return commandLineOf(toolCall);
  const input = Object.entries(jsonObject(toolCall['rawInput'])).filter(([key]) => !RESTLESS.has(key));
  return input.length === 0 ? jsonText(toolCall['title']) : JSON.stringify(Object.fromEntries(input));
}

/** An announced call of Claude and opencode has no arguments yet. */
export function hasInput(toolCall: JsonObject): boolean {
  return Object.keys(jsonObject(toolCall['rawInput'])).some((key) => key !== 'cwd');
}

/** codex-acp tells the output only in pieces, while the tool runs. */
export function printedBy(update: JsonObject): string {
  return jsonText(jsonObject(jsonObject(update['_meta'])['terminal_output_delta'])['data']);
}

/** `printed`: the pieces so far. */
export function callOutput(toolCall: JsonObject): string {
  const raw = toolCall['rawOutput'];
  if (typeof raw === 'string') return raw;
  const { output, formatted_output, stdout, stderr, error } = jsonObject(raw);
  const said = [output, formatted_output, stdout].map(jsonText).find((text) => text !== '');
  const failed = [stderr, error].map(jsonText).find((text) => text !== '');
  if (said !== undefined || failed !== undefined) return [said, failed].filter(Boolean).join('\n');
  const shown = jsonList(toolCall['content'])
    .map((block) => jsonText(jsonObject(jsonObject(block)['content'])['text']))
    .filter((text) => text !== '');
  return shown.join('\n') || jsonText(toolCall['printed']);
}
