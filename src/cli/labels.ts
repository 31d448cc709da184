/** `labelsOf`: reads `--labels A,B`: what a host offers, or what a run asks for. */
import { assertLabels } from '../supervise/request/assert-labels.ts';
import type { Invocation } from './command.ts';
import { textOf } from './option-values.ts';

export function labelsOf(invocation: Invocation): readonly string[] {
  const labels = (textOf(invocation, 'labels') ?? '').split(',').filter((label) => label !== '');
  assertLabels(labels);
  return [...new Set(labels)];
}
