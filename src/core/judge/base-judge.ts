/**
 * `treatmentOfOld`, `treatmentOfNew`: what a check with the judge of the base does with a path that the work changed. Files that judge
 * are as in the base (tests, scripts, tool configuration, what the check line runs), and nothing may shadow a tool. The rest is as the
 * work left it.
 */
import { rivals } from './judging-parts.ts';
import type { NamedFiles } from './judging-programs.ts';
import {
  isLauncherConfiguration,
  isPlanted,
  isTestConfiguration,
  isTestProgram,
  isToolConfiguration,
  isVerificationFile,
  languageOf,
} from './verification-files.ts';
import { decidingCommands, joined, type SimpleCommand } from './check-line.ts';

export interface CheckBefore {
  readonly command: string;
  readonly passed: boolean;
  readonly tests?: { readonly total: number } | null | undefined;
  readonly disturbed?: readonly string[];
}

/** Commands that are judged by the same files. */
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
    alike
      .slice(0, 1)
      .map(({ tests, ranBefore }) => ({ commands: alike.map(({ command }) => command), tests, ranBefore })),
  );
}

/** For a path of the base that the work edited or deleted. */
export function treatmentOfOld({ named, tests }: BaseJudge, path: string): Treatment {
  if (isPlanted(path) || named.programs.has(path)) return 'as_base';
  if (tests.only) return 'as_candidate';
  if (isVerificationFile(path)) return 'as_base';
  if (named.subjects.has(path)) return 'as_candidate';
  return isToolConfiguration(path) ? 'as_base' : 'mixed';
}

/** For a path that the work created. `shadows`: it would be loaded in place of an installed module. */
export function treatmentOfNew(judge: BaseJudge, path: string, shadows: boolean): Treatment {
  if (isPlanted(path)) return 'as_base';
  // The work is expected to create what the check line inspects.
  if (judge.named.subjects.has(path)) return 'as_candidate';
  if (shadows || rivals(path).some((other) => judge.basePaths.includes(other))) return 'as_base';
  const bends = hasJudge(judge, path);
  if (hasSections(path)) return bends ? 'mixed' : 'as_candidate';
  if (!isTestConfiguration(path) && isLauncherConfiguration(path)) return 'as_base';
  return bends && (isTestConfiguration(path) || isToolConfiguration(path)) ? 'as_base' : 'as_candidate';
}

/**
 * New tests that a check with the base's judge leaves out. They already ran in the candidate, and here they would lack what the work
 * created with them (a fixture, a setting). They are left out only where the base has tests of its own to run.
 */
export function leftOutTests(
  { tests, ranBefore, basePaths }: BaseJudge,
  created: readonly string[],
): ReadonlySet<string> {
  const own = tests.some ? [] : created.filter(isTestProgram);
  const old = new Set(basePaths.filter(isTestProgram).map(endingOf));
  return new Set(ranBefore || own.some((path) => old.has(endingOf(path))) ? own : []);
}

/** Whether the base has a judge that new settings in this file could change: tests they apply to, or a check that ran before. */
export function hasJudge({ basePaths, named, tests, ranBefore }: BaseJudge, path: string): boolean {
  if (tests.only) return false;
  if (ranBefore || named.programs.size > 0) return true;
  const language = languageOf(path);
  return basePaths.some(
    (other) => isVerificationFile(other) && (language === null || language.test(endingOf(other))),
  );
}

/** Files whose sections say what a project needs, and may say how tools run. */
function hasSections(path: string): boolean {
  return /(?:^|\/)(?:pyproject\.toml|setup\.cfg|tox\.ini)$/.test(path);
}

/** `.py` of `a/b.py`; a hidden file has none. */
function endingOf(path: string): string {
  return /[^/](\.[^./]*)$/.exec(path)?.[1] ?? '';
}

interface NamedTests {
  /** The line cannot be run without a new test. */
  readonly some: boolean;
  /** Every command of the line names new tests, and none of the base's. */
  readonly only: boolean;
}

/** Programs whose plain arguments are tasks or packages: `npm test` does not name a folder `test`. */
const MULTIPLEXERS = new Set(
  `npm pnpm yarn bun deno make gmake just task cargo go gradle ./gradlew mvn ./mvnw rake bundle tox nox uv poetry mix
   dotnet`.split(/\s+/),
);

/**
 * Whether a check line names tests that the work created. The person who wrote the line asked for such a test: the line cannot run
 * without it. Where a line names new tests only, nothing of the base judges.
 */
export function namedTests(
  check: string,
  folder: string,
  created: readonly string[],
  base: readonly string[],
): NamedTests {
  const isIn = (paths: readonly string[], named: string) =>
    paths.some((path) => path === named || path.startsWith(`${named}/`));
  const newTests = created.filter(isVerificationFile);
  const oldTests = base.filter(isVerificationFile);
  const found = decidingCommands(check).map((command) => {
    const named = command.args.flatMap((word) => pathsOf(word, command, folder));
    return {
      own: named.some((path) => isIn(newTests, path) && !isIn(base, path)),
      old: named.some((path) => isIn(oldTests, path)),
    };
  });
  return {
    some: found.some(({ own }) => own),
    only: found.length > 0 && found.every(({ own, old }) => own && !old),
  };
}

/** `./tests/test_a.py::TestA`, `tests.test_a.TestA`, `./pkg/...`: the files that a word may mean. */
function pathsOf(word: string, { program, folder }: SimpleCommand, start: string): string[] {
  const plain = word.replace(/(?:::|#).*$/, '').replace(/\/?(?:\.\.\.)?$/, '');
  if (word.startsWith('-') || (!/[./]/.test(plain) && MULTIPLEXERS.has(program))) return [];
  const at = (path: string) => joined(joined(start, folder), path);
  const parts = /^[A-Za-z_][\w.]*$/.test(plain) ? plain.split('.') : [];
  const modules = parts.map((_, index) => `${parts.slice(0, index + 1).join('/')}.py`);
  return [plain, ...modules].map(at).filter((path) => path !== '');
}
