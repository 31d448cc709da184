import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  ATTENDANT_LOG_FILE,
  EXIT_FILE,
  type ExitNote,
  readNote,
} from '../../../src/platform/container/attempt-files.ts';
import { callAttendant } from '../../../src/platform/container/call-attendant.ts';
import { canCover } from '../../../src/platform/container/hide-home.ts';
import { cgroupMembers, cgroupPathFor } from '../../../src/platform/container/cgroup.ts';
import type { ContainerHandle } from '../../../src/platform/container/container-handle.ts';
import { findAttempt, startContained } from '../../../src/platform/container/container.ts';
import { availableLevels } from '../../../src/platform/container/container-level.ts';
import { isEmpty, observe } from '../../../src/platform/container/observe.ts';
import { returnAttendant } from '../../../src/platform/container/spare-attendants.ts';
import { kill, stopLadder, terminate } from '../../../src/platform/container/stop.ts';
import {
  identify,
  isAlive,
  lookAt,
  type ProcessIdentity,
} from '../../../src/platform/process/process-identity.ts';
import { type RunCommand, runCommand } from '../../../src/platform/process/run-command.ts';
import { agentProgram, eventually, leaveNothing, newMarker, seen } from '../attempt-under-test.ts';
import { temporaryDirectory } from '../../temporary-directory.ts';

const STARTER = resolve(import.meta.dirname, '../../fixtures/returning-starter.ts');
const CALLERS = resolve(import.meta.dirname, '../../../src/platform/process/callers.ts');
const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };

/** The command tells who started it. */
const WHO = 'echo $PPID';

async function run(script: string, options: Partial<RunCommand> = {}): Promise<string> {
  const argv = ['sh', '-c', script];
  return (await runCommand({ argv, cwd: '/', env, timeoutMs: 30_000, ...options })).output.trim();
}

function planFor(attemptDir: string, script: string): Parameters<typeof startContained>[0] {
  return {
    attemptDir,
    argv: ['sh', '-c', script],
    cwd: attemptDir,
    env,
    stdinFile: null,
    marker: newMarker(),
  };
}

function identityOf(pid: string): ProcessIdentity {
  return identify(Number(pid)) ?? expect.fail('it has ended');
}

/** A command that ended, seen as its starter sees it before it gives the attendant back. */
async function endedCommand(script: string): Promise<ContainerHandle> {
  const seal = 'of this command';
  const plan = { ...planFor(temporaryDirectory(), script), endsWithStarter: true, seal };
  const handle = { ...(await startContained(plan)), seal };
  leaveNothing(handle);
  onTestFinished(() => returnAttendant(handle.attemptDir, false));
  await seen(handle, ({ exit }) => exit !== null);
  return handle;
}

describe.skipIf(!(await availableLevels()).includes('cgroup'))('an attendant whose command has ended', () => {
  it.each(['in sight', 'hidden'])(
    'serves the next commands, and then an agent, with which it ends; home %s',
    async (kind) => {
      const hidden = { home: temporaryDirectory(), show: [], inside: { runId: 'r', blocker: null } };
      const options = kind === 'hidden' ? { hidden } : {};
      const first = await run(WHO, options);
      expect([await run(WHO, options), await run(WHO, options)]).toEqual([first, first]);
      const attendant = identityOf(first);
      const handle = await startContained({ ...planFor(temporaryDirectory(), `${WHO}; exit 7`), ...options });
      leaveNothing(handle);
      expect(handle.attendant.pid).toBe(attendant.pid);
      const { exit } = await seen(handle, (now) => now.exit !== null && now.empty);
      expect(exit).toMatchObject({ exitCode: 7, startError: null });
      expect(exit).not.toHaveProperty('isFree');
      expect(isAlive(attendant)).toBe(false);
      expect(readFileSync(join(handle.attemptDir, 'stdout'), 'utf8')).toBe(`${first}\n`);
    },
  );

  it('gives each of many commands its own files, words and end, and keeps nothing of them', async () => {
    const warnings: string[] = [];
    const warn = ({ message }: Error): unknown => warnings.push(message);
    process.on('warning', warn);
    onTestFinished(() => void process.off('warning', warn));
    for (let n = 0; n < 15; n += 1) {
      const cwd = temporaryDirectory();
      const argv = ['sh', '-c', 'cat; pwd; echo $N; exit $N'];
      const result = await runCommand({
        argv,
        cwd,
        env: { ...env, N: `${n}` },
        input: `in ${n}\n`,
        timeoutMs: 30_000,
      });
      expect(result).toMatchObject({ exitCode: n, output: `in ${n}\n${cwd}\n${n}\n` });
    }
    expect(warnings).toEqual([]);
  });

  it('holds no file of it open', async () => {
    const handle = await endedCommand('echo out; echo err >&2');
    const { pid } = handle.attendant;
    const open = readdirSync(`/proc/${pid}/fd`).map((file) => readlinkSync(`/proc/${pid}/fd/${file}`));
    expect(open.filter((path) => path.startsWith(handle.attemptDir))).toEqual([]);
  });

  it('is out of reach of whoever stops that command, while it serves another', async () => {
    const command = await endedCommand('true');
    expect(readNote<ExitNote>(command.attemptDir, EXIT_FILE)).toMatchObject({ exitCode: 0, isFree: true });
    returnAttendant(command.attemptDir, true);
    const agent = await startContained(planFor(temporaryDirectory(), 'exec sleep 300'));
    leaveNothing(agent);
    expect(agent.attendant).toEqual(command.attendant);
    expect(await observe(command)).toMatchObject({
      attendant: 'gone',
      leader: 'gone',
      members: [],
      empty: true,
    });
    process.kill(agent.attendant.pid, 'SIGSTOP');
    await eventually(
      () => lookAt(agent.attendant),
      (state) => state === 'stopped',
    );
    terminate(command);
    await kill(command);
    expect(lookAt(agent.attendant), 'not even woken').toBe('stopped');
    process.kill(agent.attendant.pid, 'SIGCONT');
    const times = { softMs: 1_000, termMs: 1_000, killEveryMs: 100, giveUpMs: 1_000 };
    expect(await stopLadder(command, { softSignal: 'SIGINT', ...times })).toBe('term');
    expect(await isEmpty(command)).toBe(true);
    expect({ ...(await findAttempt(command.attemptDir)), seal: command.seal }).toEqual(command);
    expect(await observe(agent)).toMatchObject({ exit: null, empty: false, members: [{ command: 'sleep' }] });
  });

  it('is not believed to have left by a note of the command itself, which is ended by its time limit', async () => {
    const forged = 'echo \'{"isFree":true}\' >"$(dirname "$(readlink /proc/$$/fd/1)")/exit.json"';
    const script = `${forged}; sleep 0.3; kill -STOP $PPID; exec sleep 300`;
    const ended = await runCommand({ argv: ['sh', '-c', script], cwd: '/', env, timeoutMs: 1_000 });
    expect(ended).toMatchObject({ timedOut: true });
  });

  it('serves an agent that is found below it by the folder of its attempt', async () => {
    const checked = await run(WHO);
    const attemptDir = temporaryDirectory();
    const asks = `import { callerSigns } from '${CALLERS}'; console.log(JSON.stringify(callerSigns().attendants));`;
    writeFileSync(join(attemptDir, 'asks.ts'), asks);
    const agent = await startContained(planFor(attemptDir, `exec '${process.execPath}' asks.ts`));
    leaveNothing(agent);
    await seen(agent, ({ exit }) => exit !== null);
    expect(String(agent.attendant.pid)).toBe(checked);
    expect(JSON.parse(readFileSync(join(attemptDir, 'stdout'), 'utf8'))).toContain(attemptDir);
  });

  it.skipIf(!canCover())(
    'starts the next program also where the cover that waits for it was killed',
    async () => {
      const home = temporaryDirectory();
      const hidden = { home, show: [], inside: { runId: 'r1', blocker: null } };
      const checked = await run(WHO, { hidden });
      const plan = planFor(temporaryDirectory(), 'exit 7');
      const attendant = await callAttendant(plan.attemptDir, undefined, plan.marker);
      expect(String(attendant?.child.pid)).toBe(checked);
      const members = await eventually(
        () => cgroupMembers(cgroupPathFor(plan.marker) ?? ''),
        (found) => found.length > 0,
      );
      for (const pid of members) process.kill(pid, 'SIGKILL');
      await eventually(
        () => cgroupMembers(cgroupPathFor(plan.marker) ?? ''),
        (found) => found.length === 0,
      );
      const handle = await startContained({ ...plan, cwd: '/', hidden, attendant });
      leaveNothing(handle);
      const { exit } = await seen(handle, (look) => look.exit !== null);
      expect(exit).toMatchObject({ exitCode: 7 });
    },
  );

  it('ends where the command left a process behind', async () => {
    const handle = await endedCommand(`${agentProgram('leaves-setsid-child.sh', '0').join(' ')}; exit 3`);
    expect(readNote<ExitNote>(handle.attemptDir, EXIT_FILE)).toMatchObject({ exitCode: 3 });
    expect(readNote<ExitNote>(handle.attemptDir, EXIT_FILE)).not.toHaveProperty('isFree');
    await eventually(
      () => isAlive(handle.attendant),
      (alive) => !alive,
    );
  });

  it('ends where the command had to be ended', async () => {
    const attendant = await run(`${WHO}; exec sleep 300`, { timeoutMs: 500 });
    expect(await run(WHO)).not.toBe(attendant);
    await eventually(
      () => identify(Number(attendant)),
      (identity) => identity === null,
    );
  });

  it('ends where its next command cannot be started', async () => {
    const attendant = identityOf(await run(WHO));
    const program = join(temporaryDirectory(), 'check');
    writeFileSync(program, '#!/no/such/interpreter\n', { mode: 0o755 });
    const starting = runCommand({ argv: [program], cwd: '/', env, timeoutMs: 30_000 });
    await expect(starting).rejects.toMatchObject({ code: 'AGENT_NOT_FOUND' });
    await eventually(
      () => isAlive(attendant),
      (alive) => !alive,
    );
    expect(await run(WHO)).not.toBe(String(attendant.pid));
  });

  it.each(['place', 'plan'])(
    'ends with a keeper that is killed while it waits for its %s, and leaves nothing',
    async (awaited) => {
      const served = temporaryDirectory();
      const [next, marker] = [temporaryDirectory(), newMarker()];
      const words = awaited === 'place' ? [served] : [served, next, marker];
      const starter = spawn(process.execPath, ['--no-warnings', STARTER, ...words], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      onTestFinished(() => void starter.kill('SIGKILL'));
      const [said] = (await once(starter.stdout, 'data')) as [Buffer];
      const attendant = JSON.parse(said.toString()) as ProcessIdentity;
      const group = cgroupPathFor(marker) ?? '';
      // What becomes the program waits there already.
      if (awaited === 'plan')
        await eventually(
          () => cgroupMembers(group).length,
          (count) => count === 1,
        );
      expect(isAlive(attendant)).toBe(true);
      starter.kill('SIGKILL');
      await eventually(
        () => isAlive(attendant),
        (alive) => !alive,
      );
      expect(existsSync(served)).toBe(false);
      expect(existsSync(group)).toBe(false);
      expect(readdirSync(next)).toEqual(awaited === 'plan' ? [ATTENDANT_LOG_FILE] : []);
    },
  );

  it('is let go after a while', async () => {
    const attendant = identityOf(await run(WHO));
    await eventually(
      () => isAlive(attendant),
      (alive) => !alive,
    );
  });
});
