/** `fleetFigures`: how many runs stand where, what waits for a person, what was rescued: for a monitor that asks every few seconds. */
import { readAllMetrics } from '../core/view/metrics-code.ts';
import type { RunRecord } from '../record/contract.ts';
import { activeHolds } from '../supervise/active-holds.ts';

export interface FleetFigures {
  readonly runs: ReadonlyMap<string, number>;
  readonly openQuestions: number;
  /** Runs that wait for a hold. */
  readonly heldRuns: number;
  readonly holds: ReadonlyMap<string, number>;
  readonly incidents: ReadonlyMap<string, number>;
  /** Incidents whose progress was verified afterwards. */
  readonly rescues: number;
  readonly missions: number;
  readonly attempts: number;
  readonly tokens: number;
  readonly costUsd: number;
}

/** Sessions from before Mayday that were imported are in reports, not here: nothing of them happens now. */
export async function fleetFigures(record: RunRecord, now: number): Promise<FleetFigures> {
  const rows = await record.rows({ withoutView: true });
  const own = new Set(rows.map(({ runId }) => runId));
  const runs = readAllMetrics(await record.metrics()).runs.filter(({ id }) => own.has(id));
  const incidents = runs.flatMap((run) => run.incidents);
  const holds = await activeHolds(record, now);
  return {
    runs: counted(rows.map(({ state }) => state)),
    openQuestions: rows.filter(({ needsPerson }) => needsPerson).length,
    heldRuns: new Set(holds.flatMap(({ waiting }) => waiting)).size,
    holds: counted(holds.map(({ hold }) => hold.kind)),
    incidents: counted(incidents.map((incident) => incident.class)),
    rescues: incidents.filter(({ outcome }) => outcome === 'resolved').length,
    missions: sum(runs.map(({ missions }) => missions.length)),
    attempts: sum(runs.map(({ attempts }) => attempts)),
    tokens: sum(runs.map(({ tokens }) => tokens)),
    costUsd: sum(runs.map(({ cost }) => cost)),
  };
}

function counted(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names.toSorted()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
