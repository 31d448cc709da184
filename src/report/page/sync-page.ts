/** `syncPage`: the daily flow sync as a page. */
import { firstSentence } from '../../core/text/first-line.ts';
import type { FlowSync } from '../flow-sync.ts';
import { externalSections } from './event-sections.ts';
import { lines, list, type Page, section } from './page.ts';
import { countedShare, day, percent, span } from './words.ts';

export function syncPage(sync: FlowSync): Page {
  const { last_day: last, governance } = sync;
  const named = (
    lessons: readonly { readonly id: string; readonly title: string; readonly because: string }[],
  ) => lessons.map(({ id, title, because }) => `${id}: ${title} (${because})`);
  const questions = sync.triage.map(
    ({ run_id, title, text, command }) => `${run_id} ${title}: ${firstSentence(text)} -> ${command}`,
  );
  const goals = sync.goals_missed.map(
    ({ id, name, target, actual }) =>
      `${name}: ${id === 'orphans' ? String(actual) : percent(actual)}, target ${target}`,
  );
  const lacking = sync.missions_lacking_enrichment.map(({ mission, run_id, owner, overdue }) =>
    [
      `${mission} of run ${run_id} (${owner}${overdue ? ', overdue' : ''})`,
      `mayday missions close ${mission} --lesson ID | --spec TEXT | --reason TEXT`,
    ].join('   '),
  );
  const toReview = governance.to_review.map(
    ({ id, title, because }) =>
      `${id}: ${title} (${because}) -> mayday context approve ${id}, or reject ${id} --note WHY`,
  );
  const taught = governance.missions_this_week.map(
    ({ mission, updates, reason }) =>
      `${mission}: ${updates.length > 0 ? updates.join(', ') : `nothing, because ${reason ?? '?'}`}`,
  );
  const doubtful = [
    ...named(governance.doubtful).map((text) => `does not help: ${text}`),
    ...governance.contradicting.map(
      ({ a, b, about }) => `${a} and ${b} contradict each other about ${about}`,
    ),
    ...named(governance.stale).map((text) => `its paths are gone: ${text}`),
    ...named(governance.expired).map((text) => `expired: ${text}`),
  ];
  return {
    title: 'Mayday flow sync',
    subtitle: day(sync.generated_at),
    sections: [
      section(
        'Needs triage today: questions that wait for you',
        list(questions, 'nothing waits for a person'),
      ),
      ...externalSections(sync),
      section(
        'Last 24 hours',
        lines(
          ['Total agent tasks', String(last.tasks)],
          ['Successful first try', countedShare(last.first_try)],
          ['Required recovery', countedShare(last.required_recovery)],
          ['Failed after recovery', countedShare(last.failed_after_recovery)],
          ['MTTU', `${span(last.mttu_ms)}, mean time from noticed to resumed`],
        ),
      ),
      section('Goals missed this week', list(goals, 'none')),
      section('Missions that lack enrichment: say what the rescue taught', list(lacking, 'none')),
      section('Governance: proposed lessons to review', list(toReview, 'nothing was proposed')),
      section('Governance: what missions taught this week', list(taught, 'none')),
      section('Governance: decided this week', list(named(governance.decided_this_week), 'nothing')),
      section('Governance: look at these again', list(doubtful, 'nothing')),
    ],
  };
}
