/**
 * Sessions that the real CLIs left on disk: Codex 0.166.0, Gemini CLI 0.61.0 and opencode 1.18.33, run against a scripted
 * model on this machine. Paths are replaced and the CLIs' own instructions left out; opencode's rows are put back into
 * a database of its shape.
 */
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StoreName } from '../../src/agents/sessions/session-store.ts';
import { newestSessions, readSession, sessionFileAt } from '../../src/agents/sessions/session-stores.ts';
import { followSession } from '../../src/agents/sessions/session-tail.ts';
import { type Autopsy, autopsy } from '../../src/core/detect/autopsy/autopsy.ts';
import { diagnose } from '../../src/core/diagnose/diagnose.ts';
import { CLIS, closeSessions, openSession, placeSession } from './placed-session.ts';

const TASK = 'make the upload test pass';
const REFUSED = 'Error: connect ECONNREFUSED 127.0.0.1:9000';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'mayday-real-'));
});
afterEach(() => {
  closeSessions();
  rmSync(home, { recursive: true, force: true });
});

function examine(path: string): Autopsy {
  const file = sessionFileAt(path);
  if (file === null) throw new Error('not recognised');
  const session = readSession(file);
  return autopsy(session.facts.sessionId, session.entries, diagnose);
}

describe.each(CLIS)('a real session of %s', (cli) => {
  test('is found where the CLI keeps it, and says where it worked, with what and for how much', () => {
    placeSession(home, cli, 'stuck');
    const [file] = newestSessions({ HOME: home }, 1);
    expect(file?.store).toBe(cli satisfies StoreName);
    const { facts, resumeCommand } = readSession(file as NonNullable<typeof file>);
    expect(facts).toMatchObject({ cwd: '/repo', damagedLines: 0 });
    expect(resumeCommand).toMatch(/^(codex resume|gemini --resume|opencode run --session) \S+$/);
    expect(facts.model).toMatch(/^(gpt-5-codex|gemini-2.5-flash|lab-model)$/);
    const { inputTokens = 0, cacheReadTokens = 0, outputTokens } = facts.usage ?? {};
    expect([inputTokens + cacheReadTokens, outputTokens]).toEqual([8036, 160]);
  });

  test('that runs the same failing check is stuck from there on, though it ended by itself', () => {
    const found = examine(placeSession(home, cli, 'stuck'));
    expect(found).toMatchObject({ state: 'stuck', class: 'looping', task: TASK, endedBy: 'gave up' });
    expect(found.lastChange?.edit?.path).toMatch(/upload\.ts$/);
    expect(found.turns.filter((turn) => turn.failed).map((turn) => turn.errorLine)).toEqual(
      Array.from({ length: 6 }, () => REFUSED),
    );
    expect(found.rootCause).toContain('127.0.0.1:9000');
    expect(found.next.brief).toContain(TASK);
  });

  test('that was killed in the middle of a model turn is cut off, not stuck', () => {
    const found = examine(placeSession(home, cli, 'killed-in-stream'));
    expect(found).toMatchObject({ state: 'progressing', endedBy: 'cut off', inFlight: [] });
    expect(found.turns).toHaveLength(3);
  });

  test('is read up to where its last line was torn', () => {
    const path = placeSession(home, cli, 'killed-in-tool');
    if (cli === 'opencode') {
      openSession()?.exec(`UPDATE part SET data = substr(data, 1, 40) WHERE data LIKE '%sleep 97%'`);
    } else {
      const { length } = readFileSync(path);
      truncateSync(path, length - 30);
    }
    const file = sessionFileAt(path);
    const session = readSession(file as NonNullable<typeof file>);
    expect(session.facts.damagedLines).toBe(1);
    expect(autopsy(null, session.entries).turns).toHaveLength(3);
  });

  test('grows while it is followed, and nothing is told twice', () => {
    const path = placeSession(home, cli, 'stuck');
    const file = sessionFileAt(path);
    const tail = followSession(file as NonNullable<typeof file>);
    const told = tail.look().entries.filter((entry) => entry.type === 'tool_result');
    expect(told).toHaveLength(7);
    expect(tail.look().entries).toEqual([]);
  });
});

test.each(['codex', 'opencode'] as const)('%s killed in the middle of a tool shows which', (cli) => {
  const found = examine(placeSession(home, cli, 'killed-in-tool'));
  expect(found.endedBy).toBe('cut off');
  expect(found.inFlight.map((call) => call.input)).toEqual([expect.stringContaining('sleep 97')]);
});

// Gemini CLI writes a call when it has ended: while a tool runs, its session file looks like a silent model.
test('gemini killed in the middle of a tool does not show it', () => {
  expect(examine(placeSession(home, 'gemini', 'killed-in-tool'))).toMatchObject({
    endedBy: 'cut off',
    inFlight: [],
  });
});

test('codex that the API refused has failed, though its turn is "complete"', () => {
  const found = examine(placeSession(home, 'codex', 'refused'));
  expect(found).toMatchObject({ state: 'failed', class: 'context_overflow', endedBy: 'error' });
});

test('opencode that compacts its context again and again is stuck with it', () => {
  const found = examine(placeSession(home, 'opencode', 'refused'));
  expect(found).toMatchObject({ state: 'stuck', class: 'context_overflow' });
});

test('a file that only begins like a database is no session', () => {
  const path = join(home, 'opencode.db');
  writeFileSync(path, 'SQLite format 3\0 and then nothing');
  expect(sessionFileAt(path)).toBe(null);
});
