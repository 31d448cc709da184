import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Box } from '../e2e/box.ts';
import { broken, journal, type Line, readLog } from './judge.ts';

/**
 * The keeper is killed just before its n-th durable write, for n = 1, 2, 3... until none is left; then another process goes
 * on. All of them with MAYDAY_CRASH_ALL=1, otherwise every k-th from an offset that is printed.
 */
const ALL = process.env['MAYDAY_CRASH_ALL'] === '1';
const STRIDE = ALL ? 1 : 5;
const OFFSET = ALL
  ? 0
  : Number(process.env['MAYDAY_CRASH_SEED'] ?? Math.floor(Math.random() * STRIDE)) % STRIDE;
const LIMIT_MS = 30 * 60_000;

const WORK = `echo "start $MAYDAY_ATTEMPT" >> LOG; trap 'echo "end $MAYDAY_ATTEMPT" >> LOG' EXIT
echo one > one.txt`;
const STORIES = [
  { name: 'a happy run', script: `${WORK}; echo two > two.txt`, files: ['one.txt', 'two.txt'] },
  {
    name: 'a run with one rescue',
    script: `${WORK}; [ "$MAYDAY_ATTEMPT" = 1 ] && exit 3; echo two > two.txt`,
    files: ['one.txt', 'two.txt'],
  },
] as const;

async function crashAt(
  n: number,
  script: string,
  files: readonly string[],
): Promise<{ readonly hit: boolean; readonly problems: readonly string[] }> {
  const box = new Box();
  try {
    box.policy({ backoff_ms: 20, backoff_max_ms: 40, restarts: 9 });
    const log = join(box.folder, 'agent.log');
    const program = join(box.folder, 'agent.sh');
    writeFileSync(program, script.replaceAll('LOG', `'${log}'`));
    const started = box.start(
      ['run', '--json', '--detach', '--check', 'test -f one.txt && test -f two.txt', '--', 'sh', program],
      { env: { MAYDAY_FAULT_KILL_AT_WRITE: String(n) } },
    );
    const { stdout } = await started.done;
    const { run_id } = JSON.parse(stdout) as { run_id: string };
    await box.until(
      'the keeper came',
      () => box.keeper() !== undefined || journal(box.home).length > 1,
      20_000,
    );
    await box.until('the keeper went', () => box.keeper() === undefined);
    const before: Line[] = journal(box.home);
    if (before.at(-1)?.type === 'released')
      return { hit: false, problems: broken(box, before, readLog(log), files) };
    await box.call('resume', run_id);
    await box.until('nothing runs any more', () => box.processes().length === 0, 20_000);
    const verified = await box.call('verify', '--json');
    const problems = [
      ...broken(box, before, readLog(log), files),
      ...(verified.exitCode === 0 ? [] : [`verify: ${verified.stdout}${verified.stderr}`]),
    ];
    return { hit: true, problems };
  } finally {
    const left = box.processes();
    await box.dispose();
    expect(left, 'P6: no process of an ended attempt survives').toEqual([]);
  }
}

describe('killing the keeper at its n-th durable write leaves the promises true', () => {
  for (const { name, script, files } of STORIES) {
    it(
      `${name} (every ${STRIDE}. write from ${OFFSET + 1}; MAYDAY_CRASH_SEED=${OFFSET})`,
      async () => {
        let crashes = 0;
        for (let n = OFFSET + 1; ; n += STRIDE) {
          const { hit, problems } = await crashAt(n, script, files);
          expect(problems, `killed at write ${n}`).toEqual([]);
          if (!hit) break;
          crashes += 1;
        }
        expect(crashes).toBeGreaterThan(0);
      },
      LIMIT_MS,
    );
  }
});
