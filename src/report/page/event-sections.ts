/** `recentSection`, `systematicSection`, `investigationsSection`, `externalSections`: what happened, by event. */
import type { Report } from '../build-report.ts';
import { listBlock, pageSection, type Section, shortened, tableBlock } from './page.ts';
import { inWords, span } from './words.ts';

// biome-ignore format: words stand together
const RECENT = [
  'Date', 'Agent', 'Task', 'End', 'Partial work', 'Missing', 'Strategy', 'Recovery time', 'Result', 'Theory', 'Lesson',
];

export function recentSection({ recent: events }: Report): Section {
  const rows = events.map((event) => [
    event.date.slice(0, 16).replace('T', ' '),
    event.agent,
    `${event.run_id}: ${event.task}`,
    event.end ?? inWords(event.class),
    event.partial_work.slice(0, 3).join(', ') || '-',
    event.missing_work.map(({ what, unnecessary }) => (unnecessary ? `~~${what}~~` : what)).join(', ') || '-',
    event.strategy === null ? '-' : inWords(event.strategy),
    span(event.recovery_ms),
    event.result,
    event.theory,
    event.lesson ?? '-',
  ]);
  return pageSection('Recent recovery events', tableBlock(RECENT, rows));
}

export function systematicSection({ systematic: events }: Report): Section {
  const items = events.map(
    ({ class: kind, runs, agents, cause, fix, prevention }) =>
      `${inWords(kind)}: ${runs.length} runs (${agents.join(', ')}): ${cause}. ` +
      `Fix: ${fix ?? 'none yet'}. Prevention: ${prevention ?? 'no lesson yet'}`,
  );
  return pageSection('Systematic events', listBlock(shortened(items), 'no cause hit several runs alike'));
}

/** `show` has all of them. */
const MAX_HYPOTHESES = 2;

export function investigationsSection({ investigations: open }: Report): Section {
  const items = open.map(({ incident, class: kind, cause, hypotheses }) =>
    [
      `${incident} ${inWords(kind)}: ${cause || 'no cause yet'}`,
      // The first is often the cause itself, which may be cut here.
      ...hypotheses
        .filter((each) => cause === '' || !each.cause.startsWith(cause))
        .slice(0, MAX_HYPOTHESES)
        .map((each) => `maybe ${each.cause} (test: ${each.test})`),
    ].join('; '),
  );
  return pageSection('Open root-cause investigations', listBlock(items, 'every cause is known'));
}

/** None where no task of an external agent waits for a new try. */
export function externalSections({
  external_failures: failed,
}: Pick<Report, 'external_failures'>): readonly Section[] {
  if (failed.length === 0) return [];
  const items = failed.map(
    ({ agent_id, task_id, class: kind, root_cause }) =>
      `task ${task_id} of ${agent_id} failed: ${inWords(kind)}: ${root_cause}`,
  );
  return [pageSection('Failed tasks of external agents', listBlock(shortened(items), ''))];
}
