/** `sideEffects`, `editedPath`, `editedPaths`, `isSamePath`: what calls left behind: files, changes of the machine, processes. */
import { oneOf } from '../../text/one-of.ts';
import { commandOf, isShellCall } from '../call-kind.ts';
import { quote } from '../detector.ts';
import { changes } from '../staleness.ts';
import type { RecordedTurn } from './recorded-turn.ts';

export interface SideEffect {
  readonly kind: 'edited' | 'ran' | 'started';
  readonly what: string;
  readonly count: number;
}

/** What a verb that changes something in other uses only looks at. */
const LOOKS = oneOf(
  /^git (?:stash (?:list|show)|worktree list|config (?:--\w+ )*(?:--get\S*|--list|-l)|config \S+$)\b/,
  /^git (?:commit|clean|push|merge|apply) (?:.* )?(?:--dry-run|-n|--check|--stat)\b/,
  /^(?:sudo )?(?:systemctl (?:status|list-\w+|is-\w+|show|cat)|service \S+ status|crontab -l)\b|^export -p$/,
);
const LASTS = oneOf(
  /^(?:sudo )?(?:npm (?:i|install|add|ci|link)|(?:pnpm|yarn|bun|cargo) (?:add|install|remove)|gem install|go (?:get|install))\b/,
  /^(?:sudo )?(?:(?:python[\d.]* -m )?pip3? (?:un)?install|(?:apt|apt-get|brew|dnf|apk) (?:-\w+ )*(?:install|add|remove))\b/,
  /^git (?:commit|stash(?! +(?:list|show)\b)|reset|checkout|switch|restore|clean|push|pull|branch -D|worktree|config)\b/,
  /^git (?:merge|rebase|revert|cherry-pick)\b/,
  /^(?:sudo )?(?:rm|mv|chmod|chown|export|kill|pkill|killall|crontab|systemctl|service|dropdb|createdb)\b/,
  /^(?:sudo )?docker (?:run|rm|compose (?:up|down|start|stop|restart|rm|build|kill))\b/,
);
/** A shell tool has an argument for that. */
const IN_BACKGROUND = /"(?:run_in_background|is_background)" *: *true/;
/** The parts of a command line, each with the mark that ends it. */
const PART = /([^;&|()\n]+)(&&|&|\|\||[;|()\n]|$)/g;
const REDIRECTS = /\d?>&\d?|&>{1,2}|\d?>{1,2}\s*\S+/g;

export function sideEffects(turns: readonly RecordedTurn[]): readonly SideEffect[] {
  const found = new Map<string, SideEffect>();
  const add = (kind: SideEffect['kind'], what: string) => {
    const key = `${kind} ${what}`;
    found.set(key, { kind, what, count: (found.get(key)?.count ?? 0) + 1 });
  };
  for (const turn of turns) {
    const path = changes(turn) ? editedPath(turn) : null;
    if (path !== null) {
      const known = [...found.values()].find(({ kind, what }) => kind === 'edited' && isSamePath(what, path));
      add('edited', known?.what ?? path);
    }
    if (turn.failed || !isShellCall(turn.tool, turn.input)) continue;
    if (IN_BACKGROUND.test(turn.given)) add('started', quote(commandOf(turn.input)));
    for (const [, part = '', mark] of plainParts(commandOf(turn.input))) {
      const what = quote(part);
      if (mark === '&') add('started', what);
      else if (LASTS.test(what) && !LOOKS.test(what)) add('ran', what);
    }
  }
  return [...found.values()];
}

/** A here-document, and a text in quotes that has a mark of the shell in it, are data. */
const DATA = /<<-?\s*(['"]?)(\w+)\1[\s\S]*?(?:\n\s*\2\b|$)|'[^']*'|"(?:[^"\\]|\\.)*"/g;

function plainParts(command: string): readonly RegExpExecArray[] {
  const isData = (text: string) => text.startsWith('<<') || /[;&|()\n]/.test(text);
  return [
    ...command
      .replace(DATA, (text) => (isData(text) ? '…' : text))
      .replace(REDIRECTS, ' ')
      .matchAll(PART),
  ];
}

/** True for two names of one file, one of which may be relative. */
export function isSamePath(a: string, b: string): boolean {
  const [short, long] = [a, b]
    .map((path) => path.replace(/^(?:\.\/)+/, ''))
    .sort((x, y) => x.length - y.length);
  return short === long || (long ?? '').endsWith(`/${short}`);
}

/** An editor without a path in its call shows which file is open. */
export const OPEN_FILE = /^\[File: (\S{1,300}) \(\d+ lines/m;

export function editedPath({ edit, kind, output }: RecordedTurn): string | null {
  if (edit !== null) return edit.path;
  return kind === 'edit' ? (OPEN_FILE.exec(output)?.[1] ?? null) : null;
}

export function editedPaths(turns: readonly RecordedTurn[]): readonly string[] {
  return [...new Set(turns.flatMap((turn) => editedPath(turn) ?? []))];
}
