/**
 * `MaydayError`: an error of the outside world, with a code and advice for the person: what happened, what Mayday did, what you can do
 * now. It is not for failures of agents, nor for bugs of Mayday. `usageError`: one for a command line that cannot be meant.
 */

/** A line below the message of an error: more of what happened, what Mayday did about it, or what the person can do now. */
export type ErrorAdvice = readonly [label: 'happened' | 'did' | 'do', text: string];

export class MaydayError extends Error {
  readonly code: string;
  /** Pairs of a short label and a text, in the order a person needs them. */
  readonly advice: readonly ErrorAdvice[];
  /** 2 for wrong usage, 1 for everything else. */
  readonly exitCode: 1 | 2;

  constructor(code: string, message: string, advice: readonly ErrorAdvice[] = [], exitCode: 1 | 2 = 1) {
    super(message);
    this.code = code;
    this.advice = advice;
    this.exitCode = exitCode;
  }

  /** Hidden like the `cause` of any error: it is not printed with the fields. */
  causedBy(error: unknown): this {
    return Object.defineProperty(this, 'cause', { value: error, configurable: true, writable: true });
  }
}

/** Wrong usage: the person can fix the command line. Exit 2. */
export function usageError(code: string, message: string, advice: readonly ErrorAdvice[] = []): MaydayError {
  return new MaydayError(code, message, advice, 2);
}
