/**
 * `treatmentOfOld`, `treatmentOfNew`: what a check with the judge of the base does with a path that the work changed. What judges is as
 * in the base there (tests, scripts, tool configuration, what the check line runs, nothing that shadows a tool); the rest is the work's.
 */
import { rivals } from './judging-parts.ts';
import type { NamedFiles } from './judging-programs.ts';
import { type NamedTests, namedTests } from './named-tests.ts';
import {
  isLauncherConfiguration,
  isPlanted,
  isTestConfiguration,
  isTestProgram,
  isToolConfiguration,
  isVerificationFile,
  languageOf,
} from './verification-files.ts';

export interface CheckBefore {
  readonly command: string;
  readonly passed: boolean;
  readonly tests?: { readonly total: number } | null | undefined;
}

/** Commands that the same judge belongs to. */
interface CommandGroup {
  readonly commands: readonly string[];
  readonly tests: NamedTests;
  /** The commands passed before the work, or ran tests: the base can judge alone. */
  readonly ranBefore: boolean;
}

export interface BaseJudge extends Omit<CommandGroup, 'commands'> {
  readonly basePaths: readonly string[];
  readonly named: NamedFiles;
}

/** `mixed`: the candidate's file with the judging parts of the base. */
export type Treatment = 'as_base' | 'mixed' | 'as_candidate';

export function groupCommands(
  commands: readonly string[],
  folder: string,
  created: readonly string[],
  basePaths: readonly string[],
  before: readonly CheckBefore[],
): CommandGroup[] {
  const judged = commands.map((command) => ({
    command,
    tests: namedTests(command, folder, created, basePaths),
    ranBefore: before.some((run) => run.command === command && (run.passed || (run.tests?.total ?? 0) > 0)),
  }));
  const groups = Map.groupBy(judged, ({ tests, ranBefore }) => JSON.stringify([tests, ranBefore]));
  return [...groups.values()].flatMap((alike) =>
    alike.slice(0, 1).map(({ tests, ranBefore }) => ({
      commands: alike.map(({ command }) => command),
      tests,
      ranBefore,
    })),
  );
}

/** What the work edited or deleted although it judges. */
export function treatmentOfOld({ named, tests }: BaseJudge, path: string): Treatment {
  if (isPlanted(path) || named.programs.has(path)) return 'as_base';
  if (tests.only) return 'as_candidate';
  if (isVerificationFile(path)) return 'as_base';
  if (named.subjects.has(path)) return 'as_candidate';
  return isToolConfiguration(path) ? 'as_base' : 'mixed';
}

/** What the work brought along although nobody asked it to judge. `shadows`: it would answer in the name of an installed module. */
export function treatmentOfNew(judge: BaseJudge, path: string, shadows: boolean): Treatment {
  if (isPlanted(path)) return 'as_base';
  // What the check line looks at is for the work to bring.
  if (judge.named.subjects.has(path)) return 'as_candidate';
  if (shadows || rivals(path).some((other) => judge.basePaths.includes(other))) return 'as_base';
  const bends = hasJudge(judge, path);
  if (hasSections(path)) return bends ? 'mixed' : 'as_candidate';
  if (!isTestConfiguration(path) && isLauncherConfiguration(path)) return 'as_base';
  return bends && (isTestConfiguration(path) || isToolConfiguration(path)) ? 'as_base' : 'as_candidate';
}

/**
 * New tests ran as they are, in the candidate. Beside the base's judge they would miss what they brought along (a fixture, a
 * setting), so they are left out there, where the base has something to run without them.
 */
export function leftOutTests(
  { tests, ranBefore, basePaths }: BaseJudge,
  created: readonly string[],
): ReadonlySet<string> {
  const own = tests.some ? [] : created.filter(isTestProgram);
  const old = new Set(basePaths.filter(isTestProgram).map(endingOf));
  return new Set(ranBefore || own.some((path) => old.has(endingOf(path))) ? own : []);
}

/** Whether the base has a judge that new settings of this name could bend: tests they apply to, or a check that ran before. */
export function hasJudge({ basePaths, named, tests, ranBefore }: BaseJudge, path: string): boolean {
  if (tests.only) return false;
  if (ranBefore || named.programs.size > 0) return true;
  const language = languageOf(path);
  return basePaths.some(
    (other) => isVerificationFile(other) && (language === null || language.test(endingOf(other))),
  );
}

/** New ones say what a project needs, and may say how tools run. */
function hasSections(path: string): boolean {
  return /(?:^|\/)(?:pyproject\.toml|setup\.cfg|tox\.ini)$/.test(path);
}

/** `.py` of `a/b.py`; a hidden file has none. */
function endingOf(path: string): string {
  return /[^/](\.[^./]*)$/.exec(path)?.[1] ?? '';
}
