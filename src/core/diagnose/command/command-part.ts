/** `readPart`: one part of a command: which program, what for, and whether it only shows what exists. */
import { type Role, roleOfProgram } from '../../lexicon/programs.ts';
import { wordList } from '../../text/word-list.ts';

const WRAPPERS = new Set(
  wordList(`
  sudo env nice nohup time exec command npx pnpx bunx uvx stdbuf setsid xvfb-run ionice unbuffer winpty then do
  if while ! pipx cross-env dotenv doas chronic strace`),
);
/** Programs with the word after which they run another one. */
const RUN_BY = new Set(
  'uv run,poetry run,pipenv run,pdm run,hatch run,conda run,pipx run,bundle exec,mise exec,npm exec,npm x,bun x'
    .concat(',pnpm exec,pnpm dlx,yarn exec,yarn dlx')
    .split(','),
);
/** Programs that may run what the words behind them name. */
const RUNS: ReadonlySet<Role> = new Set(['package', 'build', 'runtime', 'shell', 'unknown', 'container']);
const TEST_WORDS =
  /^(?:test|tests|t$|check|spec|e2e|nextest|unit|integration|coverage|cov|verify)(?:$|[:_.-])|[:_.-]tests?$/;
const BUILD_WORDS =
  /^(?:build|compile|bundle|package|assemble|vet|transpile|publish|make|dist|typecheck|type-check|tsc)(?:$|[:_.-])|[:_.-]build$/;
const LINT_WORDS =
  /^(?:lint|fmt|format|clippy|fmt-check|style|prettier|eslint|audit|analy[sz]e|validate)(?:$|[:_.-])|[:_.-](?:lint|format)$/;

const PACKAGE_WORDS = new Set(wordList('install add update upgrade sync fetch restore lock'));

export interface Part {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly reads: boolean;
  readonly deadline: boolean;
  /** A program of the workspace itself, such as `./app`. */
  readonly own: boolean;
}

export function readPart(part: string): Part | null {
  const words = part.split(/\s+/).filter((word) => word !== '');
  let at = 0;
  let deadline = false;
  while (at < words.length) {
    const word = words[at] as string;
    if (/^[A-Za-z_]\w*=/.test(word) || WRAPPERS.has(baseName(word))) at += 1;
    else if (word === 'timeout' || word === 'gtimeout') {
      deadline = true;
      at += 1;
      while (at < words.length && (words[at] as string).startsWith('-'))
        at += /^-[sk]$/.test(words[at] as string) ? 2 : 1;
      at += 1;
    } else if (at > 0 && word.startsWith('-') && WRAPPERS.has(baseName(words[at - 1] as string))) at += 1;
    else if (RUN_BY.has(`${baseName(word)} ${words[at + 1]}`)) at += 2;
    else break;
  }
  const first = words[at];
  if (first === undefined)
    return deadline ? { name: '', roles: [], reads: false, deadline, own: false } : null;
  let name = baseName(first);
  let rest = words.slice(at + 1);
  if (/^(?:python[\d.]*|pypy3?)$/.test(name) && rest[0] === '-m' && rest[1] !== undefined) {
    name = rest[1];
    rest = rest.slice(2);
  }
  if (
    /^(?:bash|sh|node|ruby|perl|python[\d.]*)$/.test(name) &&
    rest[0] !== undefined &&
    /\.bin\/|\/bin\//.test(rest[0])
  ) {
    name = baseName(rest[0]);
    rest = rest.slice(1);
  }
  const role = roleInPath(first, roleOfProgram(name));
  return {
    name,
    roles: rolesOf(name, role, rest),
    reads: onlyReads(name, role, rest),
    deadline,
    own: /^\.?\.?\/(?!usr|bin|opt)/.test(first) && role === 'unknown',
  };
}

/** `test/run`, `ci/lint/all.sh`: a script of the workspace is what its folder says. */
function roleInPath(path: string, role: Role): Role {
  if (role !== 'unknown' || !path.includes('/')) return role;
  const folders = path.split('/').slice(0, -1);
  if (folders.some((folder) => /^(?:tests?|specs?|e2e|__tests__)$/.test(folder))) return 'test';
  return folders.some((folder) => /^lint(?:ers?)?$/.test(folder)) ? 'lint' : role;
}

function rolesOf(name: string, role: Role, rest: readonly string[]): readonly Role[] {
  // `crystal run a.cr`, `zig run a.zig`: compiled on the way, then run.
  const roles: Role[] = [
    role === 'build' && /^run (?:-\S+ )*\S+\.\w{1,4}\b/.test(rest.join(' ')) ? 'runtime' : role,
  ];
  const words = rest
    .filter((word) => !word.startsWith('-') || word === '--test' || word === '--check')
    .slice(0, 4);
  if (!RUNS.has(role)) return roles;
  const verb = role === 'shell' || role === 'unknown' ? words.slice(0, 1).map(baseName) : words;
  if (name === 'make' && words.some((word) => TEST_WORDS.test(word))) return ['build', 'test'];
  for (const word of verb) {
    // In an unknown program, `check` looks at files more often than it runs tests, and `install` fetches packages.
    if (role === 'package' && (PACKAGE_WORDS.has(word) || /^(?:i|ci|get)$/.test(word))) roles.push('install');
    else if (role === 'unknown' && word === 'check') roles.push('lint');
    else if (role === 'unknown' && PACKAGE_WORDS.has(word)) roles.push('package');
    else if ((TEST_WORDS.test(word) && !(role === 'unknown' && word === 't')) || word === '--test')
      roles.push('test');
    else if (LINT_WORDS.test(word)) roles.push('lint');
    else if (BUILD_WORDS.test(word) || (name === 'node' && word === '--check')) roles.push('build');
  }
  return roles;
}

function onlyReads(name: string, role: Role, rest: readonly string[]): boolean {
  if (role === 'reader') return true;
  if (name === 'git')
    return /^(?:diff|log|show|grep|blame|status|ls-files|shortlog|reflog|branch|config|tag)$/.test(
      rest.find((word) => !word.startsWith('-')) ?? '',
    );
  if (name === 'docker' || name === 'kubectl' || name === 'podman') return rest[0] === 'logs';
  return name === 'journalctl' || name === 'history';
}

export function baseName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}
