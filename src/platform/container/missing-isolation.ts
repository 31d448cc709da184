/** `missingIsolation`: what a program must be kept from and is not; null: it may start. */
import type { HidingNote } from './attempt-files.ts';
import type { HiddenHome } from './hide-home.ts';

export function missingIsolation(hidden: HiddenHome | null, note: HidingNote): string | null {
  const { withoutNetwork = false, required = [] } = hidden ?? {};
  if (note.type === 'shown')
    return withoutNetwork
      ? `it must have no network: ${note.why}`
      : required.length === 0
        ? null
        : `Mayday's own folder must be hidden from it as from the agent: ${note.why}`;
  if (required.includes('layered') && note.isUnlayered === true)
    return 'the caches of tools cannot be kept apart from what the agent wrote there';
  return required.includes('scoped') && note.isUnscoped === true
    ? 'it could look into processes outside, which the agent could not'
    : null;
}
