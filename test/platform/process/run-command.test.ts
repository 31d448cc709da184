import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CLAIM_FILE, type Claim, readNote } from '../../../src/platform/container/attempt-files.ts';
import {
  type CommandResult,
  type RunCommand,
  runCommand,
} from '../../../src/platform/process/run-command.ts';
import { agentProgram, eventually } from '../attempt-under-test.ts';
import { processesIn } from '../../processes-in.ts';
import { temporaryDirectory } from '../../temporary-directory.ts';

async function run(argv: string[], options: Partial<RunCommand> = {}): Promise<CommandResult> {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  return await runCommand({ argv, cwd: tmpdir(), env, timeoutMs: 30_000, ...options });
}

describe('a command that Mayday runs itself', () => {
  it('gives its exit code and its output in the order it was written', async () => {
    const result = await run(['sh', '-c', 'echo one; echo two >&2; echo three; exit 4']);
    expect(result).toMatchObject({ exitCode: 4, signal: null, timedOut: false, output: 'one\ntwo\nthree\n' });
    expect(result.outputHash).toBe(createHash('sha256').update('one\ntwo\nthree\n').digest('hex'));
  });

  it('reads the input it was given', async () => {
    expect((await run(['cat'], { input: 'in and out' })).output).toBe('in and out');
  });

  it('ends with everything it started when its time is over', async () => {
    const directory = temporaryDirectory();
    const script = `setsid sh -c 'trap "" TERM; echo $$ > child; exec sleep 300' & echo begun; sleep 300`;
    const result = await run(['sh', '-c', script], { cwd: directory, timeoutMs: 1_000 });
    expect(result).toMatchObject({ timedOut: true, signal: 'SIGTERM', output: 'begun\n' });
    expect(result.durationMs).toBeLessThan(20_000);
    expect(processesIn(directory)).toEqual([]);
  });

  it('takes what it left running with it when it ends', async () => {
    const directory = temporaryDirectory();
    const result = await run(agentProgram('leaves-setsid-child.sh', '0'), { cwd: directory });
    expect(result.exitCode).toBe(0);
    expect(processesIn(directory)).toEqual([]);
  });

  it('keeps the beginning and the end of a flood and the hash of all of it', async () => {
    const bytes = 200 * 1024 * 1024;
    const script = `echo first; head -c ${bytes} /dev/zero | tr '\\0' 'f'; echo; echo last`;
    const result = await run(['sh', '-c', script], { outputLimitBytes: 1_000 });
    expect(result.output.length).toBeLessThan(1_100);
    expect(result.output).toMatch(/^first\n/);
    expect(result.output).toMatch(/\[\.\.\. 209714212 bytes left out \.\.\.\]/);
    expect(result.output).toMatch(/\nlast\n$/);
    const hash = createHash('sha256').update('first\n');
    for (let n = 0; n < 200; n++) hash.update('f'.repeat(1024 * 1024));
    expect(result.outputHash).toBe(hash.update('\nlast\n').digest('hex'));
  });

  it('is ended when the caller gives up', async () => {
    const directory = temporaryDirectory();
    const controller = new AbortController();
    const outcome = run(['sh', '-c', 'echo $$ > pid; exec sleep 300'], {
      cwd: directory,
      signal: controller.signal,
    });
    await eventually(() => existsSync(join(directory, 'pid')), Boolean);
    controller.abort(new Error('enough'));
    await expect(outcome).rejects.toThrow('enough');
    expect(processesIn(directory)).toEqual([]);
  });

  it('does not outlive a Mayday that is killed with -9', async () => {
    const directory = temporaryDirectory();
    const program = resolve(import.meta.dirname, '../../fixtures/command-runner.ts');
    const runner = spawn(process.execPath, [program, directory], {
      stdio: 'ignore',
      env: { ...process.env, TMPDIR: directory },
    });
    onTestFinished(() => void runner.kill('SIGKILL'));
    // Not by the number that it knows of itself: in a PID namespace of its own that is another process here.
    await eventually(() => existsSync(join(directory, 'begun')), Boolean);
    expect(processesIn(directory)).not.toEqual([]);
    const [scratchDir = ''] = readdirSync(directory).filter((name) => name.startsWith('mayday-command-'));
    const claim = readNote<Claim>(join(directory, scratchDir), CLAIM_FILE) ?? expect.fail('no claim');
    runner.kill('SIGKILL');
    await once(runner, 'exit');
    await eventually(
      () => processesIn(directory),
      (pids) => pids.length === 0,
    );
    const left = [join(directory, scratchDir), ...(claim.cgroupPath === null ? [] : [claim.cgroupPath])];
    await eventually(
      () => left.filter((path) => existsSync(path)),
      (paths) => paths.length === 0,
    );
  });

  it('says what is missing, and leaves no scratch directory behind', async () => {
    // A temporary directory of its own: the machine's is shared with whoever else runs commands.
    const temporary = temporaryDirectory();
    vi.stubEnv('TMPDIR', temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(run(['no-such-check'])).rejects.toMatchObject({ code: 'AGENT_NOT_FOUND' });
    await expect(run(['true'], { cwd: '/no/such/dir' })).rejects.toMatchObject({ code: 'WORKSPACE_MISSING' });
    await run(['sh', '-c', `ls -d ${temporary}/mayday-command-*`]).then(({ exitCode }) =>
      expect(exitCode).toBe(0),
    );
    expect(readdirSync(temporary)).toEqual([]);
  });
});
