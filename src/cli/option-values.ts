/** `textOf`, `listOf`, `wholeNumberOf`: the value of one option of an invocation by its type. */
import { usageError } from '../platform/mayday-error.ts';
import type { Invocation } from './command.ts';

/** Undefined: not given. */
export function textOf({ options }: Pick<Invocation, 'options'>, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** Empty: not given. */
export function listOf({ options }: Pick<Invocation, 'options'>, name: string): readonly string[] {
  const value = options[name];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

/** Undefined: not given. */
export function wholeNumberOf(
  invocation: Pick<Invocation, 'options'>,
  name: string,
  { min = 1, max = MAX_NUMBER }: { readonly min?: number; readonly max?: number } = {},
): number | undefined {
  const given = textOf(invocation, name);
  if (given === undefined) return undefined;
  const value = Number(given);
  if (/^\d{1,9}$/.test(given) && value >= min && value <= max) return value;
  const bounds = max === MAX_NUMBER ? `from ${min}` : `from ${min} to ${max}`;
  throw usageError(
    'WRONG_NUMBER',
    `--${name} is a whole number ${bounds}, not ${JSON.stringify(given.slice(0, 40))}`,
    [['do', `write it like --${name} ${Math.max(min, 1)}`]],
  );
}

const MAX_NUMBER = 999_999_999;
