import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAYDAY } from '../mayday-under-test.ts';

const SOURCE = join(import.meta.dirname, '../../src/cli/standard-out.ts');
/** A process that writes by `stdout`, in a pipeline of the shell. */
function pipeline(script: string, shell: (call: string) => string) {
  const program = `import { StandardOut } from '${SOURCE}';
    const stdout = new StandardOut(process.stdout.on('error', ({ code }) => process.exit(code === 'EPIPE' ? 7 : 8)));
    ${script}`;
  const call = `"${process.execPath}" --input-type=module -e "$PROGRAM"`;
  return spawnSync('bash', ['-o', 'pipefail', '-c', shell(call)], {
    env: { ...process.env, PROGRAM: program },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  });
}

describe('what a command says', () => {
  it('arrives whole through a pipe whose reader is slow', () => {
    const { stdout, status } = pipeline(
      `for (let line = 0; line < 60_000; line++) stdout.write(line + ' of many, \u00e9\\n');`,
      (call) => `${call} | (sleep 0.2; cat)`,
    );
    const lines = stdout.split('\n');
    expect([status, lines.length, lines[59_999]]).toEqual([0, 60_001, '59999 of many, \u00e9']);
    expect(lines.every((line, at) => at === 60_000 || line.startsWith(`${at} `))).toBe(true);
  });

  it('arrives whole through a pipe that is full and does not wait', () => {
    // The stream of standard error makes the pipe that both share one that does not wait.
    const { stdout, status } = pipeline(
      `process.stderr.write('e'.repeat(60_000)); for (let i = 0; i < 5; i++) stdout.write('o'.repeat(10_000));`,
      (call) => `${call} 2>&1 | (sleep 0.2; cat)`,
    );
    expect([status, stdout]).toEqual([0, 'e'.repeat(60_000) + 'o'.repeat(50_000)]);
  });

  it('lets a signal be heard while its reader reads nothing', () => {
    const { status } = pipeline(
      `process.on('SIGTERM', () => process.exit(5));
       setTimeout(() => process.kill(process.pid, 'SIGTERM'));
       for (let i = 0; i < 20; i++) stdout.write('o'.repeat(10_000));`,
      (call) => `${call} > >(sleep 3 > /dev/null 2>&1)`,
    );
    expect(status).toBe(5);
  });

  it('meets a closed pipe and a full disk as an error of the stream', () => {
    const say = `stdout.write('x'); await new Promise((done) => setTimeout(done, 1_000));`;
    expect(pipeline(say, (call) => `{ sleep 0.1; ${call}; } | true`).status).toBe(7);
    expect(pipeline(say, (call) => `${call} > /dev/full`).status).toBe(8);
  });

  it('is no failure where its reader went away', () => {
    const call = `"${process.execPath}" "${MAYDAY}" help all`;
    const { status, stderr } = spawnSync('bash', ['-o', 'pipefail', '-c', `{ sleep 0.1; ${call}; } | true`]);
    expect([status, String(stderr)]).toEqual([0, '']);
  });
});
