/**
 * Leave one out, a pessimistic bound (docs/decisions/0038): how right the diagnosis is on texts of a tool or an origin that nobody saw.
 * An alternative of a recogniser is justified by a text that holds it and fails of the class that it tells. Before a group is scored, each
 * alternative that the group holds and no text of another group justifies is taken away, and for a tool also its name. What stays: the
 * shapes of lines, the signs of a kind of program in the text, the names of exceptions and system errors, and alternatives that no text
 * of the group uses. Nothing is put in the place of what is taken away, although a text never seen brings words of its own; scoring a new
 * capture before anybody looks is the fair measure (docs/reference/diagnose.md).
 */
import { diagnoseLines } from '../../src/core/diagnose/diagnose.ts';
import { type Line, readLines } from '../../src/core/diagnose/lines/read-lines.ts';
import { BUILT_IN_PATTERNS } from '../../src/core/diagnose/patterns/built-in-patterns.ts';
import { NeedleScan } from './needle-scan.ts';
import { inLines } from '../../src/core/text/in-lines.ts';
import { alternativesOf, wordsOf } from './pattern-words.ts';
import type { Recogniser } from '../../src/core/lexicon/recogniser.ts';
import { RECOGNISERS } from '../../src/core/lexicon/all.ts';
import { withStatus } from '../../src/core/lexicon/http-status.ts';
import { originOf, type Row } from './row.ts';
import type { Answer } from './score.ts';

export interface LeftOut {
  /** With exit code and command. */
  readonly full: readonly Answer[];
  readonly text: readonly Answer[];
}

export function leaveOneToolOut(rows: readonly Row[], witnesses: readonly Row[]): LeftOut {
  return leaveOut(rows, witnesses, (row) => row.tool, true);
}

/** The same for where a text comes from: what only CI logs justify is taken away before CI logs are scored. Names of tools stay known. */
export function leaveOneOriginOut(rows: readonly Row[], witnesses: readonly Row[]): LeftOut {
  return leaveOut(rows, witnesses, originOf, false);
}

/** Stricter: captures, and no capture of either kind is a witness. */
export function leaveCapturesOut(rows: readonly Row[], witnesses: readonly Row[]): LeftOut {
  const isCapture = (row: Row): boolean => originOf(row).endsWith('captures');
  const kindOf = (row: Row): string => (isCapture(row) ? 'captures' : 'others');
  return leaveOut(rows.filter(isCapture), [...rows, ...witnesses], kindOf, false);
}

/** Names of system errors, their numbers and their texts: they are no words of a tool. */
const STAYS = inLines('')`
  \\bE[A-Z]{4,}|Errno |os error|^(?:[Pp]ermission denied|Read-only file system|No space left on device|too many open files|
  cannot allocate memory|File too large|Connection refused|Connection reset|No route to host|address .{0,12}already in use|
  exec format error|Name or service not known|Disk quota exceeded|bad_alloc|not permitted)`;

interface Alternative {
  readonly recogniser: Recogniser;
  readonly pattern: RegExp;
  /** The groups whose texts hold it. */
  readonly heldBy: Set<string>;
  readonly justifiedBy: Set<string>;
}

function leaveOut(
  rows: readonly Row[],
  witnesses: readonly Row[],
  groupOf: (row: Row) => string,
  isNameHidden: boolean,
): LeftOut {
  const read = new Map([...rows, ...witnesses].map((row) => [row, readLines(row.output)] as const));
  const alternatives = witnessed(read, groupOf);
  const full: Answer[] = [];
  const text: Answer[] = [];
  for (const group of new Set(rows.map(groupOf))) {
    const isLost = ({ heldBy, justifiedBy, pattern }: Alternative): boolean =>
      heldBy.has(group) && !STAYS.test(pattern.source) && ![...justifiedBy].some((other) => other !== group);
    const recognisers = RECOGNISERS.map((recogniser) => ({
      ...recogniser,
      says: alternatives
        .filter((each) => each.recogniser === recogniser && !isLost(each))
        .map(({ pattern }) => pattern),
    })).filter(({ says }) => says.length > 0);
    const hidden = new RegExp(`\\b${group.replaceAll(/[^\w-]/g, '.')}\\b`, 'g');
    for (const row of rows.filter((each) => groupOf(each) === group)) {
      const command = (isNameHidden ? row.command?.replace(hidden, 'sometool') : row.command) ?? null;
      const lines = read.get(row) as readonly Line[];
      const status = { exitCode: row.exit_code, signal: row.signal, command };
      full.push({ row, got: diagnoseLines(lines, status, BUILT_IN_PATTERNS, recognisers) });
      text.push({ row, got: diagnoseLines(lines, {}, BUILT_IN_PATTERNS, recognisers) });
    }
  }
  return { full, text };
}

function witnessed(
  read: ReadonlyMap<Row, readonly Line[]>,
  groupOf: (row: Row) => string,
): readonly Alternative[] {
  const alternatives: readonly Alternative[] = RECOGNISERS.flatMap((recogniser) =>
    recogniser.says
      .flatMap((pattern) => alternativesOf(pattern.source).map((source) => new RegExp(source, pattern.flags)))
      .map((pattern) => ({ recogniser, pattern, heldBy: new Set<string>(), justifiedBy: new Set<string>() })),
  );
  const words = alternatives.map(({ pattern }) => wordsOf(pattern));
  const scan = new NeedleScan(
    words.flatMap((needed, index) => (needed ?? []).map((word) => [word, index] as const)),
  );
  const wordless = [...words.keys()].filter((index) => words[index] === null);
  for (const [row, lines] of read) {
    const group = groupOf(row);
    for (const said of new Set(lines.map(({ text }) => withStatus(text))))
      for (const index of [...scan.owners(said), ...wordless]) {
        const { recogniser, pattern, heldBy, justifiedBy } = alternatives[index] as Alternative;
        const tells = tellsClass(recogniser, row.failure_type) || tellsClass(recogniser, row.second_label);
        if ((heldBy.has(group) && (!tells || justifiedBy.has(group))) || !pattern.test(said)) continue;
        heldBy.add(group);
        if (tells) justifiedBy.add(group);
      }
  }
  return alternatives;
}

const BY_ROLE: ReadonlySet<string> = new Set(['build_failure', 'test_failure', 'runtime_error']);

function tellsClass({ failureClass, byRole }: Recogniser, label: string | null | undefined): boolean {
  return label === failureClass || (byRole !== undefined && BY_ROLE.has(label ?? ''));
}
