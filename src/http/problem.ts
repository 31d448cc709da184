/** `problemDocument`: an error as a problem document (RFC 9457), with the code and the advice that the command line prints. */
import { MaydayError } from '../platform/mayday-error.ts';

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly happened: readonly string[];
  readonly did: readonly string[];
  readonly do: readonly string[];
}

/** Codes that say more than "wrong usage" or "the machine failed". */
const STATUS: Readonly<Record<string, number>> = {
  NOT_LOGGED_IN: 401,
  LINK_USED: 401,
  NOT_ALLOWED: 403,
  NOT_A_PERSON: 403,
  NOT_TOLD_APART: 403,
  WRONG_HOST: 421,
  UNKNOWN_RUN: 404,
  UNKNOWN_QUESTION: 404,
  UNKNOWN_CAUSE: 404,
  UNKNOWN_LESSON: 404,
  UNKNOWN_HOLD: 404,
  UNKNOWN_PAGE: 404,
  UNKNOWN_MISSION: 404,
  UNKNOWN_HOST: 404,
  UNKNOWN_FIGURE: 404,
  UNKNOWN_REPOSITORY: 404,
  QUESTION_CLOSED: 409,
  RUN_ENDED: 409,
  RUN_NOT_ENDED: 409,
  NOT_WORKING: 409,
  RESCUE_UNDER_WAY: 409,
  MISSION_UNDER_WAY: 409,
  MISSION_CLOSED: 409,
  RESTORE_REFUSED: 409,
  NOT_HEARD_YET: 504,
  INTERNAL: 500,
};
const WRONG_USAGE = 422;
const MACHINE_FAILED = 503;

export function problemDocument(thrown: unknown): Problem {
  const error = thrown instanceof MaydayError ? thrown : internal(thrown);
  const lines = (label: string) => error.advice.filter(([name]) => name === label).map(([, text]) => text);
  return {
    type: `urn:mayday:error:${error.code}`,
    title: error.message,
    status: STATUS[error.code] ?? (error.exitCode === 2 ? WRONG_USAGE : MACHINE_FAILED),
    code: error.code,
    happened: lines('happened'),
    did: lines('did'),
    do: lines('do'),
  };
}

/** The stack stays in the terminal: a page must not show how Mayday is built. */
function internal(cause: unknown): MaydayError {
  return new MaydayError(
    'INTERNAL',
    "a promise of Mayday's own code was broken",
    [['do', 'please report this; the terminal of mayday serve has the details']],
    { cause },
  );
}
