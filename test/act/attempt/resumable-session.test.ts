import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { resumableSession, type ResumableSession } from '../../../src/act/attempt/resumable-session.ts';
import type { AgentAdapter } from '../../../src/agents/adapter.ts';
import { findAdapter } from '../../../src/agents/registry.ts';
import { readSession, sessionFileAt } from '../../../src/agents/sessions/session-stores.ts';
import {
  at,
  BEYOND_REPAIR,
  REFUSED_BY_MODEL,
  REPAIRED,
  type Store,
  STORES,
} from '../../agents/session-damage.ts';

/** Sessions that the real CLIs left, without the words of their own instructions. */
const RECORDED = resolve(import.meta.dirname, '../../recordings/sessions');
const WORKSPACE = '/home/dev/repo';

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
