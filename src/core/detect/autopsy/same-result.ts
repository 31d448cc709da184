/**
 * `withSameResults`: command lines that show the same bad result again and again, whatever was edited: behind a pipe, behind other
 * commands, or without a word of failure. They are checks, and they fail. A result is bad by a failing call that shows it, too.
 * `weightOf`: how well a line names a failure.
 */
import { complains } from '../../text/complains.ts';
import { FAILED_COUNT } from '../../text/failed-count.ts';
import { isShellCall } from '../call-kind.ts';
import { isBanner, namesError } from '../error-line.ts';
import { changes } from '../staleness.ts';
import { hashLoose, hashShape } from '../text-hash.ts';
import { programsOf } from './programs-of.ts';
import { gapsWith, type RecordedTurn } from './recorded-turn.ts';

/** So many calls show it, with a change before each but one or two. */
const SHOWN = 6;
const CHANGED = 3;
/** Lines that are shown nearly as often as the most frequent one are one result. */
const CORE_SHARE = 0.7;
const SCANNED_CHARS = 20_000;
const SHORTEST = 6;
const LONGEST = 200;
/** What stands before a line of a difference, of a trace or of a runner. */
const MARK = /^(?:[<>+#|]|E {2,}|\d+[:\t→])\s*/;
/** A runner shows the command that it runs. */
const ECHO = /^(?:\[[\w:-]+\] )?\$ /;
/** A warning is told by good runs, too. */
const WARNS = /warning\b/i;
const TIME = /\b\d+(?:\.\d+)? ?(?:ms|s|sec|seconds)\b|\b0x[\da-f]+\b/g;

export function withSameResults(turns: readonly RecordedTurn[]): readonly RecordedTurn[] {
  const runs = turns.filter((turn) => turn.edit === null || !turn.failed).filter(isRun);
  const firstChange = turns.find(changes)?.step ?? Infinity;
  const shownBy = new Map<string, RecordedTurn[]>();
  for (const turn of runs)
    for (const line of linesIn(turn)) {
      const known = shownBy.get(line);
      if (known === undefined) shownBy.set(line, [turn]);
      else known.push(turn);
    }
  const bad = [...shownBy].filter(
    ([, by]) =>
      by.length >= SHOWN &&
      by.some(({ failed, kind }) => failed && kind !== 'edit') &&
      by.every(({ failed, step }) => failed || step > firstChange) &&
      gapsWith(turns, by, changes) >= Math.min(CHANGED, by.length - 1),
  );
  const most = Math.max(0, ...bad.map(([, by]) => by.length));
  const frequent = bad.filter(([, by]) => by.length >= most * CORE_SHARE);
  // The result is whole from here on: what was shown before it belongs to any run.
  const often = new Map<RecordedTurn, number>();
  for (const turn of frequent.flatMap(([, by]) => by)) often.set(turn, (often.get(turn) ?? 0) + 1);
  const onset = runs.findIndex((turn) => (often.get(turn) ?? 0) >= frequent.length * CORE_SHARE);
  const before = new Set(runs.slice(0, Math.max(0, onset)));
  const since = frequent.filter(([, by]) => !by.some((turn) => before.has(turn)));
  // A result that differs each time is whole nowhere.
  const core = turnsOf(since).size >= most * CORE_SHARE ? since : frequent;
  const shown = turnsOf(core);
  const first = runs.find((turn) => shown.has(turn) && turn.failed)?.errorLine ?? '';
  // Where the failing calls name an error, one that names none is good, whatever else it shows alike.
  const isBad = (turn: RecordedTurn) => turn.failed || !namesError(first) || SAYS_SO(turn);
  const red = new Set([...shown].filter(isBad));
  if (red.size < SHOWN || !core.some(([line]) => weightOf(line) >= 1)) return turns;
  const isPlain = [...red].every(({ failed, kind }) => failed && kind !== 'edit');
  const [line = ''] = core.map(([each]) => each).toSorted((a, b) => weightOf(b) - weightOf(a));
  const told = weightOf(first) > weightOf(line) ? first : line;
  const programs = new Set([...red].flatMap(programsOf));
  return turns.map((turn) => {
    // What was a check when it was bad is one when it is good.
    if (!red.has(turn))
      return turn.kind === 'run' && programsOf(turn).some((each) => programs.has(each))
        ? { ...turn, kind: 'test' as const }
        : turn;
    // Failures that are plain are told by themselves.
    if (isPlain) return { ...turn, sameResult: 'plain' as const };
    return {
      ...turn,
      sameResult: 'hidden' as const,
      kind: 'test' as const,
      waiting: null,
      failed: true,
      barren: false,
      errorLine: told,
      error: hashLoose(told),
      complaint: hashShape(told),
    };
  });
}

const SAYS_SO = ({ output }: RecordedTurn) =>
  output.split('\n').some((line) => namesError(line) || FAILED_COUNT.test(line));

function turnsOf(lines: readonly (readonly [string, readonly RecordedTurn[]])[]): ReadonlySet<RecordedTurn> {
  return new Set(lines.flatMap(([, by]) => by));
}

function isRun({ tool, input, kind }: RecordedTurn): boolean {
  return isShellCall(tool, input) && kind !== 'read' && kind !== 'search';
}

function linesIn({ output }: RecordedTurn): ReadonlySet<string> {
  const lines = output
    .slice(0, SCANNED_CHARS)
    .split('\n')
    .map((line) => line.trim().replace(MARK, '').replace(TIME, '…').trim());
  return new Set(
    lines.filter(
      (line) =>
        line.length >= SHORTEST &&
        line.length <= LONGEST &&
        !isBanner(line) &&
        !ECHO.test(line) &&
        !WARNS.test(line),
    ),
  );
}

/** The line that names the failure, otherwise one that says something of it. */
export function weightOf(line: string): number {
  return (
    (namesError(line) ? 4 : 0) +
    (complains(line) ? 2 : 0) +
    (/\d/.test(line) ? 1 : 0) +
    Math.min(line.length, 80) / 100
  );
}
