/** `textOf`, `listOf`, `numberOf`, `secondsOf`, `wholeNumberOf`, `labelsOf`: the value of one option of an invocation by its type. */
import { usageError } from '../platform/mayday-error.ts';
import { assertLabels } from '../supervise/request/assert-labels.ts';
import type { Invocation } from './command.ts';

export function textOf({ options }: Pick<Invocation, 'options'>, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** Empty: not given. */
export function listOf({ options }: Pick<Invocation, 'options'>, name: string): readonly string[] {
  const value = options[name];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

interface NumberBounds {
  readonly min?: number;
  readonly max?: number;
  /** A number that a person would write. */
  readonly like?: number;
}

/** Undefined: not given. */
export function wholeNumberOf(
  invocation: Pick<Invocation, 'options'>,
  name: string,
  { min = 1, max = MAX_NUMBER, like = Math.max(min, 1) }: NumberBounds = {},
): number | undefined {
  const given = textOf(invocation, name);
  if (given === undefined) return undefined;
  const value = Number(given);
  if (/^-?\d{1,9}$/.test(given) && value >= min && value <= max) return value;
  const bounds = max === MAX_NUMBER ? `from ${min}` : `from ${min} to ${max}`;
  throw usageError(
    'WRONG_NUMBER',
    `--${name} is a whole number ${bounds}, not ${JSON.stringify(given.slice(0, 40))}`,
    [['do', `write it like --${name} ${like}`]],
  );
}

const MAX_NUMBER = 999_999_999;

/** Undefined: not given. */
export function numberOf(invocation: Pick<Invocation, 'options'>, name: string): number | undefined {
  const given = textOf(invocation, name);
  if (given === undefined) return undefined;
  if (DECIMAL.test(given) && Number.isFinite(Number(given))) return Number(given);
  throw usageError('WRONG_NUMBER', `--${name} ${JSON.stringify(given.slice(0, 40))} is not a number`, [
    ['do', 'write it like 5 or 2.50'],
  ]);
}

/** In milliseconds; parts of a second may be given. Undefined: not given. */
export function secondsOf(invocation: Pick<Invocation, 'options'>, name: string): number | undefined {
  const seconds = numberOf(invocation, name);
  if (seconds === undefined) return undefined;
  if (seconds > 0 && seconds <= MAX_SECONDS) return seconds * 1_000;
  throw usageError('WRONG_NUMBER', `--${name} is a number of seconds above 0, at most ${MAX_SECONDS}`, [
    ['do', `write it like --${name} 2`],
  ]);
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i;
/** A timer of Node that is longer than 2^31 ms fires at once. */
const MAX_SECONDS = 2_147_483;

export function labelsOf(invocation: Invocation): readonly string[] {
  const labels = (textOf(invocation, 'labels') ?? '').split(',').filter((label) => label !== '');
  assertLabels(labels);
  return [...new Set(labels)];
}
