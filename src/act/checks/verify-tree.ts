/** `runChecks`, `checkTree`: run checks, which are `sh -c` strings, one after the other in a prepared tree. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { strangersIn } from '../../platform/container/strangers-in.ts';
import type { HiddenHome } from '../../platform/container/hide-home.ts';
import { removeFolder } from '../../platform/file/remove-folder.ts';
import { rawToText } from '../../platform/git/raw-path.ts';
import { type CommandResult, type RunCommand, runCommand } from '../../platform/process/run-command.ts';
import { temporaryFolder } from '../../platform/storage-error.ts';
import { isConfiguration, isTest } from '../../core/judge/verification-files.ts';
import type { CheckBefore } from '../../core/judge/base-version.ts';
import type { CheckResult } from '../../core/vocabulary/work.ts';
import { type CheckTreeSpec, prepareCheckTree } from './prepare-check-tree.ts';
import { forgetReads, readFiles } from './read-files.ts';
import { brokenSeals, foldersOf, type Seal, sealFiles } from './tree-seal.ts';
import { changedUserSettings, lostUserSettings } from './user-settings.ts';
import { changedTools, type Tools, userTools } from './user-tools.ts';

export interface CheckOutcome extends CheckResult {
  /** The beginning and the end of the output, bounded; `outputHash` is of the whole output. */
  readonly output: string;
  readonly run: number;
  /** The files of the tree that it read; null: this machine could not tell. */
  readonly opened: ReadonlySet<string> | null;
}

/** A diagnosis needs the beginning and the end of a long log. */
const OUTPUT_LIMIT_BYTES = 256 * 1024;
/** How much the journal keeps for a person to read. */
const TAIL_CHARACTERS = 4_000;

/** Where a check rewrites more files than this, the first ones are enough to name it. */
const MAX_DISTURBED = 200;
/** Each costs a mount. */
const MAX_PINNED = 250;
/** No path has more folders. */
const DEEPEST = 4_096;
/** Python keeps compiled modules there, and runs none that lies beside a module: those are not compared. */
const COMPILED = 'compiled';
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
  /** How the checks ended before the work; empty: they run before it. */
  readonly before?: readonly CheckBefore[];
  /** Raw paths of the candidate's own files: each check must leave them unchanged, and it is observed which of them it reads. */
  readonly files?: readonly string[];
  /** The installed modules, which each check must leave unchanged. */
  readonly modules?: Seal;
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
  readonly signal?: AbortSignal | undefined;
}): Promise<CheckOutcome[]> {
  const outcomes: CheckOutcome[] = [];
  const { tools = await userTools(spec.env) } = spec;
  // A file that a check changed is not the candidate's for the checks after it.
  const changed = new Set<string>();
  for (const command of spec.commands) {
    for (let run = 1; run <= 1 + (spec.reruns ?? 0); run += 1) {
      const outcome = await runOnce({ ...spec, tools }, command, run, changed);
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
  changed: Set<string>,
): Promise<CheckOutcome> {
  const cwd = join(spec.path, spec.folder ?? '');
  mkdirSync(cwd, { recursive: true });
  // A new folder holds nothing that the agent or an earlier check left.
  const temporary = temporaryFolder('mayday-check-');
  const { signal } = spec;
  // Looked at again for each check: code under test can write them for the next one.
  const over = spec.hidden && changedUserSettings(spec.hidden.home, spec.hidden.inside.runId);
  const lost = spec.hidden ? lostUserSettings(spec.hidden.home, spec.hidden.inside.runId) : [];
  const pinned = pinnedFolders(spec, command);
  const hidden = spec.hidden && { ...spec.hidden, over: over ?? [], owns: [spec.path, temporary], pinned };
  const { files = [], modules = {} } = spec;
  const isObserved = await forgetReads(spec.path, files);
  // After the access times were set, which changes the time of change.
  const sealed = { ...modules, ...(await sealFiles(spec.path, files, signal)) };
  let result: CommandResult;
  try {
    result = await runToItsEnd({
      argv: ['sh', '-c', command],
      cwd,
      env: {
        ...spec.env,
        TMPDIR: temporary,
        TMP: temporary,
        TEMP: temporary,
        PYTHONPYCACHEPREFIX: join(temporary, COMPILED),
      },
      timeoutMs: spec.timeoutMs,
      outputLimitBytes: OUTPUT_LIMIT_BYTES,
      temporary,
      hidden,
      signal,
    });
  } finally {
    await removeFolder(temporary);
  }
  const opened = isObserved ? new Set((await readFiles(spec.path, files)).map(rawToText)) : null;
  for (const rawPath of await brokenSeals(spec.path, sealed, signal)) changed.add(rawToText(rawPath));
  const strangers = (await strangersIn([spec.path])).map(
    ({ pid, command: words }) => `process ${pid} (${words})`,
  );
  const tools = await changedTools(spec.tools, spec.env, spec.started);
  const before = [...(spec.foreign ?? []), ...lost.filter((path) => !spec.asked?.includes(path))];
  const during = tools.filter((path) => !before.includes(path));
  const disturbed = [...strangers, ...before, ...during, ...changed];
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
    opened,
  };
}

/**
 * The folders of the candidate that the check cannot rename, so that no other folder can stand in the place of one while it runs: of that
 * the seals of the files would know nothing. The check before the work shows what it replaces by habit.
 */
function pinnedFolders(
  { path, files = [], before = [] }: Pick<Parameters<typeof runChecks>[0], 'path' | 'files' | 'before'>,
  command: string,
): string[] {
  const habit = before.findLast((one) => one.command === command)?.disturbed;
  const paths = files.map(rawToText);
  const judging = new Set(paths.filter((file) => isTest(file) || isConfiguration(file)).flatMap(foldersOf));
  const folders = new Set(paths.flatMap(foldersOf));
  const rank = (folder: string) => (judging.has(folder) ? 0 : DEEPEST) + folder.split('/').length;
  return before.length === 0
    ? []
    : [...folders]
        .filter((folder) => !habit?.some((file) => file.startsWith(folder)))
        .sort((one, other) => rank(one) - rank(other))
        .slice(0, MAX_PINNED)
        .map((folder) => join(path, folder))
        .filter((folder) => existsSync(folder));
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

export interface TreeSpec
  extends CheckTreeSpec,
    Pick<Parameters<typeof runChecks>[0], 'variant' | 'asBefore'> {
  readonly commands: readonly string[];
  readonly folder?: string;
  readonly before?: readonly CheckBefore[];
  readonly timeoutMs: number;
  readonly reruns?: number;
}

/** Once more where a program of the person changed meanwhile, as updates do: the new look compares with the start of the run. */
export async function checkTree(spec: TreeSpec): Promise<CheckOutcome[]> {
  const habits = new Set(spec.before?.flatMap(({ disturbed = [] }) => disturbed));
  const check = async () => await runChecks({ ...spec, ...(await prepareCheckTree(spec)) });
  const outcomes = await check();
  const changed = outcomes.flatMap(({ outside }) => outside?.during ?? []);
  return changed.some((path) => !habits.has(path)) ? await check() : outcomes;
}
