/** `evolveMission`: folds an event into the missions. */
import type { RunEvent } from '../vocabulary/events/event.ts';
import type { Mission } from '../vocabulary/mission.ts';
import { openMission, type RunState } from './run-state.ts';

export function evolveMission(state: RunState, event: RunEvent): RunState {
  switch (event.type) {
    case 'mission_started': {
      const { mission: id, incident, owner, plan, detectedAt, at } = event;
      const mission: Mission = {
        id,
        incident,
        owner,
        plan,
        detectedAt,
        diagnosedAt: at,
        injectedAt: null,
        resumedAt: null,
        resolvedAt: null,
        enrichedAt: null,
        outcome: null,
        contextUpdates: [],
        enrichmentReason: null,
      };
      return { ...state, missions: [...state.missions, mission] };
    }
    case 'attempt_planned':
      return changeOpen(state, ({ injectedAt }) => ({ injectedAt: injectedAt ?? event.at }));
    case 'attempt_started':
      return changeOpen(state, ({ injectedAt, resumedAt }) =>
        injectedAt === null ? {} : { resumedAt: resumedAt ?? event.at },
      );
    case 'mission_closed':
      return change(state, event.mission, () => ({ outcome: event.outcome, resolvedAt: event.at }));
    case 'mission_enriched':
      return change(state, event.mission, ({ contextUpdates }) => ({
        enrichedAt: event.at,
        contextUpdates: [...contextUpdates, ...event.contextUpdates],
        enrichmentReason: event.reason,
      }));
    default:
      return state;
  }
}

function changeOpen(state: RunState, fields: (mission: Mission) => Partial<Mission>): RunState {
  const open = openMission(state);
  return open === undefined ? state : change(state, open.id, fields);
}

function change(state: RunState, id: string, fields: (mission: Mission) => Partial<Mission>): RunState {
  const changed = (one: Mission) => (one.id === id ? { ...one, ...fields(one) } : one);
  return { ...state, missions: state.missions.map(changed) };
}
