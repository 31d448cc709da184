/** `PROMETHEUS`, `prometheusText`: the figures of the fleet for a Prometheus server. Names and labels are promised: add, never rename. */
import type { FleetFigures } from '../report/fleet-figures.ts';

type Samples = number | { readonly by: string; readonly counts: ReadonlyMap<string, number> };

interface PrometheusMetric {
  readonly name: string;
  readonly type: 'gauge' | 'counter';
  readonly help: string;
  readonly samples: (figures: FleetFigures) => Samples;
}

export const PROMETHEUS: readonly PrometheusMetric[] = [
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

export function prometheusText(figures: FleetFigures): string {
  return PROMETHEUS.map(({ name, type, help, samples }) =>
    [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines(name, samples(figures)), ''].join('\n'),
  ).join('');
}

function lines(name: string, samples: Samples): readonly string[] {
  if (typeof samples === 'number') return [`${name} ${samples}`];
  return [...samples.counts].map(([value, count]) => `${name}{${samples.by}="${escaped(value)}"} ${count}`);
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', String.raw`\"`).replaceAll('\n', String.raw`\n`);
}
