/** `mayday run`: runs one task under supervision until it is delivered, waits or is abandoned. `mayday submit` queues it. */
import { resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { runJson } from '../../core/view/run-json.ts';
import type { RehearsalScript } from '../../agents/rehearsal/script.ts';
import { usageError } from '../../platform/mayday-error.ts';
import { parseDuration } from '../../supervise/request/duration.ts';
import { type GivenEnvironment, givenEnvironment } from '../../supervise/request/given-environment.ts';
import { maydayHome } from '../../supervise/home.ts';
import type { Limit } from '../../supervise/request/run-budget.ts';
import type { TaskFile } from '../../supervise/request/task-file.ts';
import { type Caller, userName } from '../../use-cases/caller.ts';
import { type NewRun, type PlanNotes, planRun } from '../../use-cases/start/plan-run.ts';
import type { StartResult } from '../../use-cases/start/start-run.ts';
import { canChoose } from '../choose-at-terminal.ts';
import type { Invocation } from '../command.ts';
import { converse } from '../conversation.ts';
import { labelsOf, listOf, numberOf, textOf, wholeNumberOf } from '../option-values.ts';
import { print } from '../print.ts';
import { openCaller, ringBell } from '../with-record.ts';
import { type Out, writeText } from '../write-text.ts';

export function run(invocation: Invocation): Promise<number> {
  return withNewRun(invocation, false, (caller, started) => tellStarted(invocation, caller, started));
}

export function submit(invocation: Invocation): Promise<number> {
  return withNewRun(invocation, true, async (_caller, { runId, state }) =>
    print(invocation, runJson(state), `mayday  run ${runId} is queued; mayday work takes it\n`),
  );
}

async function tellStarted(
  invocation: Invocation,
  caller: Caller,
  { runId, state }: StartResult,
): Promise<number> {
  const next = `mayday watch ${runId}      mayday stop ${runId}      mayday inbox tells what needs you`;
  const started = `mayday  run ${runId} started\n        ${next}\n`;
  if (invocation.options['detach'] === true) return print(invocation, runJson(state), started);
  const maxWaitMs = duration(invocation, 'max-wait');
  const { followToEnd } = await import('../follow-to-end.ts');
  return await followToEnd(invocation, caller, { runId, maxWaitMs });
}

/** A shorter look needs no words. */
const SLOW_MS = 3_000;
const LOOKING = 'mayday: looking at the repository and its changes; a large one takes a while\n';

/** Plans and creates a run. The record is opened only after the plan succeeded. */
async function withNewRun(
  invocation: Invocation,
  queued: boolean,
  use: (caller: Caller, started: StartResult) => Promise<number>,
): Promise<number> {
  const { env } = invocation;
  const planner = { home: maydayHome(env), env, by: userName(env) };
  const wish = { ...(await wishOf(invocation)), queued };
  if (invocation.args.length > 1)
    writeText(
      invocation.stderr,
      `mayday: the task is ${JSON.stringify(wish.task)}: several words were joined\n`,
    );
  const slow = setTimeout(() => writeText(invocation.stderr, LOOKING), SLOW_MS);
  const planned = planRun(planner, wish).finally(() => clearTimeout(slow));
  // Loads while git looks at the checkout: not before its first answers were read, and it was asked.
  const starting = nextTurn().then(async () => await import('../../use-cases/start/start-run.ts'));
  const [first, { startRun }] = await Promise.all([planned, starting]);
  const trust = await askForSetup(first.notes, invocation);
  const plan = trust ? await planRun(planner, { ...wish, trust }) : first;
  tellNotes({ ...plan.notes, warnings: await unheard(planner.home, plan.notes) }, invocation.stderr);
  if (plan.folder !== null && plan.wish.inPlace !== true) await askInPlace(plan.folder, invocation);
  const caller = await openCaller(env);
  const silence = await ringBell(caller.home, caller.record, invocation.stderr);
  try {
    return await use(caller, await startRun(caller, plan));
  } finally {
    await silence();
    await caller.record.close();
  }
}

/** Without a terminal the run goes on without it, and says so. Enter is the safe answer. */
async function askForSetup({ setupAtHand }: PlanNotes, invocation: Invocation): Promise<boolean> {
  if (setupAtHand === null || !canChoose(invocation)) return false;
  const { stream } = invocation.stdout;
  writeText(
    invocation.stdout,
    `This repository suggests a set-up for fresh workspaces, which runs what it brings: ${setupAtHand}\n`,
  );
  const reply = await converse(stream, (ask) => ask('Run it, here and from now on? (y: yes, Enter: no)  '));
  return /^y(?:es)?$/i.test(reply.trim());
}

/** A folder without git has no branch to lie on: the person hears before that it is edited in place. */
async function askInPlace(folder: string, invocation: Invocation): Promise<void> {
  const { stdout, stderr } = invocation;
  const what = `${folder} is no git repository: the agent edits it in place, and checkpoints keep each state`;
  if (!canChoose(invocation)) {
    writeText(stderr, `mayday: ${what} (--in-place says that you know)\n`);
    return;
  }
  writeText(stdout, `${what}.\n`);
  const reply = await converse(stdout.stream, (ask) => ask('Go on? (Enter: yes, n: no)  '));
  if (!/^(?:|y|yes)$/i.test(reply.trim()))
    throw usageError('NOT_IN_PLACE', 'nothing was started: you want no edits in place', [
      ['do', 'git init && git add -A && git commit -m "start", then the same command again'],
    ]);
}

async function wishOf(invocation: Invocation): Promise<NewRun> {
  const { cwd, options, args, rest } = invocation;
  const limit = (name: string): Limit =>
    options[name] === 'none' ? 'none' : (numberOf(invocation, name) ?? null);
  const scriptFile = textOf(invocation, 'script');
  const file = textOf(invocation, 'task-file');
  const given = file === undefined ? null : await taskIn(resolve(cwd, file));
  const checks = listOf(invocation, 'check');
  const scope = listOf(invocation, 'scope');
  return {
    task: [args.join(' '), given?.text ?? ''].filter((part) => part.trim() !== '').join('\n\n'),
    taskGiven: args.length > 0 || given !== null,
    cwd,
    name: textOf(invocation, 'name'),
    agent: textOf(invocation, 'agent'),
    command: rest,
    script: scriptFile === undefined ? null : await scriptIn(resolve(cwd, scriptFile)),
    checks: checks.length > 0 ? checks : (given?.checks ?? []),
    scope: scope.length > 0 ? scope : (given?.scope ?? []),
    scopeAt: scope.length > 0 ? undefined : given?.scopeAt,
    decisions: given?.decisions,
    expectedMs: duration(invocation, 'expect') ?? given?.expectedMs ?? null,
    size: textOf(invocation, 'size') ?? given?.size,
    budgetUsd: limit('budget-usd') ?? given?.budget.usd,
    budgetTokens: limit('budget-tokens') ?? given?.budget.tokens,
    maxTurns: limit('max-turns') ?? given?.budget.turns,
    budgetTimeMs:
      options['budget-time'] === 'none'
        ? 'none'
        : (duration(invocation, 'budget-time') ?? given?.budget.timeMs),
    timeoutMs: duration(invocation, 'timeout'),
    setup: textOf(invocation, 'setup'),
    sink: textOf(invocation, 'sink') ?? given?.sink,
    saidIn: { place: 'the task file', names: IN_FILES.filter((name) => options[name] === undefined) },
    explore: options['explore'] === true,
    inPlace: options['in-place'] === true,
    asUser: textOf(invocation, 'as-user'),
    includeDirty: options['include-dirty'] === true,
    opinion: textOf(invocation, 'opinion'),
    autoResume: yesOrNo(textOf(invocation, 'auto-resume') ?? 'yes'),
    fallbacks: listOf(invocation, 'fallback'),
    given: givenVariables(invocation),
    trust: options['trust'] === true,
    labels: labelsOf(invocation),
    priority: wholeNumberOf(invocation, 'priority', { min: 0 }) ?? 0,
  };
}

/** A run without warnings loads nothing to read those that were told. */
async function unheard(home: string, { warnings }: PlanNotes): Promise<PlanNotes['warnings']> {
  if (warnings.length === 0) return warnings;
  const { unheardWarnings } = await import('../../use-cases/start/unheard-warnings.ts');
  return await unheardWarnings(home, warnings);
}

/** A run without such files loads nothing to read them. */
async function taskIn(path: string): Promise<TaskFile> {
  const { readTaskFile } = await import('../../supervise/request/task-file.ts');
  return readTaskFile(path);
}

async function scriptIn(path: string): Promise<RehearsalScript> {
  const { readRehearsalScript } = await import('../../supervise/request/read-rehearsal-script.ts');
  return readRehearsalScript(path);
}

/** A task file may say them in place of an option. */
const IN_FILES = ['check', 'scope', 'sink'] as const;

function givenVariables(invocation: Invocation): GivenEnvironment {
  const files = listOf(invocation, 'env-file').map((file) => resolve(invocation.cwd, file));
  return givenEnvironment({ files, variables: listOf(invocation, 'env') });
}

function tellNotes({ withheld, warnings, checkAtHand }: PlanNotes, stderr: Out): void {
  for (const { message, advice } of warnings)
    writeText(stderr, `mayday: ${message}\n  do          ${advice}\n`);
  if (checkAtHand !== null)
    writeText(
      stderr,
      [
        'mayday: no check given, so the result cannot be proven; this project has one: ',
        `--check ${JSON.stringify(checkAtHand)}   or   mayday init\n`,
      ].join(''),
    );
  if (withheld.length === 0) return;
  const more = withheld.length > SHOWN_NAMES ? ` and ${withheld.length - SHOWN_NAMES} more` : '';
  writeText(
    stderr,
    `mayday: set here and not passed to the agent: ${withheld.slice(0, SHOWN_NAMES).join(', ')}${more}; --env NAME passes one\n`,
  );
}

/** One warning line: an agent without its key would fail late and with misleading output. */
const SHOWN_NAMES = 6;

function duration(invocation: Invocation, name: string): number | null {
  const value = textOf(invocation, name);
  return value === undefined ? null : parseDuration(value, `--${name}`);
}

function yesOrNo(value: string): boolean {
  if (value === 'yes' || value === 'no') return value === 'yes';
  throw usageError('WRONG_OPTION', `--auto-resume is yes or no, not ${JSON.stringify(value)}`, [
    ['do', `mayday run --help`],
  ]);
}
