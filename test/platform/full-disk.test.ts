import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { EXIT_FILE, type ExitNote, readNote } from '../../src/platform/container/attempt-files.ts';
import { isEmpty } from '../../src/platform/container/observe.ts';
import { eventually, seen, startAttempt } from './attempt-under-test.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

const canMount = process.getuid?.() === 0 && spawnSync('mountpoint', ['/']).status === 0;

// A real small disk; mounting one needs root.
it.skipIf(!canMount)('on a full disk the attendant keeps what it knows until there is room', async () => {
  const disk = temporaryDirectory();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]);
  onTestFinished(() => void execFileSync('umount', ['--lazy', disk]));
  const elsewhere = temporaryDirectory();
  const script = 'while [ ! -e go ]; do sleep 0.02; done; cat /dev/zero; exit 9';
  const handle = await startAttempt(['sh', '-c', script], { attemptDir: disk, cwd: elsewhere });
  writeFileSync(join(elsewhere, 'go'), '');
  const waiting = await seen(handle, ({ leader }) => leader === 'gone');
  expect(waiting).toMatchObject({ attendant: 'running', exit: null, empty: false });
  expect(readFileSync(join(disk, 'stdout')).length).toBeGreaterThan(900 * 1024);
  truncateSync(join(disk, 'stdout'), 0);
  const exit = await eventually(
    () => readNote<ExitNote>(disk, EXIT_FILE),
    (note) => note !== null,
  );
  expect(exit).toMatchObject({ exitCode: 9, signal: null });
  await eventually(() => isEmpty(handle), Boolean);
});
