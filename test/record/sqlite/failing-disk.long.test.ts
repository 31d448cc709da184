/** A disk that refuses to make a write safe (EIO from fsync), by a preloaded library: once at every place, and from then on. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openSqliteRecord } from '../../../src/record/sqlite/open.ts';
import { STORY, STORY_TIME, storyState } from '../../fixtures/record/story.ts';
import { SEED } from '../../lane.ts';

const FIXTURES = resolve(import.meta.dirname, '../../fixtures');
const folder = mkdtempSync(join(tmpdir(), 'mayday-failing-'));
const library = join(folder, 'failing-disk.so');
const canPreload =
  process.platform === 'linux' &&
  spawnSync('cc', ['-shared', '-fPIC', '-o', library, join(FIXTURES, 'failing-disk.c'), '-ldl']).status === 0;
if (!canPreload) console.log('skipped: a failing disk needs Linux and a C compiler');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Each place is a process; a few of them from the seed of the suite, all with MAYDAY_CRASH_ALL=1. */
const STRIDE = process.env['MAYDAY_CRASH_ALL'] === '1' ? 1 : 7;

interface Told {
  readonly acknowledged: number;
  readonly syncsOfSteps: readonly number[];
  readonly failure: string | null;
  readonly next: string | null;
  readonly file: string;
}

/** What the process said, where its record is, and how many syncs were asked for. */
function tell(name: string, durability: string, after: number, count: number) {
  const home = join(folder, name);
  mkdirSync(home);
  writeFileSync(join(home, 'note'), 'old');
  const log = join(folder, `${name}.log`);
  const env = {
    ...process.env,
    LD_PRELOAD: library,
    FAIL_FOLDER: home,
    FAIL_LOG: log,
    FAIL_AFTER: String(after),
    FAIL_COUNT: String(count),
  };
  const program = join(FIXTURES, 'record/on-failing-disk.ts');
  const said = execFileSync(process.execPath, ['--no-warnings', program, home, durability], { env });
  const calls = readFileSync(log, 'utf8').trimEnd().split('\n');
  return { home, told: JSON.parse(said.toString()) as Told, calls };
}

/** The state of a record in which the first so many steps happened. */
async function stateAfter(steps: number): Promise<unknown> {
  const path = join(mkdtempSync(join(folder, 'reference-')), 'record.db');
  const record = await openSqliteRecord({ path, now: () => STORY_TIME });
  for (const step of STORY.slice(0, steps)) await step(record);
  const state = await storyState(record);
  await record.close();
  return state;
}

describe.skipIf(!canPreload)('a disk that is asked to make a write safe', () => {
  it('is asked before each acknowledged step with full durability, and not at each step otherwise', () => {
    const full = tell('full', 'full', 1_000_000, 0).told;
    expect(full).toMatchObject({ acknowledged: STORY.length, failure: null, file: 'done' });
    // Where the clock stands still, the renewal of a lease changes nothing.
    expect(full.syncsOfSteps.filter((count) => count === 0).length).toBeLessThanOrEqual(1);
    const normal = tell('normal', 'normal', 1_000_000, 0).told;
    expect(normal.syncsOfSteps.filter((count) => count === 0).length).toBeGreaterThan(1);
  });

  it.each([
    ['once', 1],
    ['from then on', -1],
  ])(
    'and fails %s: nothing acknowledged is lost, nothing more is written, and the next process goes on',
    async (name, count) => {
      const { length: places } = tell(`all-${count}`, 'full', 1_000_000, 0).calls;
      for (let after = SEED % STRIDE; after < places; after += STRIDE) {
        const { home, told, calls } = tell(`${name}-${after}`, 'full', after, count);
        expect(calls.filter((call) => call.startsWith('failed')).length, `sync ${after + 1}`).toBeGreaterThan(
          0,
        );
        // The last syncs belong to the closing of the record and to the file.
        if (told.acknowledged < STORY.length) {
          expect(told.failure, `sync ${after + 1}`).toMatch(/^RECORD_/);
          if (told.next !== null) expect(told.next, `after sync ${after + 1}`).toBe('RECORD_IO');
        }
        // Where only its folder could not be made safe, the new content is there, and its writer was told of the failure.
        expect(told.file === 'done' ? ['new'] : ['old', 'new']).toContain(
          readFileSync(join(home, 'note'), 'utf8'),
        );
        const record = await openSqliteRecord({ path: join(home, 'record.db'), now: () => STORY_TIME });
        const state = await storyState(record);
        // The first turn of all may be there without the anchor, which is written after it and made up for by the next turn.
        const problems = (await record.verify()).filter(
          ({ problem }) => !problem.includes('anchor is missing'),
        );
        expect(problems, `sync ${after + 1}`).toEqual([]);
        await record.close();
        // The step that failed may be there: nobody was told that it is.
        expect([await stateAfter(told.acknowledged), await stateAfter(told.acknowledged + 1)]).toContainEqual(
          state,
        );
      }
    },
    60 * 60_000,
  );
});
