/** How simulated supervisors carry out the fleet's rules, on a table that all of them share. */
import type { Fact } from '../../src/core/vocabulary/events/event.ts';
import { fleetTurn } from '../../src/core/fleet/fleet-turn.ts';
import { changedHold, type HoldChange, keyOf, PROBE_TTL_MS } from '../../src/core/vocabulary/hold.ts';
import type { PlantedBug } from './planted-bugs.ts';
import type { SimulatedRun } from './simulated-run.ts';
import type { World } from './world.ts';

export function lookAtFleet(
  world: World,
  run: SimulatedRun,
  submit: (fact: Fact) => void,
  starting: number | null,
): void {
  const { clock, bug, holds } = world;
  const look = () =>
    fleetTurn(
      run.state,
      { host: run.host, account: run.account },
      {
        holds: [...holds.values()],
        sightings: world.sightings,
        ended: world.runs.filter(({ state }) => state.life.type === 'ended').map(({ id }) => id),
      },
      clock.now,
      starting,
    );
  const turn = look();
  for (const change of turn.changes) {
    if (isSabotaged(bug, change)) continue;
    // Time is up: everybody may go, nobody tries first.
    const wanted =
      change.type === 'claim' && bug.wakesTheHerd ? { ...change, type: 'lift' as const } : change;
    const row = changedHold(holds.get(keyOf(change)) ?? null, wanted);
    if (row === null) continue;
    holds.set(row.key, row);
    const { wake_stagger_ms } = run.state.policy;
    world.wakeAll([1, (row.until ?? 0) - clock.now + 1, wake_stagger_ms + 1, PROBE_TTL_MS + 1]);
  }
  if (turn.shared !== null && holds.get(turn.shared.key)?.holder === run.id) submit(turn.shared);
  const tell = (facts: readonly Fact[]) => facts.filter((fact) => !isUnseen(bug, fact)).forEach(submit);
  tell(turn.facts);
  // What was just placed concerns the start that is about to happen.
  if (turn.changes.length > 0 && starting !== null) tell(look().facts);
}

function isSabotaged(bug: PlantedBug, change: HoldChange): boolean {
  if (change.type !== 'place') return false;
  const { kind } = change.hold;
  return (kind === 'shared_cause' && bug.ignoresSharedCause) || (kind === 'fleet' && bug.ignoresFleetCap);
}

/** The hold is there and nobody heeds it. */
function isUnseen({ blindTo }: PlantedBug, fact: Fact): boolean {
  return fact.type === 'held' && fact.hold.kind === blindTo;
}
