/** `hiddenFrom`, `agentUser`: how Mayday's own folder is hidden from a program of a run, and which user that program is. */
import type { HiddenHome, Layer } from '../platform/container/hide-home.ts';
import type { RunState } from '../core/state/run-state.ts';
import { type AgentUser, findUser } from '../platform/process/agent-user.ts';
import { personSockets } from '../platform/process/outside-programs.ts';

export function hiddenFrom(
  { home, state }: { readonly home: string; readonly state: Pick<RunState, 'runId' | 'policy' | 'options'> },
  show: readonly string[],
  {
    blocker = null,
    owns = show,
    layers = [],
  }: {
    readonly blocker?: string | null;
    readonly owns?: readonly string[];
    readonly layers?: readonly Layer[];
  } = {},
): { readonly hidden?: HiddenHome } {
  const user = agentUser(state);
  if (state.policy.hide_home === 0 && user === null) return {};
  // Another user cannot open the sockets of this one.
  const as = user === null ? personSockets() : { user, owns };
  return { hidden: { home, show, inside: { runId: state.runId, blocker }, layers, ...as } };
}

/** The user that the agent and the checks of a run are; null: the one that Mayday itself is. */
export function agentUser({ options }: Pick<RunState, 'options'>): AgentUser | null {
  return options.asUser === undefined ? null : findUser(options.asUser);
}
