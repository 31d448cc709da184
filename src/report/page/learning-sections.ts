/** `missionsSection`, `learningSection`, `breakdownSections`, `opinionSection`: missions, lessons, breakdowns, opinions. */
import { counted } from '../../core/text/counted.ts';
import { RESCUE_WHEN } from '../../core/vocabulary/mission.ts';
import type { Report } from '../build-report.ts';
import {
  type Block,
  lineBlock,
  listBlock,
  MAX_ROWS,
  pageSection,
  type Section,
  shortened,
  tableBlock,
} from './page.ts';
import {
  change,
  countCell,
  countedShare,
  day,
  inWords,
  mean,
  minutesText,
  percent,
  percentile,
  shareCell,
  span,
} from './words.ts';

export function missionsSection({ missions: made, period, learning }: Report): Section {
  const over = made.total - made.under_way;
  const lacking = made.lacking_enrichment.map(
    ({ mission, run_id, overdue }) =>
      `${mission} of run ${run_id} lacks its enrichment${overdue ? ', overdue' : ''}`,
  );
  return pageSection(
    'Rescue Mission Report',
    lineBlock(
      [
        'Rescue missions',
        'those that a person leads (mayday rescue); what Mayday recovered itself stands above',
      ],
      ['When to take one', RESCUE_WHEN],
      ['Period', `${day(period.from)} to ${day(period.to)}`],
      ['Total rescues', String(made.total), 'missions'],
      ['Average MTTU', minutesText(made.mttu_ms.mean)],
      ['Context updates generated', String(learning.context_updates + made.context_updates)],
      [
        'Enrichment completion',
        `${countedShare(made.enrichment.n, over, `${counted(over, 'mission')} with an outcome`)}`,
      ],
    ),
    categoryTable('Root cause', made.categories),
    listBlock(shortened(lacking), 'no mission lacks its enrichment'),
  );
}

function categoryTable(name: string, categories: Report['learning']['categories']): Block {
  const all = categories.reduce((sum, { count }) => sum + count, 0);
  const rows = categories.map(({ category, count }) => [
    inWords(category),
    String(count),
    shareCell(count, all),
  ]);
  return tableBlock([name, 'Count', 'Share'], rows);
}

export function learningSection({ learning: learned, tasks, before }: Report): Section {
  const was = before?.learning;
  const lessons = learned.lessons
    .slice(0, MAX_ROWS)
    .map(({ id, status, shown, helped, recurred, untested, avoided, verdict }) => [
      id,
      status,
      ...[shown, helped, recurred, avoided].map(String),
      untested === shown ? 'not tested' : verdict,
    ]);
  return pageSection(
    'Learning and cost',
    lineBlock(
      [
        'Recurrence',
        `${recurrenceOf(learned.recurrence)}${change(learned.recurrence.n, was?.recurrence.n, String)}`,
      ],
      ['Recurrences avoided (estimate)', String(learned.avoided)],
      [
        'Time lost while stuck',
        `${span(learned.stuck.time_ms)}${change(learned.stuck.time_ms, was?.stuck.time_ms, span)}`,
      ],
      ['Spent without progress', `$${learned.stuck.cost_usd.toFixed(2)}, ${learned.stuck.tokens} tokens`],
      ['False alarms', countedShare(learned.false_positives.n, tasks.incidents)],
    ),
    categoryTable('Root-cause category', learned.categories),
    tableBlock(['Lesson', 'Status', 'Shown', 'Helped', 'Recurred', 'Avoided', 'Verdict'], lessons),
  );
}

/** Of the incidents with an exact cause; without one that came again, their number is not known here. */
function recurrenceOf({ n, share }: Report['learning']['recurrence']): string {
  const of = share === null || share === 0 ? 0 : Math.round(n / share);
  return countedShare(n, of, `${counted(of, 'incident')} with an exact cause`);
}

export function breakdownSections({ by }: Report): Section[] {
  const breakdown = (
    name: string,
    head: readonly string[],
    all: readonly (readonly string[])[],
    say: (row: string) => string = String,
  ): Section => {
    const shown = all.slice(0, MAX_ROWS);
    const rows = shown.map(([row = '', ...cells]) => [say(row), ...cells]);
    const figures = shown.map(([row = '']) => `${name}:${row}`);
    return pageSection(`By ${name}`, tableBlock([name, ...head], rows, figures));
  };
  const runs = (name: string, rows: Report['by']['agent']): Section =>
    breakdown(
      name,
      ['Tasks', 'First try', 'Required recovery', 'Failed', 'MTTU', 'Stuck'],
      rows.map((row) => [
        row.name,
        String(row.tasks),
        countCell(row.first_try.n, row.tasks),
        countCell(row.required_recovery.n, row.tasks),
        String(row.failed_after_recovery.n),
        mean(row.mttu_ms),
        span(row.stuck_ms),
      ]),
    );
  const incidents = (name: string, rows: Report['by']['class']): Section => {
    const all = rows.reduce((sum, row) => sum + row.incidents.n, 0);
    return breakdown(
      name,
      ['Incidents', 'Resolved', 'MTTU', 'p90', 'Stuck'],
      rows.map((row) => [
        row.name,
        countCell(row.incidents.n, all),
        countCell(row.resolved.n, row.incidents.n),
        mean(row.mttu_ms),
        percentile(row.mttu_ms.p90, row.mttu_ms.n, 0.9),
        span(row.stuck_ms),
      ]),
      inWords,
    );
  };
  return [
    runs('agent', by.agent),
    ...(by.model.length > 1 ? [runs('model', by.model)] : []),
    ...(by.repository.length > 1 ? [runs('repository', by.repository)] : []),
    incidents('class', by.class),
    incidents('category', by.category),
  ];
}

export function opinionSection({ opinions }: Report): Section {
  if (opinions.length === 0) return pageSection('Opinions', listBlock([], 'no model was asked'));
  const rows = opinions.map(({ by, asked, answered, cost_usd, claimed }) => [
    by,
    String(asked),
    String(answered),
    `$${cost_usd.toFixed(3)}`,
    claimed.map((band) => `${bandName(band)}: ${countedShare(band.came_true, band.n)}`).join(' · ') ||
      'not judged yet',
  ]);
  const byKind = opinions.flatMap(({ by, kinds }) =>
    kinds.flatMap(({ kind, claimed }) =>
      claimed.map((band) => [
        by,
        kind,
        bandName(band),
        String(band.answered),
        band.n === 0 ? 'not observed' : countedShare(band.came_true, band.n),
      ]),
    ),
  );
  return pageSection(
    'Opinions',
    tableBlock(['Provider', 'Asked', 'Answered', 'Cost', 'Claimed, and came true'], rows),
    ...(byKind.length === 0
      ? []
      : [tableBlock(['Provider', 'Kind', 'Claimed', 'Answers', 'Came true, of those observed'], byKind)]),
  );
}

function bandName({ from }: { readonly from: number }): string {
  return from === 0 ? 'less' : `${percent(from)} or more`;
}
