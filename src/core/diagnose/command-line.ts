/** What the command says about its output: which kinds of program ran, whether its exit code can be believed. */
import { roleOfProgram } from './programs.ts';

export type Role =
  | 'test'
  | 'build'
  | 'lint'
  | 'package'
  | 'git'
  | 'http'
  | 'database'
  | 'model'
  | 'container'
  | 'remote'
  | 'runtime'
  | 'reader'
  | 'shell'
  | 'unknown';

export interface CommandFacts {
  readonly programs: readonly string[];
  readonly roles: ReadonlySet<Role>;
  /** The last part decides the exit code and hides what failed before it. */
  readonly hidesExit: boolean;
  /** Every part only shows text that exists already. */
  readonly onlyReads: boolean;
  /** `timeout 5 …`: exit 124 and 137 mean that it ran out. */
  readonly hasDeadline: boolean;
  readonly asksHelp: boolean;
  /** What the last part is for, where an earlier part only prepared it (`gcc a.c && ./a.out`). */
  readonly ranLast: Role | null;
}

const NOTHING: CommandFacts = {
  programs: [],
  roles: new Set(),
  hidesExit: false,
  onlyReads: false,
  hasDeadline: false,
  asksHelp: false,
  ranLast: null,
};

/** A longer command is a script; its first part tells enough. */
const COMMAND_CHARS = 4_000;
const WRAPPERS = new Set([
  'sudo',
  'env',
  'nice',
  'nohup',
  'time',
  'exec',
  'command',
  'npx',
  'pnpx',
  'bunx',
  'uvx',
  'stdbuf',
  'setsid',
  'xvfb-run',
  'ionice',
  'unbuffer',
  'winpty',
  'then',
  'do',
  'if',
  'while',
  '!',
  'pipx',
  'cross-env',
  'dotenv',
  'doas',
  'chronic',
  'strace',
]);
const RUN_BY = new Map<string, readonly string[]>([
  ['uv', ['run']],
  ['poetry', ['run']],
  ['pipenv', ['run']],
  ['bundle', ['exec']],
  ['npm', ['exec', 'x']],
  ['pnpm', ['exec', 'dlx']],
  ['yarn', ['exec', 'dlx']],
  ['bun', ['x']],
  ['pdm', ['run']],
  ['hatch', ['run']],
  ['mise', ['exec']],
  ['conda', ['run']],
  ['pipx', ['run']],
]);
const TEST_WORDS =
  /^(?:test|tests|t$|check|spec|e2e|nextest|unit|integration|coverage|cov|verify)(?:$|[:_.-])|[:_.-]tests?$/;
const BUILD_WORDS =
  /^(?:build|compile|bundle|package|assemble|vet|transpile|publish|make|dist|typecheck|type-check|tsc)(?:$|[:_.-])|[:_.-]build$/;
const LINT_WORDS =
  /^(?:lint|fmt|format|clippy|fmt-check|style|prettier|eslint)(?:$|[:_.-])|[:_.-](?:lint|format)$/;
const FILTERS = new Set([
  'tail',
  'head',
  'tee',
  'cat',
  'grep',
  'sed',
  'awk',
  'less',
  'more',
  'sort',
  'uniq',
  'cut',
  'tr',
  'wc',
  'ts',
  'nl',
  'col',
  'rg',
  'egrep',
]);

export function readCommand(command: string | null | undefined): CommandFacts {
  if (command === null || command === undefined || command.trim() === '') return NOTHING;
  const text = maskQuotes(command.slice(0, COMMAND_CHARS));
  const parts = text.split(/&&|\|\||[;|\n&(){}]+/).map((part) => part.trim());
  const programs: string[] = [];
  const roles = new Set<Role>();
  let reads = true;
  let hasDeadline = false;
  let ranLast: Role | null = null;
  for (const part of parts) {
    const seen = readPart(part);
    if (seen === null) continue;
    hasDeadline ||= seen.deadline;
    if (
      seen.name === '' ||
      seen.name === 'cd' ||
      seen.name === 'exit' ||
      seen.name === 'set' ||
      seen.name === 'ulimit'
    )
      continue;
    programs.push(seen.name);
    for (const role of seen.roles) roles.add(role);
    if (!seen.reads) reads = false;
    if (seen.roles[0] !== 'reader')
      ranLast = seen.roles.length > 1 ? null : seen.own ? 'runtime' : (seen.roles[0] ?? null);
  }
  return {
    programs,
    roles,
    hidesExit: hidesExit(text),
    onlyReads: reads && programs.length > 0,
    hasDeadline,
    asksHelp: /(?:^|\s)(?:--help|-h|help)(?:\s|$|[;|])|--version\b/.test(text) && !/-h [\w.]/.test(text),
    ranLast: programs.length > 1 ? ranLast : null,
  };
}

/** Quoted text is an argument, not a command: its separators are hidden. */
function maskQuotes(text: string): string {
  let quote = '';
  let masked = '';
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index] as string;
    if (char === '\\' && quote !== "'") {
      masked += quote === '' ? ' ' : '_';
      index += 1;
      continue;
    }
    if (quote !== '') {
      if (char === quote) quote = '';
      masked += char === quote || /[\w./:@=-]/.test(char) ? char : '_';
    } else if (char === '"' || char === "'") {
      quote = char;
      masked += '_';
    } else masked += char;
  }
  return masked.replace(/\d?>+&?\S*/g, ' ').replace(/&>/g, ' ');
}

interface Part {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly reads: boolean;
  readonly deadline: boolean;
  /** A program of the workspace itself, such as `./app`. */
  readonly own: boolean;
}

function readPart(part: string): Part | null {
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
    else if (RUN_BY.get(baseName(word))?.includes(words[at + 1] ?? '') === true) at += 2;
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
  )
    name = baseName(rest[0]);
  const role = roleOfProgram(name);
  return {
    name,
    roles: rolesOf(name, role, rest),
    reads: onlyReads(name, role, rest),
    deadline,
    own: /^\.?\.?\/(?!usr|bin|opt)/.test(first) && role === 'unknown',
  };
}

function rolesOf(name: string, role: Role, rest: readonly string[]): readonly Role[] {
  const roles: Role[] = [role];
  const words = rest
    .filter((word) => !word.startsWith('-') || word === '--test' || word === '--check')
    .slice(0, 4);
  const runs =
    role === 'package' ||
    role === 'build' ||
    role === 'runtime' ||
    role === 'shell' ||
    role === 'unknown' ||
    role === 'container';
  if (!runs) return roles;
  const verb = role === 'shell' || role === 'unknown' ? words.slice(0, 1).map(baseName) : words;
  if (name === 'make' && words.some((word) => TEST_WORDS.test(word))) return ['build', 'test'];
  for (const word of verb) {
    if (TEST_WORDS.test(word) || word === '--test') roles.push('test');
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

function hidesExit(text: string): boolean {
  if (/pipefail/.test(text)) return false;
  if (/\|\|/.test(text)) return true;
  if (/;\s*(?:true|:|echo\b[^;]*|exit 0)\s*$/.test(text)) return true;
  const statements = text
    .split(/&&|;|\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== 'wait');
  const last = statements.at(-1) ?? '';
  const pipe = last.split('|').map((part) => part.trim());
  if (pipe.length > 1 && FILTERS.has(baseName((pipe.at(-1) ?? '').split(/\s/)[0] ?? ''))) return true;
  return (
    /;/.test(text) &&
    !/exit _?\$/.test(last) &&
    statements.length > 1 &&
    /;[^;&|]*$/.test(text) &&
    !/ulimit|export|^set\b|cd /.test(statements[statements.length - 2] ?? '')
  );
}

function baseName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}
