/** `recoverySection`, `reasonsSection`, `criteriaSection`, `unblockSection`: the sections of the classic recovery report. */
import { counted } from '../../core/text/counted.ts';
import type { Report } from '../build-report.ts';
import { lineBlock, pageSection, type Section, tableBlock } from './page.ts';
import {
  change,
  countedShare,
  day,
  endedShare,
  FEW,
  inWords,
  mean,
  ofEnded,
  percent,
  percentile,
  shareCell,
  span,
} from './words.ts';

export function recoverySection({ tasks, before }: Report): Section {
  const was = before?.tasks;
  const recoveries = tasks.reasons
    .filter((row) => row.count > 0)
    .toSorted((a, b) => b.count - a.count)
    .map((row) => `${row.reason} ${row.count}`);
  // One run may have several; the reasons then add up to more than the runs.
  const several = tasks.incidents > tasks.required_recovery.n ? ` (${tasks.incidents} incidents)` : '';
  return pageSection(
    'Recovery report',
    lineBlock(
      ['Total agent tasks', `${tasks.total}${change(tasks.total, was?.total, String)}`, 'all'],
      [
        'Successful first try',
        [
          ofEnded(tasks.first_try, tasks),
          tasks.open === 0 ? '' : `, ${tasks.open} still open`,
          change(endedShare(tasks.first_try, tasks), was && endedShare(was.first_try, was), percent),
        ].join(''),
        'first_try',
      ],
      [
        'Required recovery',
        [
          countedShare(tasks.required_recovery.n, tasks.total),
          recoveries.length === 0 ? '' : `: ${recoveries.join(', ')}${several}`,
          change(tasks.required_recovery.share, was?.required_recovery.share, percent),
        ].join(''),
        'required_recovery',
      ],
      ['Recovered and delivered', ofEnded(tasks.recovered, tasks), 'recovered'],
      [
        'Failed after recovery',
        `${ofEnded(tasks.failed_after_recovery, tasks)}${change(tasks.failed_after_recovery.n, was?.failed_after_recovery.n, String)}`,
        'failed_after_recovery',
      ],
      [
        'Average recovery time',
        [
          mean(tasks.recovery_time_ms),
          change(tasks.recovery_time_ms.mean, was?.recovery_time_ms.mean, span),
          ', from noticed to progress again',
        ].join(''),
      ],
      [
        'Recovered by themselves, no rescue',
        [
          tasks.nudged === 0
            ? '0 after a message (none was sent)'
            : `${tasks.recovered_after_nudge} of ${tasks.nudged} after a message`,
          `${tasks.recovered_after_warning} after a warning alone`,
        ].join(', '),
        'nudged',
      ],
      [
        'Still open',
        tasks.open_after_incident === 0
          ? String(tasks.open)
          : `${tasks.open}, ${tasks.open_after_incident} of them after an incident`,
        'open',
      ],
      ['Finished with nothing to check with, not proven', String(tasks.unverified), 'unverified'],
      ["Delivered, not proven: on a person's word", String(tasks.by_word), 'by_word'],
    ),
  );
}

export function reasonsSection({ tasks }: Report): Section {
  const all = tasks.reasons.reduce((sum, { count }) => sum + count, 0);
  const rows = tasks.reasons.map(({ reason, count, agents, classes }) => [
    reasonWithClasses(reason, classes),
    String(count),
    shareCell(count, all),
    agents.join(', ') || '-',
  ]);
  const figures = tasks.reasons.map(({ reason, count }) => (count === 0 ? null : `reason:${reason}`));
  return pageSection('Reasons', tableBlock(['Reason', 'Count', 'Share', 'Agents'], rows, figures));
}

/** With the words by which the other pages name the same incidents. */
function reasonWithClasses(reason: string, classes: readonly string[]): string {
  const others = classes.map(inWords).filter((name) => !reason.toLowerCase().includes(name));
  return others.length === 0 ? reason : `${reason} (${others.join(', ')})`;
}

/** Of a few, the counts; the table has their number beside it, for every row alike. */
export function actualOf({ id, actual, n }: Report['criteria'][number]): string {
  if (id === 'orphans' || actual === null) return String(actual ?? 'none');
  return n < FEW ? `${Math.round(actual * n)} of ${n}` : percent(actual);
}

export function criteriaSection(report: Report): Section {
  const { open, unverified } = report.tasks;
  const rows = report.criteria.map((criterion) => {
    const { name, target, n, state } = criterion;
    // What so few met or missed may be otherwise after the next one.
    const isSoFar = state !== 'no data' && (n < FEW || open > 0);
    return [name, target, actualOf(criterion), String(n), isSoFar ? `${state} so far` : state];
  });
  return pageSection(
    'Success criteria',
    tableBlock(['Criterion', 'Target', 'Actual', 'Of', 'State'], rows),
    lineBlock(
      [
        'First try and recovery judge',
        `runs that were delivered or abandoned, not the ${open} open ones and the ${unverified} with nothing to check with`,
      ],
      ['The other rows judge', 'all runs, and every failure that was diagnosed in them'],
      ...notAttributed(report.criteria.find(({ id }) => id === 'attributed')),
    ),
  );
}

/** Reasons name what happened; a failure may have such a name while the kind of its cause is not known. */
function notAttributed(criterion: Report['criteria'][number] | undefined) {
  const { n = 0, actual = null, lacking = [] } = criterion ?? {};
  if (lacking.length === 0) return [];
  const count = Math.round(n * (1 - (actual ?? 1)));
  const what = `${count} without a known kind of cause: ${lacking.map(inWords).join(', ')}`;
  return [['Not attributed', `${what}; Reasons count it by what happened`, 'not_attributed'] as const];
}

export function unblockSection({ unblock: now, tasks, before }: Report): Section {
  const row = (name: string, times: Report['unblock']['mttu_ms']) => [
    name,
    String(times.n),
    mean(times),
    ...percentiles(times).map(([, time]) => time),
  ];
  const was = before?.unblock.mttu_ms.mean;
  const bars = now.trend.map(({ to, mttu_ms }) => ({
    label: `until ${day(to)}`,
    value: (mttu_ms ?? 0) / 60_000,
    text: span(mttu_ms),
  }));
  return pageSection(
    'Time to unblock',
    lineBlock([
      'MTTU',
      `${mean(now.mttu_ms)}${change(now.mttu_ms.mean, was, span)}, mean time to unblock: from noticed to resumed${spread(now.mttu_ms)}`,
    ]),
    tableBlock(
      ['Part', 'n', 'Mean', 'p50', 'p90', 'p95'],
      [
        row('with people', now.with_people_ms),
        row('without people', now.without_people_ms),
        row('began to noticed', now.parts_ms.notice),
        row('noticed to diagnosed', now.parts_ms.diagnose),
        row('diagnosed to decided', now.parts_ms.decide),
        row('decided to progress again', now.parts_ms.first_useful_action),
        row('noticed to progress again (recovery time)', tasks.recovery_time_ms),
      ],
    ),
    { type: 'chart', chart: { title: 'MTTU over time', bars } },
  );
}

function percentiles({ n, p50, p90, p95 }: Report['unblock']['mttu_ms']) {
  return [
    ['p50', percentile(p50, n, 0.5)],
    ['p90', percentile(p90, n, 0.9)],
    ['p95', percentile(p95, n, 0.95)],
  ] as const;
}

/** Over how many, and the percentiles that they are enough for. */
function spread(times: Report['unblock']['mttu_ms']): string {
  if (times.n === 0) return '';
  const told = percentiles(times).flatMap(([name, time]) => (time === 'too few' ? [] : [`${name} ${time}`]));
  return [`, over ${counted(times.n, 'incident')}`, ...told].join(', ');
}
