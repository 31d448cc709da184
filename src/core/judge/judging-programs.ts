/**
 * `judgingPrograms`: finds the files that a check runs as judges. It follows the line through scripts of manifests, targets of Makefiles
 * and shell scripts, all as they are in the base. A program whose output the line pipes into something, a file that the line only
 * inspects or compiles, and the product itself are what the check is about: they belong to the work.
 */
import { jsonObject, objectOrNull } from '../text/json.ts';
import { decidingCommands, joined, type SimpleCommand } from './check-line.ts';
import { recipesOf } from './makefile.ts';
import { type BaseReading, isProduct } from './product-files.ts';
import { isVerificationScript } from './verification-files.ts';

export interface NamedFiles {
  /** Files that are run to judge: they must be as in the base. */
  readonly programs: ReadonlySet<string>;
  /** Files that the check line itself inspects or names: the work may create or change them. */
  readonly subjects: ReadonlySet<string>;
  /** Programs and modules that the lines start: a new file must not take the place of one of them. */
  readonly tools: ReadonlySet<string>;
}

/** Scripts call scripts; a longer chain than this was not written by a person. */
const MAX_STEPS = 64;
const INSPECTORS = new Set(
  'test [ [[ grep egrep fgrep rg cat head tail diff cmp ls wc jq sed awk stat find'.split(' '),
);
const SHELLS = new Set('sh bash dash zsh ksh . source'.split(' '));
const INTERPRETERS = /^(?:node|deno|bun|tsx|ts-node|python[\d.]*|ruby|perl|php|lua|Rscript|tclsh)$/;
const COMPILERS = /^(?:g?cc|g\+\+|c\+\+|clang(?:\+\+)?|rustc|javac|kotlinc|swiftc|go|zig)(?:-[\d.]+)?$/;
const PACKAGE_MANAGERS = new Set(['npm', 'pnpm', 'yarn', 'bun']);
/** Folders for programs that build, check and release; a program there is not the product. */
const TOOL_FOLDER = /(?:^|\/)(?:scripts?|tools?|ci|\.ci|hack|checks?|build|dev|bin)\//;

/** Scripts that start the product: what they run belongs to the work. */
const STARTS = /^(?:start|dev|serve|preview|demo|example)/;

interface Step {
  readonly line: string;
  readonly folder: string;
  /** The line was reached through a script or target whose purpose is judging. */
  readonly judging: boolean;
  /** The person wrote the line for this task; it was not found in the tree. */
  readonly isCheck: boolean;
}

export function* judgingPrograms(
  checks: readonly string[],
  start: string,
  basePaths: readonly string[],
): BaseReading<NamedFiles> {
  const programs = new Set<string>();
  const subjects = new Set<string>();
  const tools = new Set<string>();
  const seen = new Set<string>();
  const open: Step[] = checks.map((line) => ({ line, folder: start, judging: false, isCheck: true }));
  for (let steps = 0; open.length > 0 && steps < MAX_STEPS; steps += 1) {
    const { line, folder, judging, isCheck } = open.shift() as Step;
    for (const command of decidingCommands(line)) {
      const at = joined(folder, command.folder);
      const { program, args } = command;
      for (const tool of [program, ...startedModules(command, isCheck)]) tools.add(tool);
      if (INSPECTORS.has(program)) {
        if (isCheck) for (const arg of args) subjects.add(joined(at, arg));
        continue;
      }
      const options = optionFiles(command).map((arg) => joined(at, arg));
      for (const path of [...options, ...ranBy(command).map((arg) => joined(at, arg))]) {
        const text = path === '' || seen.has(path) ? null : yield path;
        seen.add(path);
        if (text === null) {
          if (isCheck) subjects.add(path);
          continue;
        }
        const isShell =
          SHELLS.has(program) || /\.(?:ba|z|k)?sh$/.test(path) || /^#!.*\b(?:ba|da|z|k)?sh\b/.test(text);
        if (isShell || options.includes(path)) programs.add(path);
        else if (judging || TOOL_FOLDER.test(path)) {
          if (!(yield* isProduct({ path, text, args, folder: at }, basePaths))) programs.add(path);
        }
        if (isShell) open.push({ line: text, folder: at, judging: false, isCheck: false });
      }
      open.push(...(yield* behind(command, at, judging)));
    }
  }
  return { programs, subjects, tools };
}

/** Modules that are installed for judging; any other module that a check line starts is what the task should write. */
const PYTHON_TOOLS = new Set(
  `pytest py unittest doctest nose nose2 tox nox coverage trial behave robot mypy pyright ruff flake8 pylint black isort bandit
   compileall py_compile build pip venv`.split(/\s+/),
);

/** `python3 -m pytest`, `python3 -m coverage run -m pytest`. What follows are arguments of the tool. */
function startedModules({ program, args }: SimpleCommand, isCheck: boolean): string[] {
  if (!/^(?:python[\d.]*|coverage)$/.test(program)) return [];
  const first = args.indexOf('-m');
  const name = (at: number) => args[at + 1]?.split('.')[0] ?? '';
  const inner = name(first) === 'coverage' ? args.indexOf('-m', first + 1) : -1;
  const started = [first, inner].filter((at) => at >= 0).map(name);
  return started.filter((module) => !isCheck || PYTHON_TOOLS.has(module));
}

/** Options whose value is loaded into the tool, or steers it. */
const LOADS =
  /^(?:-[rp]|--[\w-]*(?:conf|require|import|load|setup|report|plugin|preset|rule|setting|env|rcfile|format|transform|run|init)[\w-]*)$/;
const SETTINGS = /(?:rc|\.(?:json[c5]?|ya?ml|toml|ini|cfg|conf|xml|config\.[cm]?[jt]s))$/;

/** `--config x`, `-r ./x`, `--import=./x`: files that configure a tool, for any tool. A source after any other flag is what it reads. */
function optionFiles({ program, args }: SimpleCommand): string[] {
  const compiles = COMPILERS.test(program) || INTERPRETERS.test(program);
  return args.flatMap((arg, index) => {
    if (/^--?[\w-]+=./.test(arg)) return [arg.slice(arg.indexOf('=') + 1)];
    const option = args[index - 1] ?? '';
    if (!option.startsWith('-') || arg.startsWith('-') || !/[./]/.test(arg)) return [];
    return LOADS.test(option) || SETTINGS.test(arg) || (option === '-c' && !compiles) ? [arg] : [];
  });
}

function ranBy({ program, args }: SimpleCommand): string[] {
  if (program.includes('/')) return [program];
  if (!SHELLS.has(program) && !INTERPRETERS.test(program)) return [];
  if (args.some((arg) => syntaxFlag(program).test(arg))) return [];
  const first = args.find((arg) => !arg.startsWith('-'));
  return first === undefined ? [] : [first];
}

/** With this flag an interpreter only reads the program. */
function syntaxFlag(program: string): RegExp {
  if (SHELLS.has(program)) return /^-n$/;
  return program === 'php' ? /^(?:-l|--syntax-check)$/ : /^(?:-c|--check)$/;
}

/** The lines that a package manager or make would run for this command. */
function* behind({ program, args }: SimpleCommand, folder: string, judging: boolean): BaseReading<Step[]> {
  const plain = args.filter((arg) => !arg.startsWith('-'));
  if (PACKAGE_MANAGERS.has(program)) {
    const [first = '', second = ''] = plain;
    const name = first === 'run' || first === 'run-script' ? second : first === 't' ? 'test' : first;
    const at = joined(folder, valueOf(args, '--prefix') ?? valueOf(args, '-C') ?? '');
    const scripts = jsonObject(objectOrNull((yield joined(at, 'package.json')) ?? '')?.['scripts']);
    return [`pre${name}`, name, `post${name}`].flatMap((script) => {
      const line = scripts[script];
      return typeof line === 'string'
        ? [{ line, folder: at, judging: judging || !STARTS.test(name), isCheck: false }]
        : [];
    });
  }
  if (program !== 'make' && program !== 'gmake') return [];
  const at = joined(folder, valueOf(args, '-C') ?? '');
  const text = yield* firstOf([valueOf(args, '-f'), 'GNUmakefile', 'makefile', 'Makefile'], at);
  if (text === null) return [];
  const targets = plain.filter(
    (arg) => !arg.includes('=') && arg !== valueOf(args, '-C') && arg !== valueOf(args, '-f'),
  );
  return recipesOf(text, targets).map((line) => ({
    line,
    folder: at,
    judging: judging || targets.some(isVerificationScript),
    isCheck: false,
  }));
}

function* firstOf(names: readonly (string | undefined)[], folder: string): BaseReading<string | null> {
  for (const name of names) {
    const text = name === undefined ? null : yield joined(folder, name);
    if (text !== null) return text;
  }
  return null;
}

function valueOf(args: readonly string[], option: string): string | undefined {
  const at = args.indexOf(option);
  return at < 0 ? undefined : args[at + 1];
}
