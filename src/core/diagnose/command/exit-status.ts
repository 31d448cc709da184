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

const SIGNAL_NUMBERS: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  4: 'SIGILL',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  14: 'SIGALRM',
  15: 'SIGTERM',
  24: 'SIGXCPU',
  25: 'SIGXFSZ',
  31: 'SIGSYS',
};

const BY_SIGNAL: Readonly<Record<string, FailureClass>> = {
  SIGHUP: 'interrupted',
  SIGINT: 'interrupted',
  SIGQUIT: 'interrupted',
  SIGTERM: 'interrupted',
  SIGKILL: 'resource_exhausted',
  SIGILL: 'runtime_error',
  SIGABRT: 'runtime_error',
  SIGBUS: 'runtime_error',
  SIGFPE: 'runtime_error',
  SIGSEGV: 'runtime_error',
  SIGSYS: 'runtime_error',
  SIGALRM: 'timeout',
  SIGXCPU: 'resource_exhausted',
  SIGXFSZ: 'resource_exhausted',
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
      failureClass: byDeadline ? 'timeout' : (BY_SIGNAL[name] ?? null),
      words: byDeadline ? `timeout(1) ended it with ${name}` : `ended by ${name}`,
    };
  }
  if (exitCode === null || exitCode === undefined)
    return { known: false, failed: false, failureClass: null, words: '' };
  if (exitCode === 0) return { known: true, failed: false, failureClass: null, words: 'exit code 0' };
  const words = `exit code ${exitCode}`;
  if (exitCode === 124 && (command.hasDeadline || command.programs.length === 0))
    return { known: true, failed: true, failureClass: 'timeout', words: `${words}: timeout(1) ended it` };
  if (exitCode === 127)
    return {
      known: true,
      failed: true,
      failureClass: 'missing_dependency',
      words: `${words}: command not found`,
    };
  if (exitCode === 126)
    return {
      known: true,
      failed: true,
      failureClass: 'permission_denied',
      words: `${words}: not executable`,
    };
  return { known: true, failed: true, failureClass: null, words };
}

/** Shells make an exit code above 128 of a signal. */
export function signalName(
  exitCode: number | null | undefined,
  signal: string | null | undefined,
): string | null {
  if (signal !== null && signal !== undefined && signal !== '') {
    const upper = signal.toUpperCase();
    if (/^\d+$/.test(upper)) return SIGNAL_NUMBERS[Number(upper)] ?? `signal ${upper}`;
    return upper.startsWith('SIG') ? upper : `SIG${upper}`;
  }
  if (exitCode !== null && exitCode !== undefined && exitCode > 128 && exitCode < 160)
    return SIGNAL_NUMBERS[exitCode - 128] ?? null;
  return null;
}

/** A person or the machine asked the process to end. */
export function isInterrupt(signal: string | null): boolean {
  return signal === 'SIGINT' || signal === 'SIGTERM' || signal === 'SIGHUP';
}
