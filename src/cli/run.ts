/** `mayday run`: one task under supervision until delivered, waiting for a person, or abandoned. */
import { resolve } from 'node:path';
import { likelyNeeded } from '../agents/credentials.ts';
import { findAdapter } from '../agents/registry.ts';
import type { RehearsalScript } from '../agents/rehearsal/script.ts';
import { secretsOf, writeRunEnvironment } from '../act/run-environment.ts';
import { preflight } from '../act/start-attempt.ts';
import { detectProject } from '../act/workspace/detect-project.ts';
import { assertHomeOutside } from '../act/workspace/home-outside.ts';
import { inspectRepository } from '../act/workspace/inspect-repository.ts';
import { type AgentChoice, adapterName } from '../core/event.ts';
import { runJson } from '../core/view/run-json.ts';
import { usageError } from '../platform/mayday-error.ts';
import { agentEnvironment } from '../platform/environment.ts';
import { assertStartable } from '../platform/startable.ts';
import type { RunRecord } from '../record/contract.ts';
import { createRedactor } from '../record/redact.ts';
import type { RunJournal } from '../supervise/run-journal.ts';
import { assertPersonHere } from '../supervise/assert-person.ts';
import { loadRunConfig } from '../supervise/config-trust.ts';
import { claimFolder } from '../supervise/claim-folder.ts';
import { createRun, newRunId } from '../supervise/create-run.ts';
import { parseDuration } from '../supervise/duration.ts';
import {
  assertSet,
  type GivenEnvironment,
  givenEnvironment,
  valuesOf,
} from '../supervise/given-environment.ts';
import { maydayHome } from '../supervise/home.ts';
import { armFault, openRecord } from '../supervise/open-record.ts';
import type { Limit } from '../supervise/run-budget.ts';
import { type RunCreated, runSpec } from '../supervise/run-spec.ts';
import { readTaskFile } from '../supervise/task-file.ts';
import { startKeeper } from '../supervise/start-keeper.ts';
import {
  readRehearsalScript,
  rehearsalScriptPath,
  storeRehearsalScript,
} from '../supervise/write-rehearsal-script.ts';
import type { Invocation } from './command.ts';
import { userName } from '../use-cases/caller.ts';
import { followToEnd } from './follow-to-end.ts';

export function run(invocation: Invocation): Promise<number> {
  return withNewRun(invocation, async (home, record, journal) => {
    const { env, json, stdout } = invocation;
    const { runId } = journal.state;
    // From here on the run belongs to its keeper; this process only looks.
    await record.releaseLease(runId, journal.fence);
    startKeeper(home, runId, env);
    if (invocation.options['detach'] === true) {
      stdout.write(
        json
          ? `${JSON.stringify(runJson(journal.state))}\n`
          : `mayday  run ${runId} started; mayday watch ${runId}, mayday show ${runId}\n`,
      );
      return 0;
    }
    const maxWaitMs = maybe(invocation, 'max-wait', parseDuration);
    return await followToEnd(invocation, { home, record }, { runId, seq: 0 }, maxWaitMs);
  });
}

/** Also `submit` makes a run like this. Everything doubtful is refused before the first byte is written. */
export async function withNewRun(
  invocation: Invocation,
  use: (home: string, record: RunRecord, journal: RunJournal) => Promise<number>,
  { queued = false }: { readonly queued?: boolean } = {},
): Promise<number> {
  const { env } = invocation;
  const home = maydayHome(env);
  const name = newRunId();
  armFault(env, 'command');
  if (invocation.options['trust'] === true) await assertPersonHere(home, env, '`--trust`');
  const given = givenVariables(invocation);
  // A worker takes a queued run: the value of a name is looked up there.
  if (!queued) assertSet(given, env);
  const planned = await plan(invocation, home, name, given.names);
  tellWithheld(planned.fact, given, invocation);
  const record = await openRecord(home, env);
  try {
    const create = async (runId: string): Promise<RunCreated> => {
      const { fact, script, folder } =
        runId === name ? planned : await plan(invocation, home, runId, given.names);
      if (folder !== null) await claimFolder(home, record, folder, runId);
      if (script !== null) storeRehearsalScript(home, runId, script);
      return queued ? { ...fact, options: { ...fact.options, queued } } : fact;
    };
    const values = secretsOf({ ...valuesOf(given.names, env), ...given.values });
    const journal = await createRun(record, createRedactor({ environment: env, values }), create, name);
    await writeRunEnvironment(home, journal.state.runId, given.values);
    return await use(home, record, journal);
  } finally {
    await record.close();
  }
}

interface Planned {
  readonly fact: RunCreated;
  /** To be stored with the run. */
  readonly script: RehearsalScript | null;
  /** Worked in by nobody else meanwhile; null for a worktree. */
  readonly folder: string | null;
}

async function plan(
  invocation: Invocation,
  home: string,
  runId: string,
  environment: readonly string[],
): Promise<Planned> {
  const { env, cwd, options, args, rest } = invocation;
  const repository = await inspectRepository(cwd, { home, env });
  const inPlace = options['in-place'] === true;
  const includeDirty = options['include-dirty'] === true;
  await assertHomeOutside(repository, { home, env, savesAll: inPlace || includeDirty });
  const config = await loadRunConfig({ home, repository: repository.root, trust: options['trust'] === true });
  const limit = (name: string, parse: (value: string, what: string) => number): Limit =>
    options[name] === 'none' ? 'none' : maybe(invocation, name, parse);
  const scriptFile = text(options['script']);
  const script = scriptFile === undefined ? null : readRehearsalScript(resolve(cwd, scriptFile));
  const file = text(options['task-file']);
  const given = file === undefined ? null : readTaskFile(resolve(cwd, file));
  const checks = list(options['check']);
  const scope = list(options['scope']);
  const fact = await runSpec({
    runId,
    task: [args.join(' '), given?.text ?? ''].filter((part) => part.trim() !== '').join('\n\n'),
    taskGiven: args.length > 0 || given !== null,
    repository: repository.root,
    cwd,
    config,
    agent: text(options['agent']),
    command: rest,
    script: script === null ? null : rehearsalScriptPath(home, runId),
    checks: checks.length > 0 ? checks : (given?.checks ?? []),
    scope: scope.length > 0 ? scope : (given?.scope ?? []),
    scopeAt: scope.length > 0 ? undefined : given?.scopeAt,
    ...(given === null ? {} : { decisions: given.decisions }),
    expectedMs: maybe(invocation, 'expect', parseDuration) ?? given?.expectedMs ?? null,
    size: text(options['size']) ?? given?.size,
    budgetUsd: limit('budget-usd', toNumber) ?? given?.budget.usd ?? null,
    budgetTokens: limit('budget-tokens', toNumber) ?? given?.budget.tokens ?? null,
    maxTurns: limit('max-turns', toNumber) ?? given?.budget.turns ?? null,
    budgetTimeMs: limit('budget-time', parseDuration) ?? given?.budget.timeMs ?? null,
    timeoutMs: maybe(invocation, 'timeout', parseDuration),
    sink: text(options['sink']) ?? given?.sink,
    sinkInFile: text(options['sink']) === undefined,
    explore: options['explore'] === true,
    isGit: repository.kind === 'git',
    folder: repository.prefix,
    inPlace,
    includeDirty,
    autoResume: yesOrNo(text(options['auto-resume']) ?? 'yes'),
    fallbacks: list(options['fallback']),
    environment,
    policy: {},
    by: userName(env),
    now: Date.now(),
  });
  for (const agent of [fact.agent, ...fact.options.fallbacks]) await assertAgentReady(agent, invocation);
  if (fact.task.checks.length === 0) await proposeCheck(repository.root, invocation.stderr);
  const isWorktree = repository.kind === 'git' && !inPlace;
  return { fact, script, folder: isWorktree ? null : repository.root };
}

function givenVariables({ options, cwd }: Invocation): GivenEnvironment {
  const files = list(options['env-file']).map((file) => resolve(cwd, file));
  return givenEnvironment({ files, variables: list(options['env']) });
}

/** One line: an agent that misses its key fails late, and with the wrong advice. */
function tellWithheld(
  { agent, options }: RunCreated,
  given: GivenEnvironment,
  { env, stderr }: Invocation,
): void {
  const missed = [agent, ...options.fallbacks]
    .filter((one) => adapterName(one) === 'command')
    .flatMap((one) => likelyNeeded(env, one, [...options.environment, ...(one.env ?? []), ...given.names]));
  const names = [...new Set(missed)];
  if (names.length === 0) return;
  const more = names.length > SHOWN_NAMES ? ` and ${names.length - SHOWN_NAMES} more` : '';
  stderr.write(
    `mayday: set here and not passed to the agent: ${names.slice(0, SHOWN_NAMES).join(', ')}${more}; --env NAME passes one\n`,
  );
}

const SHOWN_NAMES = 6;

/** Without a check nothing can be proven; where the project shows one, say which. */
async function proposeCheck(root: string, stderr: NodeJS.WritableStream): Promise<void> {
  const [check] = (await detectProject(root)).checks;
  if (check !== undefined)
    stderr.write(
      `mayday: no check given, so the result cannot be proven; this project has one: --check ${JSON.stringify(check)}   or   mayday init\n`,
    );
}

/** What would only show as a puzzling failure later is said before anything is written. */
async function assertAgentReady(agent: AgentChoice, { env, cwd, stderr }: Invocation): Promise<void> {
  if (adapterName(agent) === 'command')
    return assertStartable({ argv: agent.command, cwd, env: agentEnvironment(env, {}), stdinFile: null });
  const adapter = findAdapter(adapterName(agent));
  if (adapter === null) return;
  const { warnings } = await preflight(adapter, agent.command, env, new AbortController().signal);
  for (const { message, advice } of warnings) stderr.write(`mayday: ${message}\n  do          ${advice}\n`);
}

function text(value: Invocation['options'][string]): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function list(value: Invocation['options'][string]): readonly string[] {
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

function maybe<T>(
  { options }: Invocation,
  name: string,
  parse: (value: string, what: string) => T,
): T | null {
  const value = options[name];
  return typeof value === 'string' ? parse(value, `--${name}`) : null;
}

function toNumber(value: string, what: string): number {
  const parsed = Number(value);
  if (value.trim() === '' || !Number.isFinite(parsed))
    throw usageError('WRONG_NUMBER', `${what} ${JSON.stringify(value.slice(0, 40))} is not a number`, [
      ['do', 'write it like 5 or 2.50'],
    ]);
  return parsed;
}

function yesOrNo(value: string): boolean {
  if (value === 'yes' || value === 'no') return value === 'yes';
  throw usageError('WRONG_OPTION', `--auto-resume is yes or no, not ${JSON.stringify(value)}`, [
    ['do', `mayday run --help`],
  ]);
}
