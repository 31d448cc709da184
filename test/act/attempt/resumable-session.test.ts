import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { resumableSession, type ResumableSession } from '../../../src/act/attempt/resumable-session.ts';
import type { AgentAdapter } from '../../../src/agents/adapter.ts';
import { findAdapter } from '../../../src/agents/registry.ts';
import { readSession, sessionFileAt } from '../../../src/agents/session-stores.ts';

/** Sessions that the real CLIs left, without the words of their own instructions. */
const RECORDED = resolve(import.meta.dirname, '../../recordings/sessions');
const WORKSPACE = '/home/dev/repo';

interface Store {
  readonly name: 'claude' | 'codex' | 'gemini';
  readonly id: string;
  readonly path: string;
  /** Words that only the line of the first call has, and only the line of its result. */
  readonly call: string;
  readonly result: string;
  readonly image: (data: string) => object;
}

const STORES: readonly Store[] = [
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
    result: '"type":"function_call_output","id":"fco_01a1e11c-95fe',
    image: (data) => ({ type: 'input_image', image_url: `data:image/png;base64,${data}` }),
  },
  {
    name: 'gemini',
    id: '43e3126b-e768-42cb-a7fb-ef8a33a709cb',
    path: '.gemini/tmp/repo/chats/session-2026-11-15T21-28-43e3126b.jsonl',
    call: '"toolCalls":[{"id":"run_shell_command__run_shell_command_1794778123220_0"',
    result: '"content":[{"functionResponse":{"id":"run_shell_command__run_shell_command_1794778123220_0"',
    image: (data) => ({ inlineData: { mimeType: 'image/png', data } }),
  },
];

type Damage = (lines: readonly string[], store: Store) => readonly string[];
const at = (lines: readonly string[], words: string): number =>
  lines.findIndex((line) => line.includes(words));
const replaced = (lines: readonly string[], index: number, line: string): readonly string[] =>
  lines.toSpliced(index, 1, line);
const half = (line: string): string => line.slice(0, line.length / 2);
const HUGE = 'A'.repeat(6 * 1024 * 1024);
const person = (lines: readonly string[]): number => at(lines, 'after a look at the two marks');

/** The person's message becomes a list with the part in it. */
function withPart(line: string, part: object, { name }: Store): string {
  const record = JSON.parse(line) as Record<string, Record<string, unknown>>;
  const text = 'Write hello to out.txt, after a look at the two marks.';
  if (name === 'claude')
    return JSON.stringify({ ...record, message: { role: 'user', content: [{ type: 'text', text }, part] } });
  if (name === 'gemini') return JSON.stringify({ ...record, content: [{ text }, part] });
  const content = [{ type: 'input_text', text }, part];
  return JSON.stringify({ ...record, payload: { ...record['payload'], content } });
}

const REPAIRED: Readonly<Record<string, Damage>> = {
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
const REFUSED_BY_MODEL: Readonly<Record<string, Damage>> = {
  'a call without its result': withoutResult,
  'a result without its call': (lines, { call }) => lines.filter((line) => !line.includes(call)),
};
const BEYOND_REPAIR: Readonly<Record<string, readonly [Damage, string]>> = {
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
  const left = lines.filter((line) => !line.includes(result));
  if (name !== 'gemini') return left;
  const record = JSON.parse(left[at(left, call)] ?? '') as { toolCalls: object[] };
  const toolCalls = record.toolCalls.map((one) => ({ ...one, result: undefined, status: 'executing' }));
  return replaced(left, at(left, call), JSON.stringify({ ...record, toolCalls }));
}

const clean: (() => void)[] = [];
afterEach(() => {
  for (const step of clean.splice(0)) step();
});

interface Looked {
  readonly session: ResumableSession;
  readonly isOriginalUntouched: boolean;
  /** The text of the copy. */
  readonly copy: string | null;
  readonly copyPath: string;
}

async function look(store: Store, lines: readonly string[], isRefused = false): Promise<Looked> {
  const home = mkdtempSync(join(tmpdir(), 'mayday-session-'));
  clean.push(() => rmSync(home, { recursive: true, force: true }));
  const path = join(home, store.path);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines.length === 0 ? '' : `${lines.join('\n')}\n`);
  const before = hash(path);
  const session = await resumableSession(findAdapter(store.name) as AgentAdapter, {
    agentSession: store.id,
    isRefused,
    workspace: WORKSPACE,
    env: { HOME: home },
  });
  const others = readdirSync(dirname(path)).filter((name) => join(dirname(path), name) !== path);
  const copyPath = join(dirname(path), others[0] ?? '');
  return {
    session,
    isOriginalUntouched: hash(path) === before,
    copy: others.length === 0 ? null : readFileSync(copyPath, 'utf8'),
    copyPath,
  };
}

function hash(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

function recorded({ name }: Store): readonly string[] {
  return readFileSync(join(RECORDED, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n');
}

function assertCopyIsWhole(store: Store, { session, copy, copyPath }: Looked): void {
  expect(session.agentSession).toMatch(/^[\da-f]{8}-/);
  expect(session.agentSession).not.toBe(store.id);
  expect(copy).not.toContain(store.id);
  expect(copy).not.toContain('\0');
  expect((copy ?? '').length).toBeLessThan(1024 * 1024);
  for (const line of (copy ?? '').trim().split('\n')) {
    expect(() => JSON.parse(line)).not.toThrow();
    expect((JSON.stringify(JSON.parse(line)).match(/\\ud[89a-f]/g) ?? []).length).toBe(0);
  }
  const file = sessionFileAt(copyPath);
  const { entries, facts } = readSession(file as NonNullable<typeof file>);
  expect(facts).toMatchObject({ sessionId: session.agentSession, damagedLines: 0 });
  const calls = entries.flatMap((entry) => (entry.type === 'tool_call' ? [entry.id] : []));
  const results = entries.flatMap((entry) => (entry.type === 'tool_result' ? [entry.id] : []));
  expect(new Set(results)).toEqual(new Set(calls));
  // The conversation is still the one that happened.
  expect(JSON.stringify(entries)).toContain('MARK-TWO');
  expect(JSON.stringify(entries)).toContain('All done: out.txt');
  if (store.name === 'claude') assertChain(copy ?? '');
}

/** From the last record back to the first: what is not on this way is lost for Claude Code. */
function assertChain(copy: string): void {
  const records = copy
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { uuid?: string; parentUuid?: string | null });
  const chained = records.filter(({ uuid }) => uuid !== undefined);
  const byId = new Map(chained.map((record) => [record.uuid, record]));
  let steps = 0;
  for (let one = chained.at(-1); one !== undefined; one = byId.get(one.parentUuid ?? '')) steps++;
  expect(steps).toBe(chained.length);
}

describe.each(STORES)('a session of $name before it is resumed', (store) => {
  it.each(Object.entries(REPAIRED))('%s: mended on a copy, the original untouched', async (_, damage) => {
    const looked = await look(store, damage(recorded(store), store));
    expect(looked.session.why).toMatch(/^the earlier conversation was mended on a copy: \d/);
    expect(looked.isOriginalUntouched).toBe(true);
    assertCopyIsWhole(store, looked);
  });

  it.each(Object.entries(REFUSED_BY_MODEL))(
    '%s: left to the CLI, mended when the model API refused it',
    async (_, damage) => {
      const lines = damage(recorded(store), store);
      expect(await look(store, lines)).toMatchObject({ session: { agentSession: store.id }, copy: null });
      const looked = await look(store, lines, true);
      expect(looked.isOriginalUntouched).toBe(true);
      assertCopyIsWhole(store, looked);
    },
  );

  it.each(Object.entries(BEYOND_REPAIR))('%s: refused with the reason', async (_, [damage, reason]) => {
    const looked = await look(store, damage(recorded(store), store));
    expect(looked).toMatchObject({ session: { agentSession: null }, isOriginalUntouched: true, copy: null });
    expect(looked.session.why).toContain(reason);
  });

  it('a whole session is resumed as it is; refused by the model API, there is nothing to mend', async () => {
    expect(await look(store, recorded(store))).toMatchObject({
      session: { agentSession: store.id },
      copy: null,
    });
    expect((await look(store, recorded(store), true)).session).toEqual({ agentSession: null });
  });

  it('a call in flight at the end is no damage', async () => {
    const lines = recorded(store);
    const cut = lines.slice(0, at(lines, store.call) + 1);
    expect((await look(store, cut)).session).toEqual({ agentSession: store.id });
    expect((await look(store, cut, true)).session).toEqual({ agentSession: null });
  });

  it('a session that is not there is left to the CLI', async () => {
    const adapter = findAdapter(store.name) as AgentAdapter;
    const nowhere = {
      agentSession: store.id,
      isRefused: false,
      workspace: WORKSPACE,
      env: { HOME: '/nowhere' },
    };
    expect(await resumableSession(adapter, nowhere)).toEqual({ agentSession: store.id });
  });
});
