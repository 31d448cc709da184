import { appendFileSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newestSessions, readSession, sessionFileAt } from '../../../src/agents/sessions/session-stores.ts';
import { autopsy } from '../../../src/core/detect/autopsy/autopsy.ts';
import { closeSessions, placeSession } from '../placed-session.ts';
import { FAILURE, TASK, writeClaude, writeNeutral } from '../session-fixtures.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'mayday-stores-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const STORES = [
  ['claude', writeClaude, 'claude --resume 5c1e0000-0000-4000-8000-000000000001', 1],
  ['neutral', writeNeutral, null, 0],
] as const;

describe('a session of', () => {
  test.each(STORES)('%s is recognised, read and judged stuck', (name, write, resume, damaged) => {
    const file = sessionFileAt(write(home));
    expect(file?.store).toBe(name);
    const session = readSession(file as NonNullable<typeof file>);
    expect(session.resumeCommand).toBe(resume);
    expect(session.facts.damagedLines).toBe(damaged);
    const found = autopsy(session.facts.sessionId, session.entries);
    expect(found).toMatchObject({ state: 'stuck', class: 'looping', task: TASK });
    expect(found.lastChange?.edit?.path).toContain('src/upload.ts');
    expect(found.turns.filter((turn) => turn.errorLine === FAILURE)).toHaveLength(6);
    expect(found.next.brief).toContain(FAILURE);
  });

  test('claude tells what it used', () => {
    const file = sessionFileAt(writeClaude(home));
    const { facts } = readSession(file as NonNullable<typeof file>);
    expect((facts.usage?.inputTokens ?? 0) + (facts.usage?.outputTokens ?? 0)).toBeGreaterThan(0);
  });

  test('claude that was cut off in the middle of a line is read up to there', () => {
    const path = writeClaude(home);
    appendFileSync(path, '{"type":"assistant","message":{"content":[{"type":"te');
    const file = sessionFileAt(path);
    expect(readSession(file as NonNullable<typeof file>).facts.damagedLines).toBe(2);
  });
});

describe('the latest session', () => {
  const env = () => ({ HOME: home });

  test('of Gemini CLI is found where GEMINI_CLI_HOME says that its folder lies', () => {
    placeSession(join(home, 'elsewhere'), 'gemini', 'stuck');
    expect(newestSessions({ HOME: home, GEMINI_CLI_HOME: join(home, 'elsewhere') }, 1)).toMatchObject([
      { store: 'gemini' },
    ]);
  });

  test('is found over all stores by when it was written', () => {
    const codex = placeSession(home, 'codex', 'stuck');
    const claude = writeClaude(home);
    placeSession(home, 'opencode', 'stuck');
    closeSessions();
    utimesSync(codex, 2_000_000_000, 2_000_000_000);
    utimesSync(claude, 1_900_000_000, 1_900_000_000);
    expect(newestSessions(env(), 3).map((file) => file.store)).toEqual(['codex', 'claude', 'opencode']);
  });

  test('is nothing on a machine without agents', () => {
    expect(newestSessions(env(), 3)).toEqual([]);
  });

  test('is looked for where the CLI was told to keep it', () => {
    const path = placeSession(home, 'codex', 'stuck');
    const moved = { HOME: '/nonexistent', CODEX_HOME: join(home, '.codex') };
    expect(newestSessions(moved, 1).map((file) => file.path)).toEqual([path]);
  });
});

test('a file of no known kind is refused, not guessed at', () => {
  const path = join(home, 'notes.txt');
  writeFileSync(path, 'remember the milk\n');
  expect(sessionFileAt(path)).toBe(null);
});
