/** An agent of another run in the same repository swaps a file of its git folder and a pipe: no reader waits for the pipe. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryRepository } from '../temporary-repository.ts';

const WORKSPACE = resolve(import.meta.dirname, '../../../src/act/workspace');
/** A reader that waits for a pipe waits for ever. */
const LIMIT_MS = 30_000;
const READING_MS = 2_000;

const SWAP = `
import { linkSync, renameSync } from 'node:fs';
const [at, ...others] = process.argv.slice(1);
for (;;) for (const other of others) {
  linkSync(other, at + '.next');
  renameSync(at + '.next', at);
}`;

it.each([
  [
    'are copied',
    'config',
    `import { keepDigest } from '${WORKSPACE}/repository-changes.ts';
     const read = (root) => keepDigest(
       { commonDir: root + '/.git', kind: 'in-place', path: root, repository: root, shadow: root + '/h/s/s', runId: 'r1' },
       'prepared',
     );`,
  ],
  [
    'are compared',
    'hooks/pre-commit',
    `import { undoOf } from '${WORKSPACE}/repository-changes.ts';
     import { mkdirSync, writeFileSync } from 'node:fs';
     const name = 'hooks/pre-commit';
     mkdirSync('shadow/mayday/r1/git-state/hooks', { recursive: true });
     writeFileSync('shadow/mayday/r1/git-state/' + name, '');
     const run = { kind: 'in-place', path: '.', commonDir: '.git', shadow: 'shadow', runId: 'r1' };
     const read = () => undoOf(run, { name, was: '- 1', is: '- 2' });`,
  ],
  [
    'say what is ignored',
    'info/exclude',
    `import { readPersonSettings } from '${WORKSPACE}/person-settings.ts';
     const read = (root) => readPersonSettings(root, root + '/.git', process.env);`,
  ],
])('files that %s are read without waiting', { timeout: 2 * LIMIT_MS }, async (_, name, program) => {
  const { root, folder } = temporaryRepository();
  const [at, file, pipe] = [join(root, '.git', name), join(folder, 'file'), join(folder, 'pipe')];
  writeFileSync(file, '[user]\n');
  execFileSync('mkfifo', [pipe]);
  const swap = spawn(process.execPath, ['--input-type=module', '-e', SWAP, '--', at, file, pipe]);
  onTestFinished(() => void swap.kill('SIGKILL'));
  const reading = `${program}
    const end = Date.now() + ${READING_MS};
    while (Date.now() < end) await read(process.cwd());
    console.log('done');`;
  const words = ['--no-warnings', '--input-type=module', '-e', reading];
  const options = { cwd: root, timeout: LIMIT_MS, killSignal: 'SIGKILL' } as const;
  const { stdout } = await promisify(execFile)(process.execPath, words, options);
  expect(stdout).toBe('done\n');
  expect(swap.exitCode).toBeNull();
});
