/** `readCommand`: what a command tells about its output: which kinds of program ran, and whether its exit code can be trusted. */
import { readPart, baseName } from './command-part.ts';
import type { Role } from '../../lexicon/programs.ts';
import { wordList } from '../../text/word-list.ts';

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

/** A longer command is a script; its first part tells enough. */
const COMMAND_CHARS = 4_000;
export function readCommand(command: string | null | undefined): CommandFacts {
  const text = maskQuotes((command ?? '').slice(0, COMMAND_CHARS));
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
    if (['', 'cd', 'exit', 'set', 'ulimit'].includes(seen.name)) continue;
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

const FILTERS = new Set(
  wordList('tail head tee cat grep sed awk less more sort uniq cut tr wc ts nl col rg egrep'),
);

/** Whether the last part of a command hides the exit code of what failed before it. */
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
