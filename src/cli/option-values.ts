/** `textOf`, `listOf`: the value of one option of an invocation by its type. */
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
