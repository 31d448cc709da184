/**
 * `treatmentOf`: what a check with the judges of the base does with a path that the work changed. Files that judge are as in the base,
 * and nothing may shadow a tool. The rest is as the work left it. `judgedCommands`: what is known of each command.
 */
import { namesForSure, namesPath, spellsPath } from './names-path.ts';
import { hasSections, mixerFor } from './mix-versions.ts';
import {
  isConfiguration,
  isLauncherSetting,
  isPlanted,
  isToolSetting,
  isTest,
  isTestProgram,
  nameOf,
} from './verification-files.ts';

export interface CheckBefore {
  readonly command: string;
  readonly passed: boolean;
  readonly tests?: { readonly total: number } | null | undefined;
  readonly disturbed?: readonly string[];
  /** As `packPaths` made them; absent: it was not observed. */
  readonly read?: readonly string[];
}

/** What is known about the work when its checks ran once. */
export interface JudgedFiles {
  readonly created: readonly string[];
  readonly basePaths: readonly string[];
  /** The files that the checks read on the base, and on the candidate; null: not observed. */
  readonly readBefore: ReadonlySet<string> | null;
  readonly readNow: ReadonlySet<string> | null;
  /** The changed files that judge because of a check line, or because a judge loads them. */
  readonly judges: ReadonlySet<string>;
  /** The new modules that would be loaded in place of installed ones. */
  readonly shadowing: ReadonlySet<string>;
}

export interface JudgedCommand {
  readonly command: string;
  /** The base has a judge for it: tests that the checks read, or it passed before the work. */
  readonly hasJudge: boolean;
  /** It names tests that the work created: it cannot run without them. */
  readonly namesNew: boolean;
  /** It names no others: nothing of the base judges. */
  readonly onlyNew: boolean;
}

/** `mixed`: the candidate's file with the judging parts of the base. */
export type Treatment = 'as_base' | 'mixed' | 'as_candidate';

export function judgedCommands(
  commands: readonly string[],
  judged: JudgedFiles,
  before: readonly CheckBefore[],
): JudgedCommand[] {
  const { created, basePaths, readBefore, readNow } = judged;
  const isRead = (path: string) =>
    readBefore === null || readNow === null || readBefore.has(path) || readNow.has(path);
  const oldTests = basePaths.filter(isTestProgram);
  const hasTests = oldTests.some(isRead);
  const newTests = created.filter(isTest);
  return commands.map((command) => {
    const names = (path: string) =>
      spellsPath(command, path) ||
      (isTestProgram(path) && namesForSure(command, path)) ||
      isInNamed(command, path, basePaths);
    const namesNew = newTests.some(names);
    const ranBefore = before.some(
      (run) => run.command === command && (run.passed || (run.tests?.total ?? 0) > 0),
    );
    const onlyNew = namesNew && !oldTests.some((path) => names(path) || (readNow?.has(path) ?? true));
    return { command, hasJudge: !onlyNew && (ranBefore || hasTests), namesNew, onlyNew };
  });
}

/** The line names a folder of new files: `go test ./pkg/...`. */
function isInNamed(command: string, path: string, basePaths: readonly string[]): boolean {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const isNew = folder !== '' && !basePaths.some((other) => other.startsWith(`${folder}/`));
  return isNew && spellsPath(command, folder);
}

export function treatmentOf(
  { hasJudge, namesNew, onlyNew, command: line }: JudgedCommand,
  judged: JudgedFiles,
  path: string,
): Treatment {
  if (isPlanted(path) || judged.judges.has(path) || judged.shadowing.has(path)) return 'as_base';
  const isNew = judged.created.includes(path);
  if (isNew && (spellsPath(line, path) || namesForSure(line, path))) return 'as_candidate';
  if (isNew && isLauncherSetting(path)) return 'as_base';
  if (onlyNew) return 'as_candidate';
  if (isTest(path)) return isNew ? leftOut(path, hasJudge && !namesNew) : 'as_base';
  // What the check line looks at, and does not load by an option, is the work.
  if (namesPath(line, path) && !isOption(line, path)) return 'as_candidate';
  if (!isNew) return mixerFor(path) !== null ? 'mixed' : isToolSetting(path) ? 'as_base' : 'as_candidate';
  if (!(hasJudge || replacesOld(judged)) || nameOf(path) === 'package.json') return 'as_candidate';
  if (hasSections(path)) return 'mixed';
  return isConfiguration(path) && judged.readNow?.has(path) !== false ? 'as_base' : 'as_candidate';
}

/** A setting that the checks read on the base is no longer read: a new one took its place. */
function replacesOld({ readBefore, readNow }: JudgedFiles): boolean {
  if (readBefore === null || readNow === null) return false;
  return [...readBefore].some((path) => isConfiguration(path) && !readNow.has(path));
}

/**
 * New tests already ran in the candidate, and beside the judges of the base they would lack what the work created with them (a fixture, a
 * setting). They are left out where the base has tests of its own to run.
 */
function leftOut(path: string, hasOthers: boolean): Treatment {
  return isTestProgram(path) && hasOthers ? 'as_base' : 'as_candidate';
}

function isOption(line: string, path: string): boolean {
  return line
    .split(/\s+/)
    .some((word, at, words) => namesPath(word, path) && (words[at - 1] ?? word).startsWith('-'));
}
