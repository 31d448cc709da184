/**
 * `printError`: prints what happened, what Mayday did, and what the person can do now. Its first line begins with `ERROR_MARK`.
 * `asProblem`: the same as a document.
 */
import { MaydayError } from './mayday-error.ts';
import { exhausted, pathOf } from './storage-error.ts';

export const ERROR_MARK = 'mayday: ';
const LABEL_WIDTH = 12;

/** The same for a program: one shape at every door. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly code: string;
  readonly happened: readonly string[];
  readonly did: readonly string[];
  readonly do: readonly string[];
}

export function printError(thrown: unknown, stderr: { write(text: string): unknown }): number {
  const error = exhausted(thrown, pathOf(thrown));
  const { code, message, advice, exitCode } = errorOf(error);
  const isOurs = error instanceof MaydayError;
  const stack = isOurs ? '' : `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`;
  const lines = advice.map(([label, text], at) => {
    // A label stands once, before the first of its lines.
    const shown = advice[at - 1]?.[0] === label ? '' : label;
    return `  ${shown.padEnd(LABEL_WIDTH)}${text}\n`;
  });
  stderr.write(`${ERROR_MARK}${message} (${code})\n${stack}${lines.join('')}`);
  return exitCode;
}

/** `details`: where the stack of an error without a code can be read; it is not told to a program. */
export function asProblem(thrown: unknown, details?: string): Problem {
  const { code, message, advice } = errorOf(exhausted(thrown, pathOf(thrown)), details);
  const lines = (label: string) => advice.filter(([name]) => name === label).map(([, text]) => text);
  return {
    type: `urn:mayday:error:${code}`,
    title: message,
    code,
    happened: lines('happened'),
    did: lines('did'),
    do: lines('do'),
  };
}

function errorOf(
  error: unknown,
  details = '`mayday verify` tells whether the record holds',
): Pick<MaydayError, 'code' | 'message' | 'advice' | 'exitCode'> {
  if (error instanceof MaydayError) return error;
  const message = "a promise of Mayday's own code was broken";
  return { code: 'INTERNAL', message, advice: [['do', `please report this; ${details}`]], exitCode: 1 };
}
