/**
 * `STORES`, `REPAIRED`, `REFUSED_BY_MODEL`, `BEYOND_REPAIR`: ways in which the session file of a CLI is damaged, with what must come of each.
 * They fit every session that tells of the same work: a look at two marks, then the file.
 */

export const ASKED = 'Write hello to out.txt, after a look at the two marks.';

export interface Store {
  readonly name: 'claude' | 'codex' | 'gemini';
  readonly id: string;
  readonly path: string;
  /** Words by which the line of the first call is found, and that of its result. */
  readonly call: string;
  readonly result: string;
  readonly image: (data: string) => object;
}

export const STORES: readonly Store[] = [
  {
    name: 'claude',
    id: 'fe6cd6c5-e076-4909-ba63-66048ebd32f4',
    path: '.claude/projects/-home-dev-repo/fe6cd6c5-e076-4909-ba63-66048ebd32f4.jsonl',
    call: '"id":"toolu_1_1"',
    result: '"tool_use_id":"toolu_1_1"',
    image: (data) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }),
  },
  {
    name: 'codex',
    id: '01a1e11c-9188-7701-9937-c9886f9c22f5',
    path: '.codex/sessions/2026/11/15/rollout-2026-11-15T21-28-28-01a1e11c-9188-7701-9937-c9886f9c22f5.jsonl',
    call: '"type":"function_call","status":"completed","id":"fc_1_1"',
    result: '"type":"function_call_output"',
    image: (data) => ({ type: 'input_image', image_url: `data:image/png;base64,${data}` }),
  },
  {
    name: 'gemini',
    id: '43e3126b-e768-42cb-a7fb-ef8a33a709cb',
    path: '.gemini/tmp/repo/chats/session-2026-11-15T21-28-43e3126b.jsonl',
    call: '"toolCalls":[{"id":"run_shell_command__run_shell_command_',
    result: '"content":[{"functionResponse":{"id":"run_shell_command__run_shell_command_',
    image: (data) => ({ inlineData: { mimeType: 'image/png', data } }),
  },
];

export type Damage = (lines: readonly string[], store: Store) => readonly string[];
export const at = (lines: readonly string[], words: string): number =>
  lines.findIndex((line) => line.includes(words));
const replaced = (lines: readonly string[], index: number, line: string): readonly string[] =>
  lines.toSpliced(index, 1, line);
const half = (line: string): string => line.slice(0, line.length / 2);
const HUGE = 'A'.repeat(6 * 1024 * 1024);
const person = (lines: readonly string[]): number => at(lines, 'after a look at the two marks');

/** The person's message becomes a list with the part in it. */
function withPart(line: string, part: object, { name }: Store): string {
  const record = JSON.parse(line) as Record<string, Record<string, unknown>>;
  if (name === 'claude')
    return JSON.stringify({
      ...record,
      message: { role: 'user', content: [{ type: 'text', text: ASKED }, part] },
    });
  if (name === 'gemini') return JSON.stringify({ ...record, content: [{ text: ASKED }, part] });
  const content = [{ type: 'input_text', text: ASKED }, part];
  return JSON.stringify({ ...record, payload: { ...record['payload'], content } });
}

export const REPAIRED: Readonly<Record<string, Damage>> = {
  'the last line is cut': (lines) => replaced(lines, lines.length - 1, half(lines.at(-1) ?? '')),
  'the line of a call is cut': (lines, { call }) =>
    replaced(lines, at(lines, call), half(lines[at(lines, call)] ?? '')),
  'the line of a result is cut': (lines, { result }) =>
    replaced(lines, at(lines, result), half(lines[at(lines, result)] ?? '')),
  'two lines are glued together': (lines, { result }) => {
    const index = at(lines, result);
    return lines.toSpliced(index, 2, `${half(lines[index] ?? '')}${lines[index + 1]}`);
  },
  'a line of words stands between': (lines, { call }) => lines.toSpliced(at(lines, call), 0, 'Killed'),
  'a list stands in place of a record': (lines, { result }) => lines.toSpliced(at(lines, result), 0, '[1,2]'),
  'null bytes follow the end': (lines) => [...lines, '\0'.repeat(512)],
  'null bytes stand in a line': (lines, { result }) =>
    replaced(lines, at(lines, result), `\0\0${lines[at(lines, result)]}\0`),
  'a block of null bytes replaced a result': (lines, { result }) =>
    replaced(lines, at(lines, result), '\0'.repeat(2_048)),
  'half a character in an answer': (lines) =>
    lines.map((line) => line.replace('I look first.', String.raw`I look \ud83d first.`)),
  'the other half of a character in a result': (lines) =>
    lines.map((line) => line.replaceAll('MARK-TWO', String.raw`MARK-TWO \udc00`)),
  'an image of 6 MB': (lines, store) =>
    replaced(lines, person(lines), withPart(lines[person(lines)] ?? '', store.image(HUGE), store)),
  'an image of 6 MB and a cut line': (lines, store) => [
    ...replaced(lines, person(lines), withPart(lines[person(lines)] ?? '', store.image(HUGE), store)),
    '{"type":"user","mess',
  ],
};
/** What a kill leaves too: mended only once the model API has refused it. */
export const REFUSED_BY_MODEL: Readonly<Record<string, Damage>> = {
  'a call without its result': withoutResult,
  'a result without its call': (lines, { call }) => lines.toSpliced(at(lines, call), 1),
};
export const BEYOND_REPAIR: Readonly<Record<string, readonly [Damage, string]>> = {
  'an empty file': [() => [], 'no line of the session can be read'],
  'noise in place of a session': [
    () => ['\u0001\u0002', '%PDF-1.7', '\0\0\0'],
    'no line of the session can be read',
  ],
  'most lines cut': [
    (lines) => lines.map((line, index) => (index === 0 || index === person(lines) ? line : half(line))),
    'lines cannot be read',
  ],
  'only the first line left': [([first = '']) => [first], 'nothing of the conversation can be read'],
};

function withoutResult(lines: readonly string[], { result, call, name }: Store): readonly string[] {
  const left = lines.toSpliced(at(lines, result), 1);
  if (name !== 'gemini') return left;
  const record = JSON.parse(left[at(left, call)] ?? '') as { toolCalls: object[] };
  const toolCalls = record.toolCalls.map((one) => ({ ...one, result: undefined, status: 'executing' }));
  return replaced(left, at(left, call), JSON.stringify({ ...record, toolCalls }));
}
