/** `lastCheck`, `couldRun`, `CHECKED_EDIT`: the last test, build or lint of a run, and whether it ran at all. */
import { bareCommand } from '../check-mark.ts';
import { missingTool } from '../detectors/loops/tool-missing.ts';
import type { RecordedTurn } from './recorded-turn.ts';

const MISSING_FILE = /(?:^|[\s:])([\w./-]{1,120}): no such file/i;
const MISSING_MODULE = /no module named ['"]?([\w-]{1,60})|\b(JAVA_HOME)\b/i;

/** Programs that ask for the checks that run elsewhere, and end by their verdict; behind a pipe it is lost. */
const ASKS_CHECKS = /^(?:gh pr checks|gh run watch|glab ci status)\b[^|;&]*$/;
/** Some tools change a file and run the checks at once. */
export const CHECKED_EDIT =
  /\bBUILD FAIL|\bAssertion\w*Error\b|\bAssertionFailed|\b\d+ fail(?:ed|ing|ures?)\b/;
const NOT_DECIDED = /\b(?:pending|queued|in[ _]progress|running|waiting)\b/i;

/** The last check that ran; otherwise the last that was tried. */
export function lastCheck(turns: readonly RecordedTurn[]): RecordedTurn | null {
  const checks = turns.filter(
    ({ kind, input, failed, errorLine }) =>
      kind === 'test' ||
      (kind === 'edit' && failed && CHECKED_EDIT.test(errorLine)) ||
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
