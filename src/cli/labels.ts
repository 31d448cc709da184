/** `labelsOf`: reads `--labels A,B`: what a host offers, or what a run asks for. */
import { usageError } from '../platform/mayday-error.ts';
import type { Invocation } from './command.ts';
import { textOf } from './option-values.ts';

export function labelsOf(invocation: Invocation): readonly string[] {
  const labels = (textOf(invocation, 'labels') ?? '').split(',').filter((label) => label !== '');
  for (const label of labels)
    if (!/^[a-z0-9][a-z0-9._=-]{0,62}$/.test(label))
      throw usageError('WRONG_LABEL', `${JSON.stringify(label.slice(0, 80))} cannot be a label`, [
        ['do', 'use small letters, digits, ".", "_", "=" and "-", with commas between labels'],
      ]);
  return [...new Set(labels)];
}
