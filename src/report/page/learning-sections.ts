/**
 * `missionsSection`, `learningSection`, `breakdownSections`: missions, lessons, and the numbers by agent, model, repository, class and
 * category.
 */
import type { Report } from '../build-report.ts';
import type { Section } from './page.ts';
import { MAX_ROWS, shortened } from './rows.ts';
import { change, countedShare, day, inWords, minutesText, percent, percentile, span } from './words.ts';

export function missionsSection({ missions: made, period, learning }: Report): Section {
  return {
    title: 'Rescue Mission Report',
    blocks: [
      {
        type: 'lines',
        lines: [
          [
            'Rescue missions',
            'those that a person leads (mayday rescue); what Mayday recovered itself stands above',
          ],
          ['Period', `${day(period.from)} to ${day(period.to)}`],
          ['Total rescues', String(made.total), 'missions'],
          ['Average MTTU', minutesText(made.mttu_ms.mean)],
          ['Context updates generated', String(learning.context_updates + made.context_updates)],
          [
            'Enrichment completion',
            `${countedShare(made.enrichment)} of missions with an outcome are closed`,
          ],
        ],
      },
      {
        type: 'table',
        head: ['Root cause', 'Count', 'Share'],
        rows: made.categories.map(({ category, count, share }) => [
          inWords(category),
          String(count),
          percent(share),
        ]),
      },
      {
        type: 'list',
        items: shortened(
          made.lacking_enrichment.map(
            ({ mission, run_id, overdue }) =>
              `${mission} of run ${run_id} lacks its enrichment${overdue ? ', overdue' : ''}`,
          ),
        ),
        empty: 'no mission lacks its enrichment',
      },
    ],
  };
}

export function learningSection({ learning: learned, before }: Report): Section {
  const was = before?.learning;
  return {
    title: 'Learning and cost',
    blocks: [
      {
        type: 'lines',
        lines: [
          [
            'Recurrence',
            `${countedShare(learned.recurrence)}${change(learned.recurrence.n, was?.recurrence.n, String)}`,
          ],
          ['Recurrences avoided (estimate)', String(learned.avoided)],
          [
            'Time lost while stuck',
            `${span(learned.stuck.time_ms)}${change(learned.stuck.time_ms, was?.stuck.time_ms, span)}`,
          ],
          ['Spent without progress', `$${learned.stuck.cost_usd.toFixed(2)}, ${learned.stuck.tokens} tokens`],
          ['False alarms', countedShare(learned.false_positives)],
        ],
      },
      {
        type: 'table',
        head: ['Root-cause category', 'Count', 'Share'],
        rows: learned.categories.map(({ category, count, share }) => [
          inWords(category),
          String(count),
          percent(share),
        ]),
      },
      {
        type: 'table',
        head: ['Lesson', 'Status', 'Shown', 'Helped', 'Recurred', 'Avoided', 'Verdict'],
        rows: learned.lessons
          .slice(0, MAX_ROWS)
          .map(({ id, status, shown, helped, recurred, untested, avoided, verdict }) => [
            id,
            status,
            String(shown),
            String(helped),
            String(recurred),
            String(avoided),
            untested === shown ? 'not tested' : verdict,
          ]),
      },
    ],
  };
}

export function breakdownSections({ by }: Report): Section[] {
  const table = (
    name: string,
    head: readonly string[],
    rows: readonly (readonly string[])[],
    say: (row: string) => string = String,
  ): Section => ({
    title: `By ${name}`,
    blocks: [
      {
        type: 'table',
        head: [name, ...head],
        rows: rows.slice(0, MAX_ROWS).map(([row = '', ...cells]) => [say(row), ...cells]),
        figures: rows.slice(0, MAX_ROWS).map(([row = '']) => `${name}:${row}`),
      },
    ],
  });
  const runs = (name: string, rows: Report['by']['agent']): Section =>
    table(
      name,
      ['Tasks', 'First try', 'Required recovery', 'Failed', 'MTTU', 'Stuck'],
      rows.map((row) => [
        row.name,
        String(row.tasks),
        percent(row.first_try.share),
        percent(row.required_recovery.share),
        String(row.failed_after_recovery.n),
        span(row.mttu_ms.mean),
        span(row.stuck_ms),
      ]),
    );
  const incidents = (name: string, rows: Report['by']['class']): Section =>
    table(
      name,
      ['Incidents', 'Resolved', 'MTTU', 'p90', 'Stuck'],
      rows.map((row) => [
        row.name,
        countedShare(row.incidents),
        percent(row.resolved.share),
        span(row.mttu_ms.mean),
        percentile(row.mttu_ms.p90, row.mttu_ms.n),
        span(row.stuck_ms),
      ]),
      inWords,
    );
  return [
    runs('agent', by.agent),
    ...(by.model.length > 1 ? [runs('model', by.model)] : []),
    ...(by.repository.length > 1 ? [runs('repository', by.repository)] : []),
    incidents('class', by.class),
    incidents('category', by.category),
  ];
}
