/** `TranscriptReading`, `readWhole`, `couldRun`: what an autopsy reads from a transcript before it judges. */
import type { Signal } from '../../vocabulary/signal.ts';
import type { TranscriptEntry } from '../../vocabulary/transcript.ts';
import type { OpenCall } from '../agent-turn.ts';
import { type RecordedTurn, recordTurn } from './recorded-turn.ts';
import type { DetectPolicy } from '../detector.ts';
import { watchOver } from '../watch.ts';
import { endOf, type TranscriptEnd } from './run-end.ts';
import { bareCommand } from '../check-mark.ts';
import { missingTool } from '../detectors/loops/tool-missing.ts';

export interface TranscriptReading {
  readonly entries: readonly TranscriptEntry[];
  readonly turns: readonly RecordedTurn[];
  readonly signals: readonly Signal[];
  /** The calls without a result when the transcript ends. */
  readonly inFlight: readonly OpenCall[];
  /** The text with which the run began. */
  readonly task: string;
  readonly endedBy: TranscriptEnd;
  readonly lastCheck: RecordedTurn | null;
  /** The last check ran, and failed. */
  readonly isRed: boolean;
  /** The run says that it is done, and no check says otherwise. */
  readonly isDone: boolean;
}

export function readWhole(
  entries: readonly TranscriptEntry[],
  limits: Partial<DetectPolicy>,
): TranscriptReading {
  const signals: Signal[] = [];
  const turns: RecordedTurn[] = [];
  let inFlight: readonly OpenCall[] = [];
  for (const { watch, turn, signals: raised } of watchOver(entries, limits)) {
    if (turn !== null) turns.push(recordTurn(entries, turn));
    signals.push(...raised);
    inFlight = watch.trail.open;
  }
  const endedBy = endOf(entries, turns);
  const check = lastCheck(turns);
  const isRed = check !== null && check.failed && couldRun(check);
  const first = entries.find((entry) => entry.type === 'message' && entry.role === 'person');
  return {
    entries,
    turns,
    signals,
    inFlight,
    task: first?.type === 'message' ? first.text : '',
    endedBy,
    lastCheck: check,
    isRed,
    isDone: endedBy === 'result' && !isRed,
  };
}

const MISSING_FILE = /(?:^|[\s:])([\w./-]{1,120}): no such file/i;
const MISSING_MODULE = /no module named ['"]?([\w-]{1,60})|\b(JAVA_HOME)\b/i;

/** Programs that ask for the checks that run elsewhere, and end by their verdict; behind a pipe it is lost. */
const ASKS_CHECKS = /^(?:gh pr checks|gh run watch|glab ci status)\b[^|;&]*$/;
/** Some tools change a file and run the checks at once. */
export const CHECKED_EDIT =
  /\bBUILD FAIL|\bAssertion\w*Error\b|\bAssertionFailed|\b\d+ fail(?:ed|ing|ures?)\b/;
const NOT_DECIDED = /\b(?:pending|queued|in[ _]progress|running|waiting)\b/i;

function lastCheck(turns: readonly RecordedTurn[]): RecordedTurn | null {
  const checks = turns.filter(
    ({ kind, input, failed, errorLine, output }) =>
      kind === 'test' ||
      (kind === 'edit' && failed && CHECKED_EDIT.test(output)) ||
      (kind === 'wait' && ASKS_CHECKS.test(bareCommand(input)) && !(failed && NOT_DECIDED.test(errorLine))),
  );
  return checks.findLast(couldRun) ?? checks.at(-1) ?? null;
}

/** False: what the command itself needs is not there, so the failure says nothing about the work. */
export function couldRun(check: RecordedTurn): boolean {
  if (!check.failed) return true;
  const [, module, home] = MISSING_MODULE.exec(check.errorLine) ?? [];
  const program = MISSING_FILE.exec(check.errorLine)?.[1];
  if (program !== undefined && bareCommand(check.input).startsWith(program)) return false;
  const isMissing = home !== undefined || (module !== undefined && check.input.includes(module));
  return !isMissing && missingTool(check) === null;
}
