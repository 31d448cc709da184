/** `runChecks`, `verifyTree`: run checks, which are `sh -c` strings, one after the other in a prepared tree. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { strangersIn } from '../../platform/container/strangers-in.ts';
import type { HiddenHome } from '../../platform/container/hide-home.ts';
import { removeFolder } from '../../platform/file/remove-folder.ts';
import { rawToText } from '../../platform/git/raw-path.ts';
import { type CommandResult, type RunCommand, runCommand } from '../../platform/process/run-command.ts';
import { ReadyCommand } from '../../platform/process/ready-command.ts';
import { temporaryFolder } from '../../platform/storage-error.ts';
import { decidingCommands } from '../../core/judge/check-line.ts';
import type { CheckResult } from '../../core/vocabulary/work.ts';
import { checkVariants, type VariantSpec } from './check-variants.ts';
import { type CheckTreeSpec, prepareCheckTree } from './prepare-check-tree.ts';
import { brokenSeals, type Seal } from './tree-seal.ts';
import { changedUserSettings, lostUserSettings } from './user-settings.ts';
import { changedTools, type Tools, userTools } from './user-tools.ts';

export interface CheckOutcome extends CheckResult {
  /** The beginning and the end of the output, bounded; `outputHash` is of the whole output. */
  readonly output: string;
  readonly run: number;
}

/** A diagnosis needs the beginning and the end of a long log. */
const OUTPUT_LIMIT_BYTES = 256 * 1024;
/** How much the journal keeps for a person to read. */
const TAIL_CHARACTERS = 4_000;

/** How many of the files with the content of the base a result names: work that changed more tests is judged by a person anyway. */
const MAX_NAMED = 20;
/** Where a check rewrites more files than this, the first ones are enough to name it. */
const MAX_DISTURBED = 200;
/** How often a check is run again after its attendant died. If it dies a third time, the check kills it, or memory is short. */
const MAX_LOST = 2;

export async function runChecks(spec: {
  readonly commands: readonly string[];
  readonly path: string;
  /** The folder below `path` in which the commands start. */
  readonly folder?: string;
  readonly tree: string;
  readonly variant: CheckOutcome['variant'];
  readonly asBefore?: readonly string[];
  /** The files that each check must leave unchanged. */
  readonly sealed?: Seal;
  /** The person's modules that changed before the first check. */
  readonly foreign?: readonly string[];
  /** The person's programs before the first check; default: as they are now. */
  readonly tools?: Tools;
  /** The files of `disturbed` that a person was asked about. */
  readonly asked?: readonly string[] | undefined;
  readonly started?: ReadonlySet<string>;
  /** From `checkEnvironment`: no folder that an agent can write to is on the PATH. */
  readonly env: Readonly<Record<string, string>>;
  readonly hidden?: HiddenHome | undefined;
  readonly timeoutMs: number;
  /** How often a failing check is run again. This tells flaky from broken and never makes a failed check pass. */
  readonly reruns?: number;
  readonly ready?: ReadyCommand;
  readonly signal?: AbortSignal | undefined;
}): Promise<CheckOutcome[]> {
  const outcomes: CheckOutcome[] = [];
  const { tools = await userTools(spec.env) } = spec;
  for (const command of spec.commands) {
    for (let run = 1; run <= 1 + (spec.reruns ?? 0); run += 1) {
      const outcome = await runOnce({ ...spec, tools }, command, run);
      outcomes.push(outcome);
      if (run === 1 && outcome.passed) break;
    }
  }
  return outcomes;
}

async function runOnce(
  spec: Omit<Parameters<typeof runChecks>[0], 'commands'> & { readonly tools: Tools },
  command: string,
  run: number,
): Promise<CheckOutcome> {
  const cwd = join(spec.path, spec.folder ?? '');
  mkdirSync(cwd, { recursive: true });
  // A new folder holds nothing that the agent or an earlier check left.
  const temporary = temporaryFolder('mayday-check-');
  const { signal } = spec;
  // Looked at again for each check: code under test can write them for the next one.
  const over = spec.hidden && changedUserSettings(spec.hidden.home, spec.hidden.inside.runId);
  const lost = spec.hidden ? lostUserSettings(spec.hidden.home, spec.hidden.inside.runId) : [];
  const hidden = spec.hidden && { ...spec.hidden, over: over ?? [], owns: [spec.path, temporary] };
  let result: CommandResult;
  try {
    result = await runToItsEnd({
      argv: ['sh', '-c', command],
      cwd,
      env: { ...spec.env, TMPDIR: temporary, TMP: temporary, TEMP: temporary },
      timeoutMs: spec.timeoutMs,
      outputLimitBytes: OUTPUT_LIMIT_BYTES,
      temporary,
      hidden,
      ready: spec.ready,
      signal,
    });
  } finally {
    await removeFolder(temporary);
  }
  const broken = spec.sealed === undefined ? [] : await brokenSeals(spec.path, spec.sealed, signal);
  const strangers = (await strangersIn([spec.path])).map(
    ({ pid, command: words }) => `process ${pid} (${words})`,
  );
  const tools = await changedTools(spec.tools, spec.env, spec.started);
  const before = [...(spec.foreign ?? []), ...lost.filter((path) => !spec.asked?.includes(path))];
  const during = tools.filter((path) => !before.includes(path));
  const disturbed = [...strangers, ...before, ...during, ...broken.map(rawToText)];
  return {
    command,
    exitCode: result.exitCode,
    passed: result.exitCode === 0 && !result.timedOut,
    timedOut: result.timedOut,
    durationMs: result.durationMs,
    outputHash: result.outputHash,
    output: result.output,
    outputTail: result.output.slice(-TAIL_CHARACTERS),
    tree: spec.tree,
    variant: spec.variant,
    ...(spec.asBefore === undefined ? {} : { asBefore: spec.asBefore }),
    ...(disturbed.length === 0 ? {} : { disturbed: named(disturbed) }),
    ...(before.length + during.length === 0
      ? {}
      : { outside: { before: named(before), during: named(during) } }),
    run,
  };
}

function named(paths: readonly string[]): readonly string[] {
  return paths.slice(0, MAX_DISTURBED);
}

/** A check whose attendant was killed says nothing about the work: it is run again. */
async function runToItsEnd(command: RunCommand): Promise<CommandResult> {
  for (let left = MAX_LOST; ; left -= 1) {
    const result = await runCommand(command);
    if (!result.isLost || left === 0) return result;
  }
}

export interface VerifySpec
  extends CheckTreeSpec,
    Pick<VariantSpec, 'commands' | 'folder' | 'ownedPaths' | 'before'> {
  readonly timeoutMs: number;
  readonly reruns?: number;
}

/** Runs every check in every variant of the candidate; the core compares the outcomes. */
export async function verifyTree(spec: VerifySpec): Promise<CheckOutcome[]> {
  const outcomes: CheckOutcome[] = [];
  const named = spec.commands.flatMap(decidingCommands).map(({ program }) => program);
  for (const variant of await checkVariants(spec)) {
    const started = new Set([...named, ...(variant.tools ?? [])]);
    const { name, commands, tree } = variant;
    const asBefore = name === 'base' ? { asBefore: variant.replaced.slice(0, MAX_NAMED) } : {};
    outcomes.push(...(await checkTree({ ...spec, tree, commands, started, variant: name, ...asBefore })));
  }
  return outcomes;
}

type TreeSpec = VerifySpec & Pick<Parameters<typeof runChecks>[0], 'variant' | 'asBefore'>;

/** Once more where a program of the person changed meanwhile, as updates do: the new look compares with the start of the run. */
export async function checkTree(spec: TreeSpec): Promise<CheckOutcome[]> {
  const habits = new Set(spec.before?.flatMap(({ disturbed = [] }) => disturbed));
  const check = async () => {
    const ready = await ReadyCommand.make(spec.hidden?.home);
    try {
      return await runChecks({ ...spec, ...(await prepareCheckTree(spec)), ready });
    } finally {
      await ready.drop();
    }
  };
  const outcomes = await check();
  const changed = outcomes.flatMap(({ outside }) => outside?.during ?? []);
  return changed.some((path) => !habits.has(path)) ? await check() : outcomes;
}
