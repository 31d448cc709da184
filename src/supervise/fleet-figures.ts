/**
 * `fleetFigures`, `FIGURES`: how many runs stand where, what waits for a person, what was rescued: for a monitor that asks every few
 * seconds.
 */
import { readAllMetrics } from '../core/view/metrics-code.ts';
import type { RunRecord } from '../record/contract.ts';
import { activeHolds } from './active-holds.ts';

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

/** For a Prometheus server and for a collector. Names and labels are promised: add, never rename. */
export const FIGURES: readonly Figure[] = [
  {
    name: 'mayday_runs',
    type: 'gauge',
    help: 'Runs by state.',
    samples: ({ runs }) => ({ by: 'state', counts: runs }),
  },
  {
    name: 'mayday_queue_depth',
    type: 'gauge',
    help: 'Runs that wait for a worker to take them.',
    samples: ({ runs }) => runs.get('queued') ?? 0,
  },
  {
    name: 'mayday_questions_open',
    type: 'gauge',
    help: 'Questions that wait for a person.',
    samples: ({ openQuestions }) => openQuestions,
  },
  {
    name: 'mayday_holds',
    type: 'gauge',
    help: 'Holds in force by kind.',
    samples: ({ holds }) => ({ by: 'kind', counts: holds }),
  },
  {
    name: 'mayday_runs_held',
    type: 'gauge',
    help: 'Runs that wait for a hold.',
    samples: ({ heldRuns }) => heldRuns,
  },
  {
    name: 'mayday_incidents_total',
    type: 'counter',
    help: 'Incidents by failure class.',
    samples: ({ incidents }) => ({ by: 'class', counts: incidents }),
  },
  {
    name: 'mayday_rescues_total',
    type: 'counter',
    help: 'Incidents after which progress was verified.',
    samples: ({ rescues }) => rescues,
  },
  {
    name: 'mayday_missions_total',
    type: 'counter',
    help: 'Rescue missions.',
    samples: ({ missions }) => missions,
  },
  {
    name: 'mayday_attempts_total',
    type: 'counter',
    help: 'Attempts of agents.',
    samples: ({ attempts }) => attempts,
  },
  {
    name: 'mayday_tokens_total',
    type: 'counter',
    help: 'Tokens that agents reported.',
    samples: ({ tokens }) => tokens,
  },
  {
    name: 'mayday_cost_usd_total',
    type: 'counter',
    help: 'Dollars that agents reported.',
    samples: ({ costUsd }) => costUsd,
  },
];

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
