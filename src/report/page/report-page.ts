/** The report as a page. The lines and their order are public (people and scripts look for them): add, never rename. */
import type { Report } from '../build-report.ts';
import { DEFINITIONS } from '../metrics/definitions.ts';
import type { Page, Section } from './page.ts';
import { change, counted, day, minutes, percent, span } from './words.ts';

const MAX_ROWS = 12;

export function reportPage(report: Report): Page {
  return {
    title: 'Mayday report',
    subtitle: `${day(report.period.from)} to ${day(report.period.to)}${report.repository === null ? '' : ` · ${report.repository}`}`,
    sections: [
      recovery(report),
      reasons(report),
      criteria(report),
      unblock(report),
      missions(report),
      learning(report),
      ...breakdowns(report),
      recent(report),
      systematic(report),
      investigations(report),
    ],
  };
}

export function definitionsPage(): Page {
  return {
    title: 'Mayday metrics',
    subtitle: 'what each number means',
    sections: [
      {
        title: 'Definitions',
        blocks: [
          {
            type: 'table',
            head: ['Metric', 'Name', 'Formula'],
            rows: DEFINITIONS.map(({ group, name, formula }) => [group, name, formula]),
          },
        ],
      },
    ],
  };
}

function recovery({ tasks, before }: Report): Section {
  const was = before?.tasks;
  const recoveries = tasks.reasons.filter((row) => row.count > 0).map((row) => `${row.reason} ${row.count}`);
  return {
    title: 'Recovery report',
    blocks: [
      {
        type: 'lines',
        lines: [
          ['Total agent tasks', `${tasks.total}${change(tasks.total, was?.total, String)}`],
          [
            'Successful first try',
            `${counted(tasks.first_try)}${change(tasks.first_try.share, was?.first_try.share, percent)}`,
          ],
          [
            'Required recovery',
            `${counted(tasks.required_recovery)}${recoveries.length === 0 ? '' : `: ${recoveries.join(', ')}`}${change(tasks.required_recovery.share, was?.required_recovery.share, percent)}`,
          ],
          [
            'Failed after recovery',
            `${counted(tasks.failed_after_recovery)}${change(tasks.failed_after_recovery.n, was?.failed_after_recovery.n, String)}`,
          ],
          [
            'Average recovery time',
            `${span(tasks.recovery_time_ms.mean)}${change(tasks.recovery_time_ms.mean, was?.recovery_time_ms.mean, span)}`,
          ],
          ['Still open', String(tasks.open)],
          ['Finished, unverified', String(tasks.unverified)],
        ],
      },
    ],
  };
}

function reasons({ tasks }: Report): Section {
  return {
    title: 'Reasons',
    blocks: [
      {
        type: 'table',
        head: ['Reason', 'Count', 'Share', 'Agents'],
        rows: tasks.reasons.map(({ reason, count, share, agents }) => [
          reason,
          String(count),
          percent(share),
          agents.join(', ') || '-',
        ]),
      },
      {
        type: 'chart',
        chart: {
          title: 'Incidents by reason',
          unit: 'incidents',
          bars: tasks.reasons
            .filter((row) => row.count > 0)
            .map(({ reason, count }) => ({ label: reason, value: count, text: String(count) })),
        },
      },
    ],
  };
}

function criteria(report: Report): Section {
  return {
    title: 'Success criteria',
    blocks: [
      {
        type: 'table',
        head: ['Criterion', 'Target', 'Actual', 'Of', 'State'],
        rows: report.criteria.map(({ id, name, target, actual, n, state }) => [
          name,
          target,
          id === 'orphans' ? String(actual) : percent(actual),
          String(n),
          state,
        ]),
      },
    ],
  };
}

function unblock({ unblock: now, before }: Report): Section {
  const row = (name: string, { n, mean, p50, p90, p95 }: Report['unblock']['mttu_ms']) => [
    name,
    String(n),
    span(mean),
    span(p50),
    span(p90),
    span(p95),
  ];
  return {
    title: 'Time to unblock',
    blocks: [
      {
        type: 'lines',
        lines: [
          [
            'MTTU',
            `${span(now.mttu_ms.mean)}${change(now.mttu_ms.mean, before?.unblock.mttu_ms.mean, span)}`,
          ],
        ],
      },
      {
        type: 'table',
        head: ['Part', 'n', 'Mean', 'p50', 'p90', 'p95'],
        rows: [
          row('flag to resumed', now.mttu_ms),
          row('with people', now.with_people_ms),
          row('without people', now.without_people_ms),
          ...Object.entries(now.parts_ms).map(([name, part]) => row(name.replaceAll('_', ' '), part)),
        ],
      },
      {
        type: 'chart',
        chart: {
          title: 'MTTU over time',
          unit: 'minutes',
          bars: now.trend.map(({ from, mttu_ms }) => ({
            label: day(from),
            value: (mttu_ms ?? 0) / 60_000,
            text: span(mttu_ms),
          })),
        },
      },
    ],
  };
}

function missions({ missions: made, period, learning }: Report): Section {
  return {
    title: 'Rescue Mission Report',
    blocks: [
      {
        type: 'lines',
        lines: [
          ['Period', `${day(period.from)} to ${day(period.to)}`],
          ['Total rescues', String(made.total)],
          ['Average MTTU', minutes(made.mttu_ms.mean)],
          ['Context updates generated', String(learning.context_updates + made.context_updates)],
          ['Enrichment completion', `${counted(made.enrichment)} of closed missions`],
        ],
      },
      {
        type: 'table',
        head: ['Root cause', 'Count', 'Share'],
        rows: made.categories.map(({ category, count, share }) => [category, String(count), percent(share)]),
      },
      {
        type: 'list',
        items: made.lacking_enrichment.map(
          ({ mission, run_id }) => `${mission} of run ${run_id} lacks its enrichment`,
        ),
        empty: 'no mission lacks its enrichment',
      },
    ],
  };
}

function learning({ learning: learned, before }: Report): Section {
  const was = before?.learning;
  return {
    title: 'Learning and cost',
    blocks: [
      {
        type: 'lines',
        lines: [
          [
            'Recurrence',
            `${counted(learned.recurrence)}${change(learned.recurrence.n, was?.recurrence.n, String)}`,
          ],
          ['Recurrences avoided (estimate)', String(learned.avoided)],
          [
            'Time lost while stuck',
            `${span(learned.stuck.time_ms)}${change(learned.stuck.time_ms, was?.stuck.time_ms, span)}`,
          ],
          ['Spent without progress', `$${learned.stuck.cost_usd.toFixed(2)}, ${learned.stuck.tokens} tokens`],
          ['False alarms', counted(learned.false_positives)],
        ],
      },
      {
        type: 'table',
        head: ['Root-cause category', 'Count', 'Share'],
        rows: learned.categories.map(({ category, count, share }) => [
          category,
          String(count),
          percent(share),
        ]),
      },
      {
        type: 'table',
        head: ['Lesson', 'Status', 'Shown', 'Helped', 'Recurred', 'Avoided', 'Verdict'],
        rows: learned.lessons
          .slice(0, MAX_ROWS)
          .map(({ id, status, shown, helped, recurred, avoided, verdict }) => [
            id,
            status,
            String(shown),
            String(helped),
            String(recurred),
            String(avoided),
            verdict,
          ]),
      },
    ],
  };
}

function breakdowns({ by }: Report): Section[] {
  const runs = (name: string, rows: Report['by']['agent']): Section => ({
    title: `By ${name}`,
    blocks: [
      {
        type: 'table',
        head: [name, 'Tasks', 'First try', 'Recovery', 'Failed', 'MTTU', 'Stuck'],
        rows: rows
          .slice(0, MAX_ROWS)
          .map((row) => [
            row.name,
            String(row.tasks),
            percent(row.first_try.share),
            percent(row.required_recovery.share),
            String(row.failed_after_recovery.n),
            span(row.mttu_ms.mean),
            span(row.stuck_ms),
          ]),
      },
    ],
  });
  const incidents = (name: string, rows: Report['by']['class']): Section => ({
    title: `By ${name}`,
    blocks: [
      {
        type: 'table',
        head: [name, 'Incidents', 'Resolved', 'MTTU', 'p90', 'Stuck'],
        rows: rows
          .slice(0, MAX_ROWS)
          .map((row) => [
            row.name,
            counted(row.incidents),
            percent(row.resolved.share),
            span(row.mttu_ms.mean),
            span(row.mttu_ms.p90),
            span(row.stuck_ms),
          ]),
      },
    ],
  });
  return [
    runs('agent', by.agent),
    ...(by.model.length > 1 ? [runs('model', by.model)] : []),
    ...(by.repository.length > 1 ? [runs('repository', by.repository)] : []),
    incidents('class', by.class),
    incidents('category', by.category),
  ];
}

function recent({ recent: events }: Report): Section {
  return {
    title: 'Recent recovery events',
    blocks: [
      {
        type: 'table',
        head: [
          'Date',
          'Agent',
          'Task',
          'End',
          'Partial work',
          'Missing',
          'Strategy',
          'Recovery',
          'Result',
          'Theory',
          'Lesson',
        ],
        rows: events.map((event) => [
          event.date.slice(0, 16).replace('T', ' '),
          event.agent,
          `${event.run_id}: ${event.task}`,
          event.end ?? event.class,
          event.partial_work.slice(0, 3).join(', ') || '-',
          event.missing_work
            .map(({ what, unnecessary }) => (unnecessary ? `~~${what}~~` : what))
            .join(', ') || '-',
          event.strategy ?? '-',
          span(event.recovery_ms),
          event.result,
          event.theory,
          event.lesson ?? '-',
        ]),
      },
    ],
  };
}

function systematic({ systematic: events }: Report): Section {
  return {
    title: 'Systematic events',
    blocks: [
      {
        type: 'list',
        items: events.map(
          ({ class: kind, runs, agents, cause, fix, prevention }) =>
            `${kind}: ${runs.length} runs (${agents.join(', ')}): ${cause}. Fix: ${fix ?? 'none yet'}. Prevention: ${prevention ?? 'no lesson yet'}`,
        ),
        empty: 'no cause hit several runs alike',
      },
    ],
  };
}

function investigations({ investigations: open }: Report): Section {
  return {
    title: 'Open root-cause investigations',
    blocks: [
      {
        type: 'list',
        items: open.map(
          ({ incident, class: kind, cause, hypotheses }) =>
            `${incident} ${kind}: ${cause || 'no cause yet'}${hypotheses.map((each) => `; maybe ${each.cause} (test: ${each.test})`).join('')}`,
        ),
        empty: 'every cause is known',
      },
    ],
  };
}
