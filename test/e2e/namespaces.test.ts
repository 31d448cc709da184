/** One home, several PID namespaces: what cannot be seen is not dead, and what has ended is not waited for. */
import { spawn } from 'node:child_process';
import { closeSync, copyFileSync, existsSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { attemptDir } from '../../src/act/run-files.ts';
import { namespacePrefix } from '../../src/platform/container/container-level.ts';
import { eventsOf, view } from '../crash/disk.ts';
import { type Box, type Called, inBox } from './box.ts';

const prefix = namespacePrefix();
const canUnshare = prefix !== null;
if (!canUnshare) console.log('skipped: this machine offers no PID namespaces to this user');

/** `unshare` with its options; without the shell that an agent's own namespace begins with. */
const IN_NAMESPACE = prefix?.slice(0, prefix.indexOf('--') + 1).join(' ') ?? '';
const LEASES = { lease_ms: 1_500, lease_renew_ms: 300, lease_stop_ms: 1_000, restarts: 1 };

/** Does half of the work, waits until it may go on, and does the rest. */
function twoHalves(box: Box): string[] {
  const script = `touch half; while [ ! -f ${box.folder}/go ]; do sleep 0.05; done; touch whole`;
  return ['--check', 'test -f whole', 'do both halves', '--', 'sh', '-c', script];
}

const half = (box: Box) => existsSync(join(box.worktree(), 'half'));

async function inNamespace(box: Box, ...args: string[]): Promise<Called> {
  return await box.shell(
    `cd ${box.repository} && MAYDAY_HOME=${box.home} ${IN_NAMESPACE} ${process.execPath} ${box.bin} ${args.join(' ')}`,
  );
}

interface View {
  readonly run_id: string;
  readonly state: string;
  readonly attempts: readonly { readonly ended_at: string | null }[];
}

/** Read from the record itself: a command would look after the run, too. */
function viewOf(box: Box): View {
  return view(box) as unknown as View;
}

const LIVES = { state: 'working', attempts: [{ ended_at: null }] };

/** `mayday work` in another namespace, while the agent lives here: seen as soon as it takes the run, which it must not. */
async function workBeside(box: Box): Promise<Called> {
  let isOver = false;
  const working = inNamespace(box, 'work', '--until-idle').finally(() => {
    isOver = true;
  });
  const isTaken = () => eventsOf(box).some(({ type }) => type === 'taken_over');
  await box.until('it has looked', () => isOver || isTaken());
  expect(isTaken(), 'the run is taken over').toBe(false);
  expect(viewOf(box)).toMatchObject(LIVES);
  return await working;
}

async function deliveredFromNamespace(box: Box): Promise<View> {
  await box.until('it is delivered from the other namespace', async () => {
    await inNamespace(box, 'work', '--until-idle');
    return viewOf(box).state === 'delivered';
  });
  return viewOf(box);
}

/** A run that began in a namespace which has ended since. */
async function leftByNamespace(box: Box): Promise<void> {
  box.policy(LEASES);
  const first = spawn(
    'sh',
    [
      '-c',
      `exec ${IN_NAMESPACE} sh -c '"$@"; sleep 600' first ${process.execPath} ${box.bin} run --detach "$@"`,
      'sh',
      ...twoHalves(box),
    ],
    { cwd: box.repository, env: { ...process.env, MAYDAY_HOME: box.home }, stdio: 'ignore' },
  );
  onTestFinished(() => void first.kill('SIGKILL'));
  await box.until('the first half is done', () => half(box));
  expect(viewOf(box)).toMatchObject(LIVES);

  // The kernel gives the number of an ended namespace to the next one, which proves its end; held, it stays unknown.
  const held = openSync(`/proc/${first.pid}/ns/pid_for_children`, 'r');
  onTestFinished(() => closeSync(held));
  first.kill('SIGKILL');
  await box.until('every process of the namespace has ended', () => box.processes().length === 0);
  writeFileSync(join(box.folder, 'go'), '');
}

it.runIf(canUnshare)(
  'a run that lives in another PID namespace is neither taken nor ended, and goes on here once it has ended',
  () =>
    inBox(async (box) => {
      box.policy(LEASES);
      await box.call('run', '--detach', ...twoHalves(box));
      await box.until('the first half is done', () => half(box));

      expect(await workBeside(box)).toMatchObject({
        exitCode: 0,
        stderr: expect.stringContaining('nothing was queued'),
      });

      process.kill(box.keeper() ?? expect.fail('no keeper'), 'SIGKILL');
      const work = await box.until('its lease has run out', async () => {
        const looked = await workBeside(box);
        return looked.stderr.includes('another PID namespace') ? looked : undefined;
      });
      expect(work.stderr).toMatch(/AGENT_UNSEEN|runs in another PID namespace/);
      const { run_id } = viewOf(box);
      expect((await inNamespace(box, 'ps')).stdout).toContain('out of sight');
      expect((await inNamespace(box, 'show', run_id)).stdout).toContain(
        'runs in another PID namespace of this machine',
      );
      expect(await inNamespace(box, 'resume', run_id, '--agent-gone')).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('AGENT_UNSEEN'),
      });
      expect(existsSync(join(box.worktree(), 'whole')), 'the agent still waits').toBe(false);

      writeFileSync(join(box.folder, 'go'), '');
      await box.until('the other half is done', () => existsSync(join(box.worktree(), 'whole')));
      expect((await deliveredFromNamespace(box)).attempts).toHaveLength(1);
    }),
);

it.runIf(canUnshare)(
  'a run whose whole namespace ended is taken over in the next one, as after the restart of a container',
  () =>
    inBox(async (box) => {
      await leftByNamespace(box);
      expect((await deliveredFromNamespace(box)).attempts).toHaveLength(2);
    }),
);

it.runIf(canUnshare)('without a witness a person says that the agent is gone, and the run goes on', () =>
  inBox(async (box) => {
    await leftByNamespace(box);
    const { run_id } = viewOf(box);
    // As in a copy of the home: the same name is another file.
    const stdout = join(attemptDir(box.home, run_id, 1), 'stdout');
    copyFileSync(stdout, `${stdout}.copy`);
    renameSync(`${stdout}.copy`, stdout);
    const work = await box.until('its lease has run out', async () => {
      const looked = await workBeside(box);
      return looked.stderr.includes('another PID namespace') ? looked : undefined;
    });
    expect(work.stderr).toContain('may still run in another PID namespace');
    const resumed = await inNamespace(box, 'resume', run_id, '--agent-gone');
    expect(resumed.exitCode, resumed.stderr).toBe(0);
    expect(viewOf(box).state).toBe('delivered');
    expect((await inNamespace(box, 'show', run_id)).stdout).toContain(
      'said that the agent of attempt 1 is gone',
    );
  }),
);
