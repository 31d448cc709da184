/**
 * `fleetFigures`, `FIGURES`: how many runs stand where, what waits for a person, what was rescued: for a monitor that asks every few
 * seconds.
 */
import type { RunRecord } from '../record/contract.ts';
import { activeHolds } from './active-holds.ts';
import { allMetrics } from './all-metrics.ts';

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
  /** When the first run began; null: there is none. */
  readonly since: number | null;
}

export type Samples = number | { readonly by: string; readonly counts: ReadonlyMap<string, number> };

interface Figure {
  readonly name: string;
  readonly type: 'gauge' | 'counter';
  readonly help: string;
  readonly samples: (figures: FleetFigures) => Samples;
}

type Row = (name: string, help: string, samples: Figure['samples']) => Figure;
const gauge: Row = (name, help, samples) => ({ name, type: 'gauge', help, samples });
const counter: Row = (name, help, samples) => ({ name, type: 'counter', help, samples });

/** For a Prometheus server and for a collector. Names and labels are promised: add, never rename. */
export const FIGURES: readonly Figure[] = [
  gauge('mayday_runs', 'Runs by state.', ({ runs }) => ({ by: 'state', counts: runs })),
  gauge(
    'mayday_queue_depth',
    'Runs that wait for a worker to take them.',
    ({ runs }) => runs.get('queued') ?? 0,
  ),
  gauge('mayday_questions_open', 'Questions that wait for a person.', ({ openQuestions }) => openQuestions),
  gauge('mayday_holds', 'Holds in force by kind.', ({ holds }) => ({ by: 'kind', counts: holds })),
  gauge('mayday_runs_held', 'Runs that wait for a hold.', ({ heldRuns }) => heldRuns),
  counter('mayday_incidents_total', 'Incidents by failure class.', ({ incidents }) => ({
    by: 'class',
    counts: incidents,
  })),
  counter('mayday_rescues_total', 'Incidents after which progress was verified.', ({ rescues }) => rescues),
  counter('mayday_missions_total', 'Rescue missions.', ({ missions }) => missions),
  counter('mayday_attempts_total', 'Attempts of agents.', ({ attempts }) => attempts),
  counter('mayday_tokens_total', 'Tokens that agents reported.', ({ tokens }) => tokens),
  counter('mayday_cost_usd_total', 'Dollars that agents reported.', ({ costUsd }) => costUsd),
];

/** Sessions from before Mayday that were imported are in reports, not here: nothing of them happens now. */
export async function fleetFigures(record: RunRecord, now: number): Promise<FleetFigures> {
  const rows = await record.rows({ withoutView: true });
  const own = new Set(rows.map(({ runId }) => runId));
  const runs = (await allMetrics(record)).runs.filter(({ id }) => own.has(id));
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
    since: rows.reduce<number | null>(
      (first, { createdAt }) => Math.min(first ?? createdAt, createdAt),
      null,
    ),
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
