/** What stands below the message of an error: more of what happened, what Mayday did about it, what the person can do now. */
export type ErrorAdvice = readonly [label: 'happened' | 'did' | 'do', text: string];

/**
 * The world failed us (not an agent, not our own promise). Printed as: what happened, what Mayday did, what you can do now.
 */
export class MaydayError extends Error {
  readonly code: string;
  /** Pairs of a short label and a text, in the order a person needs them. */
  readonly advice: readonly ErrorAdvice[];
  /** 2 for wrong usage, 1 for everything else. */
  readonly exitCode: 1 | 2;

  constructor(
    code: string,
    message: string,
    advice: readonly ErrorAdvice[] = [],
    options: { exitCode?: 1 | 2; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.advice = advice;
    this.exitCode = options.exitCode ?? 1;
  }
}

/** Wrong usage: the person can fix the command line. Exit 2. */
export function usageError(code: string, message: string, advice: readonly ErrorAdvice[] = []): MaydayError {
  return new MaydayError(code, message, advice, { exitCode: 2 });
}
