/** `holdWords`, `stillWaiting`, `sparedWords`: what a hold keeps and what it spares, in words. */
import type { HoldKind, HoldNotice } from '../vocabulary/hold.ts';
import { accountHeld } from './account-held.ts';

const WORDS: Readonly<Record<HoldKind, string>> = {
  limit: 'the usage limit',
  login: 'the login',
  network: 'the network',
  overload: 'the overload',
  disk: 'room on the disk',
  shared_cause: 'the same cause',
  fleet: 'the cap of the fleet',
};

export function holdWords({ kind, key }: Pick<HoldNotice, 'kind' | 'key'>): string {
  const agent = kind === 'login' || kind === 'limit' ? accountHeld(key)?.agent : undefined;
  return agent === undefined ? WORDS[kind] : `${WORDS[kind]} of ${agent}`;
}

/** `k7f2, c5tt still wait for the overload`: one part for each thing that is waited for. */
export function stillWaiting(
  staying: readonly { readonly run: string; readonly waits: string }[],
): readonly string[] {
  return [...Map.groupBy(staying, ({ waits }) => waits)].map(([waits, group]) => {
    const runs = group.map(({ run }) => run).join(', ');
    return `${runs} still ${group.length === 1 ? 'waits' : 'wait'} for ${waits}`;
  });
}

/** A hold keeps runs from starting agents; an agent that works hears nothing of it. Null: nothing to wonder about. */
export function sparedWords(kind: HoldKind): string | null {
  if (kind !== 'login') return null;
  const why = 'because their own calls have not been refused';
  return `Agents that already work go on, ${why}; a run is held only when it is refused itself or has to start an agent`;
}
