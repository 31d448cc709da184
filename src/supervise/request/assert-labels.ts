/** `assertLabels`: refuses what cannot be a label: what a host of a fleet offers, or what a run asks for. */
import { usageError } from '../../platform/mayday-error.ts';

export function assertLabels(labels: readonly string[]): void {
  for (const label of labels)
    if (!/^[a-z0-9][a-z0-9._=-]{0,62}$/.test(label))
      throw usageError('WRONG_LABEL', `${JSON.stringify(label.slice(0, 80))} cannot be a label`, [
        ['do', 'use small letters, digits, ".", "_", "=" and "-", with commas between labels'],
      ]);
}
