import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { HAS_PROC } from '../../src/platform/process/proc-table.ts';
import { inBox } from './box.ts';

/** Signals the attendant, the keeper and the command above it, as far as there are any; Node opens its debugger within milliseconds. */
const AGENT = `up=$PPID
while tr '\\0' ' ' < /proc/$up/cmdline | grep -qE 'attendant\\.|keeper-process|mayday\\.js'; do
  kill -USR1 $up && echo $up >> signalled
  up=$(sed 's/.*) //' /proc/$up/stat | cut -d' ' -f2)
done
sleep 1`;
const ATTENDANT_AND_KEEPER = 'test $(wc -l < signalled) -ge 2';

it.skipIf(!HAS_PROC)(
  'an agent opens no debugger in a process of Mayday, where it could run what it wants',
  async () => {
    await inBox(async (box) => {
      const run = await box.call('run', '--check', ATTENDANT_AND_KEEPER, '--', 'sh', '-c', AGENT);
      expect(run).toMatchObject({ exitCode: 0 });
      const texts = readdirSync(box.home, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.log'))
        .map((name) => readFileSync(join(box.home, name), 'utf8'));
      for (const text of [run.stderr, ...texts]) expect(text).not.toMatch(/Debugger listening|inspector on/);
    });
  },
);
