/** `renderCsv`: one line per run, for spreadsheets. */
import { oneLine } from '../core/text/quote-fenced.ts';
import type { RunMetrics } from '../core/view/run-metrics.ts';
import { reasonOf } from './metrics/reasons.ts';

const COLUMNS: readonly (readonly [string, (run: RunMetrics) => string | number | null])[] = [
  ['run_id', ({ id }) => id],
  ['created_at', ({ created }) => new Date(created).toISOString()],
  ['ended_at', ({ ended }) => (ended === null ? null : new Date(ended).toISOString())],
  ['state', ({ state }) => state],
  ['agent', ({ agent }) => agent],
  ['model', ({ model }) => model],
  ['repository', ({ repository }) => repository],
  ['size', ({ size }) => size],
  ['files', ({ files }) => files],
  ['attempts', ({ attempts }) => attempts],
  ['incidents', ({ incidents }) => incidents.length],
  ['first_class', ({ incidents }) => incidents[0]?.class ?? null],
  ['first_reason', ({ incidents }) => (incidents[0] === undefined ? null : reasonOf(incidents[0].class))],
  ['first_category', ({ incidents }) => incidents[0]?.category ?? null],
  [
    'first_mttu_ms',
    ({ incidents: [first] }) =>
      first === undefined || first.resumed === null ? null : first.resumed - first.detected,
  ],
  ['tokens', ({ tokens }) => tokens],
  ['cost_usd', ({ cost }) => cost],
  ['stuck_cost_usd', ({ stuckCost }) => stuckCost],
  ['lessons', ({ shown }) => [...new Set(shown.map(({ id }) => id))].join(' ')],
  ['result', ({ result }) => result],
  ['task', ({ title }) => title],
];

export function renderCsv(runs: readonly RunMetrics[]): string {
  const lines = runs.map((run) => COLUMNS.map(([, value]) => cell(value(run))).join(','));
  return `${[COLUMNS.map(([name]) => name).join(','), ...lines].join('\r\n')}\r\n`;
}

/** A spreadsheet must never take a task text for a formula. */
function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = oneLine(value);
  const harmless = /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
