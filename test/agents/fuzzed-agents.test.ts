/** Whatever an agent CLI prints or keeps, reading it ends with a transcript and a verdict, or with an error that has a code. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findAdapter } from '../../src/agents/registry.ts';
import { readSession, sessionFileAt } from '../../src/agents/sessions/session-stores.ts';
import { autopsy } from '../../src/core/detect/autopsy/autopsy.ts';
import { MaydayError } from '../../src/platform/mayday-error.ts';
import { SEED } from '../lane.ts';
import { mutant, torn } from '../mutant.ts';
import { Random } from '../simulation/random.ts';
import { loadRecording, readRecording, recordingNames } from './recording.ts';
import { closeSessions, placeSession } from './placed-session.ts';
import { writeClaude, writeNeutral } from './session-fixtures.ts';

const ROUNDS = 12;
const folder = mkdtempSync(join(tmpdir(), 'mayday-fuzzed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The line with its parts changed where it is JSON, otherwise torn. */
function damaged(random: Random, line: string): string {
  if (random.chance(0.3)) return torn(random, line);
  try {
    return JSON.stringify(mutant(random, JSON.parse(line)));
  } catch {
    return torn(random, line);
  }
}

test.each([
  ['claude', 'claude'],
  ['codex', 'codex'],
  ['gemini', 'gemini'],
  ['opencode', 'opencode'],
  ['acp', 'acp'],
])(`%s reads any lines (MAYDAY_TEST_SEED=${SEED})`, (name, cli) => {
  const random = new Random(SEED);
  const adapter = findAdapter(name) ?? expect.fail(`no adapter ${name}`);
  for (let round = 0; round < ROUNDS; round += 1) {
    const recording = loadRecording(cli, random.pick(recordingNames(cli)));
    const lines = recording.lines.slice(0, 200).flatMap((line) => {
      if (random.chance(0.1)) return [];
      const said = random.chance(0.3) ? damaged(random, line) : line;
      return random.chance(0.1) ? [said, said] : [said];
    });
    const { entries, verdict } = readRecording(adapter, { ...recording, lines });
    expect(() => JSON.stringify([entries, verdict])).not.toThrow();
    expect(entries.every(({ at }) => Number.isFinite(at))).toBe(true);
  }
});

const STORES = {
  claude: writeClaude,
  codex: (home: string) => placeSession(home, 'codex', 'stuck'),
  gemini: (home: string) => placeSession(home, 'gemini', 'stuck'),
  opencode: (home: string) => placeSession(home, 'opencode', 'stuck'),
  neutral: writeNeutral,
};

test.each(Object.entries(STORES))(
  `a session file of %s can hold anything (MAYDAY_TEST_SEED=${SEED})`,
  (name, write) => {
    const random = new Random(SEED);
    const home = mkdtempSync(join(folder, `${name}-`));
    const path = write(home);
    closeSessions();
    if (!statSync(path).isFile()) return;
    const honest = readFileSync(path);
    for (let round = 0; round < ROUNDS; round += 1) {
      const text = honest.toString('latin1');
      const lines = text.split('\n').map((line) => (random.chance(0.3) ? damaged(random, line) : line));
      writeFileSync(path, name === 'opencode' ? Buffer.from(torn(random, text), 'latin1') : lines.join('\n'));
      try {
        const file = sessionFileAt(path);
        if (file === null) continue;
        const { entries, facts } = readSession(file);
        expect(() => JSON.stringify(autopsy(facts.sessionId, entries))).not.toThrow();
      } catch (error) {
        expect(error, `round ${round}: ${String(error)}`).toBeInstanceOf(MaydayError);
      }
    }
  },
);
