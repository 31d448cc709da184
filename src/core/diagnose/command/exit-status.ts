/** `readExit`, `signalName`, `isInterrupt`: what an exit code or a signal means by convention, without the text. */
import type { FailureClass } from '../../vocabulary/classes/failure-class.ts';
import type { CommandFacts } from './command-line.ts';

export interface ExitMeaning {
  readonly known: boolean;
  readonly failed: boolean;
  /** Names the failure by itself, where the convention is firm. */
  readonly failureClass: FailureClass | null;
  readonly words: string;
}

/** By their numbers: the name, and the failure that the signal tells. */
const SIGNALS: Readonly<Record<number, readonly [name: string, failureClass: FailureClass | null]>> = {
  1: ['SIGHUP', 'interrupted'],
  2: ['SIGINT', 'interrupted'],
  3: ['SIGQUIT', 'interrupted'],
  4: ['SIGILL', 'runtime_error'],
  6: ['SIGABRT', 'runtime_error'],
  7: ['SIGBUS', 'runtime_error'],
  8: ['SIGFPE', 'runtime_error'],
  9: ['SIGKILL', 'resource_exhausted'],
  11: ['SIGSEGV', 'runtime_error'],
  13: ['SIGPIPE', null],
  14: ['SIGALRM', 'timeout'],
  15: ['SIGTERM', 'interrupted'],
  24: ['SIGXCPU', 'resource_exhausted'],
  25: ['SIGXFSZ', 'resource_exhausted'],
  31: ['SIGSYS', 'runtime_error'],
};
const CLASS_OF = new Map(Object.values(SIGNALS));

/** What shells end with when they could not start a program. */
const NOT_STARTED: Readonly<Record<number, readonly [failureClass: FailureClass, words: string]>> = {
  126: ['permission_denied', 'not executable'],
  127: ['missing_dependency', 'command not found'],
};

export function readExit(
  exitCode: number | null | undefined,
  signal: string | null | undefined,
  command: CommandFacts,
): ExitMeaning {
  const name = signalName(exitCode, signal);
  if (name !== null) {
    const byDeadline = command.hasDeadline && (name === 'SIGKILL' || name === 'SIGTERM');
    return {
      known: true,
      failed: name !== 'SIGPIPE',
      failureClass: byDeadline ? 'timeout' : (CLASS_OF.get(name) ?? null),
      words: byDeadline ? `timeout(1) ended it with ${name}` : `ended by ${name}`,
    };
  }
  if (exitCode === null || exitCode === undefined)
    return { known: false, failed: false, failureClass: null, words: '' };
  if (exitCode === 0) return { known: true, failed: false, failureClass: null, words: 'exit code 0' };
  const words = `exit code ${exitCode}`;
  if (exitCode === 124 && (command.hasDeadline || command.programs.length === 0))
    return { known: true, failed: true, failureClass: 'timeout', words: `${words}: timeout(1) ended it` };
  const [failureClass, why] = NOT_STARTED[exitCode] ?? [null, ''];
  return { known: true, failed: true, failureClass, words: why === '' ? words : `${words}: ${why}` };
}

/** Shells make an exit code above 128 of a signal. */
export function signalName(
  exitCode: number | null | undefined,
  signal: string | null | undefined,
): string | null {
  if (signal !== null && signal !== undefined && signal !== '') {
    const upper = signal.toUpperCase();
    if (/^\d+$/.test(upper)) return SIGNALS[Number(upper)]?.[0] ?? `signal ${upper}`;
    return upper.startsWith('SIG') ? upper : `SIG${upper}`;
  }
  if (exitCode !== null && exitCode !== undefined && exitCode > 128 && exitCode < 160)
    return SIGNALS[exitCode - 128]?.[0] ?? null;
  return null;
}

/** A person or the machine asked the process to end. */
export function isInterrupt(signal: string | null): boolean {
  return signal === 'SIGINT' || signal === 'SIGTERM' || signal === 'SIGHUP';
}
