/** Plays a story in which one process dies just before its n-th durable write; whoever looks later goes on. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { fold } from '../../src/core/state/fold.ts';
import { runRow } from '../../src/core/view/run-row.ts';
import { openPostgresRecord } from '../../src/record/postgres/open.ts';
import { openSqliteRecord } from '../../src/record/sqlite/open.ts';
import { Box } from '../e2e/box.ts';
import { eventsOf, journal, letters, type Line, runName, textOf, view } from './disk.ts';
import { broken } from './judge.ts';
import type { Act, Story } from './stories.ts';
import { KEEPER } from '../mayday-under-test.ts';

/** By then every lease of a dead owner has run out. */
const LATER_MS = 60_000;
const MAX_KEEPERS = 5;
/** A machine with other work on it. */
const PATIENCE_MS = 90_000;

export interface Fault {
  /** In which of the story's commands, and whether it hits the command itself or the keeper that it starts. */
  readonly act: number;
  readonly victim: 'keeper' | 'command';
  readonly n: number;
}

export interface Outcome {
  /** False: the victim lived to its end, all its writes are behind us. */
  readonly hit: boolean;
  readonly problems: readonly string[];
}

/** `store`: the address of an empty one, for a record in PostgreSQL. */
export async function crashAt(story: Story, fault: Fault, store?: string): Promise<Outcome> {
  const box = new Box();
  if (store !== undefined) box.env['MAYDAY_STORE'] = store;
  try {
    box.policy(story.policy);
    const log = join(box.folder, 'agent.log');
    writeFileSync(join(box.folder, 'agent.sh'), story.script.replaceAll('LOG', `'${log}'`));
    let hit = false;
    let before: Line[] = [];
    for (const [index, act] of story.acts.entries()) {
      const said = await say(box, act, index === fault.act ? fault : null);
      if (said.problem !== null) return { hit: true, problems: [said.problem] };
      if (said.died) before = journal(box);
      hit ||= said.died;
      await rest(box);
    }
    const problems = broken(box, story, before, textOf(log));
    problems.push(...replayed(box));
    // An outside look at the delivered commit, too: a record that is wrong as a whole must not be its own judge.
    const { delivered } = view(box) as { delivered?: { commit: string | null } | null };
    const rerun = delivered?.commit ? ['--rerun', runName(box) ?? ''] : [];
    const verified = await box.call('verify', '--json', ...rerun);
    if (verified.exitCode !== 0) problems.push(`verify: ${verified.stdout}${verified.stderr}`);
    await box
      .until('nothing of the run lives', () => box.processes().length === 0)
      .catch(() =>
        problems.push(`P6: ${JSON.stringify(box.processes().map(({ command }) => command))} live`),
      );
    return { hit, problems };
  } finally {
    await box.dispose();
  }
}

/** What the last commit showed to everybody is what the journal, folded again, says. */
function replayed(box: Box): string[] {
  const state = fold(runName(box) ?? '', eventsOf(box) as never);
  const shown = state === null ? null : (JSON.parse(runRow(state).view) as unknown);
  return isDeepStrictEqual(shown, view(box)) ? [] : ['replay: the journal folds to something else'];
}

/** A person gives a command; where it or its keeper dies, they look whether it was heard and say it again if not. */
async function say(
  box: Box,
  act: Act,
  fault: Fault | null,
): Promise<{ readonly died: boolean; readonly problem: string | null }> {
  const variable =
    fault?.victim === 'command' ? 'MAYDAY_FAULT_KILL_COMMAND_AT_WRITE' : 'MAYDAY_FAULT_KILL_AT_WRITE';
  const env = fault === null ? {} : { [variable]: String(fault.n) };
  const called = await box.start(act.args(box), { env }).done;
  await quiet(box);
  const died = fault !== null && `${called.stderr}${keeperLogs(box)}`.includes('mayday fault:');
  if (!died && called.exitCode !== 0)
    return { died, problem: `${act.name} failed: ${called.stderr}${called.stdout}` };
  if (!died)
    return { died, problem: act.isSaid(box) ? null : `P1: ${act.name} was acknowledged and is lost` };
  // A letter that is on disk was said.
  const said = act.isSaid(box) || (act.name !== 'run' && letters(box) > 0);
  if (said && called.stderr.includes('was not recorded'))
    return { died, problem: `${act.name} is on disk, and its command denies it: ${called.stderr}` };
  if (said) return { died, problem: null };
  if (runName(box) !== undefined) await rest(box);
  const again = await box.call(...act.args(box));
  return {
    died,
    problem: again.exitCode === 0 ? null : `${act.name} said again: ${again.stderr}${again.stdout}`,
  };
}

/** Keepers come as long as whoever looks finds the run without one; no person says a word. */
async function rest(box: Box): Promise<void> {
  await quiet(box);
  const run = runName(box) ?? '';
  for (let keepers = 0; await waits(box, run); keepers += 1) {
    if (keepers >= MAX_KEEPERS) throw new Error(`${run} never comes to rest`);
    const keeper = spawn(process.execPath, ['--no-warnings', KEEPER, box.home, run], {
      cwd: '/',
      env: { ...process.env, MAYDAY_HOME: box.home, ...box.env },
      stdio: 'ignore',
    });
    await once(keeper, 'exit');
  }
}

async function waits(box: Box, run: string): Promise<boolean> {
  const now = () => Date.now() + LATER_MS;
  const address = box.env['MAYDAY_STORE'];
  const record =
    address === undefined
      ? await openSqliteRecord({ path: join(box.home, 'record.db'), now })
      : await openPostgresRecord({ address, now });
  try {
    return (await record.unowned()).includes(run);
  } finally {
    await record.close();
  }
}

/** No Mayday process of the box is at work any more; an agent may be. */
async function quiet(box: Box): Promise<void> {
  await box.until(
    'the keepers went',
    () => !box.processes().some(({ command }) => /keeper-process|bin\/mayday\.js/.test(command)),
    PATIENCE_MS,
  );
}

function keeperLogs(box: Box): string {
  return textOf(join(box.home, 'runs', runName(box) ?? '', 'keeper.log'));
}
