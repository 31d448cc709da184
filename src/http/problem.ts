/** `problemDocument`: an error as a problem document (RFC 9457), with the code and the advice that the command line prints. */
import { MaydayError } from '../platform/mayday-error.ts';
import { asProblem, type Problem } from '../platform/print-error.ts';

export interface HttpProblem extends Problem {
  readonly status: number;
}

/** Codes that say more than "wrong usage" or "the machine failed". */
// biome-ignore format: words stand together
const STATUS: Readonly<Record<string, number>> = {
  NOT_LOGGED_IN: 401, LINK_USED: 401, NOT_ALLOWED: 403, NOT_A_PERSON: 403, NOT_TOLD_APART: 403,
  WRONG_HOST: 421, UNKNOWN_RUN: 404, UNKNOWN_QUESTION: 404, UNKNOWN_CAUSE: 404, UNKNOWN_LESSON: 404,
  UNKNOWN_HOLD: 404, UNKNOWN_PAGE: 404, UNKNOWN_MISSION: 404, UNKNOWN_HOST: 404, UNKNOWN_FIGURE: 404,
  UNKNOWN_REPOSITORY: 404, QUESTION_CLOSED: 409, RUN_ENDED: 409, RUN_NOT_ENDED: 409, NOT_WORKING: 409,
  RESCUE_UNDER_WAY: 409, MISSION_UNDER_WAY: 409, MISSION_CLOSED: 409, RESTORE_REFUSED: 409,
  NOT_HEARD_YET: 504, INTERNAL: 500,
};
const WRONG_USAGE = 422;
const MACHINE_FAILED = 503;

/** The stack stays in the terminal: a page must not show how Mayday is built. */
export function problemDocument(thrown: unknown): HttpProblem {
  const problem = asProblem(thrown, 'the terminal of mayday serve has the details');
  const isUsage = thrown instanceof MaydayError && thrown.exitCode === 2;
  return { ...problem, status: STATUS[problem.code] ?? (isUsage ? WRONG_USAGE : MACHINE_FAILED) };
}
