/** `hiddenFrom`: how Mayday's own folder is hidden from a program of a run, by its policy. */
import type { HiddenHome } from '../platform/container/hide-home.ts';
import type { ActContext } from './act.ts';

export function hiddenFrom(
  { home, state }: Pick<ActContext, 'home' | 'state'>,
  show: readonly string[],
  blocker: string | null = null,
): { readonly hidden?: HiddenHome } {
  if (state.policy.hide_home === 0) return {};
  return { hidden: { home, show, inside: { runId: state.runId, blocker } } };
}
