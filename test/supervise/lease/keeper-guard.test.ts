/** A keeper that is slow is waited for; one that dies again and again is told. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { KeeperGuard } from '../../../src/supervise/lease/keeper-guard.ts';
import { openRecord } from '../../../src/supervise/open-record.ts';
import { type Box, inBox } from '../../e2e/box.ts';

/** Shorter than any keeper needs to start. */
const GRACE_MS = 20;

/** A run whose agent lives and whose keeper was killed; the next keepers first do what `script` says. */
async function withoutKeeper(
  box: Box,
  script: string,
  use: (guard: KeeperGuard) => Promise<void>,
): Promise<void> {
  const wait = `touch begun; while [ ! -f ${box.folder}/go ]; do sleep 0.05; done`;
  const { stdout } = await box.call('run', '--json', '--detach', 'wait', '--', 'sh', '-c', wait);
  const { run_id } = JSON.parse(stdout) as { run_id: string };
  await box.until('the agent runs', () =>
    box.processes().some(({ command }) => command.startsWith('sh -c touch begun')),
  );
  process.kill(box.keeper() ?? expect.fail('no keeper'), 'SIGKILL');
  const first = join(box.folder, 'first.mjs');
  writeFileSync(first, script);
  const env = { ...process.env, MAYDAY_HOME: box.home, NODE_OPTIONS: `--import file://${first}` };
  const record = await openRecord(box.home, env);
  try {
    const guard = new KeeperGuard({ home: box.home, record, runId: run_id, env, graceMs: GRACE_MS });
    await box.until('nobody keeps it', async () => !(await guard.isKept()));
    await use(guard);
  } finally {
    await record.close();
    box.killAll();
  }
}

it('a keeper that needs a hundred times the grace to start is waited for, and is the only one', () =>
  inBox(async (box) => {
    const counted = `import { appendFileSync } from 'node:fs';
      appendFileSync('${join(box.folder, 'started')}', 'x');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${GRACE_MS * 100});`;
    await withoutKeeper(box, counted, async (guard) => {
      await box.until('it is kept', async () => {
        await guard.look();
        return await guard.isKept();
      });
      expect(await guard.reason()).toBeNull();
    });
    expect((await box.shell('cat started')).stdout).toBe('x');
  }));

it('keepers that die one after the other are told with their last words', () =>
  inBox(async (box) => {
    const dies = `console.error('no such luck'); process.exit(1);`;
    await withoutKeeper(box, dies, async (guard) => {
      const failed = (async () => {
        for (;;) {
          await guard.look();
          await pause(10);
        }
      })();
      await expect(failed).rejects.toMatchObject({
        code: 'KEEPER_FAILED',
        advice: expect.arrayContaining([['happened', expect.stringContaining('no such luck')]]),
      });
    });
  }));
