/**
 * `materializeGate`: the blockers before the sink is written: approvals that a policy wants for the delivery. Whether the sink can be
 * written, the sink itself tells.
 */
import { blocker } from '../vocabulary/blockers/blocker.ts';
import type { Blocker } from '../vocabulary/blockers/blocker-rule.ts';
import type { ComposeFacts } from '../vocabulary/events/compose-facts.ts';

export function materializeGate(compose: ComposeFacts | undefined): readonly Blocker[] {
  return (compose?.findings ?? [])
    .filter(({ kind, approval }) => kind === 'approval' && approval === 'delivery')
    .map(({ rule, says, evidence }) =>
      blocker('approval_required', { source: 'policy', rule, says, paths: evidence }),
    );
}
