/** `syncPage`: the daily flow sync as a page. */
import { firstSentence } from '../../core/text/first-line.ts';
import type { FlowSync } from '../flow-sync.ts';
import { externalSections } from './event-sections.ts';
import { lineBlock, listBlock, type Page, pageSection } from './page.ts';
import { actualOf } from './recovery-sections.ts';
import { countedShare, day, mean, ofEnded } from './words.ts';

export function syncPage(sync: FlowSync): Page {
  const { last_day: last, governance } = sync;
  const named = (
    lessons: readonly { readonly id: string; readonly title: string; readonly because: string }[],
  ) => lessons.map(({ id, title, because }) => `${id}: ${title} (${because})`);
  const questions = sync.triage.map(
    ({ run_id, title, text, command }) => `${run_id} ${title}: ${firstSentence(text)} -> ${command}`,
  );
  const goals = sync.goals_missed.map((goal) => `${goal.name}: ${actualOf(goal)}, target ${goal.target}`);
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
      pageSection('Needs triage today: questions for you', listBlock(questions, 'nothing needs a person')),
      ...externalSections(sync),
      pageSection(
        'Last 24 hours',
        lineBlock(
          ['Total agent tasks', `${last.tasks}${last.open === 0 ? '' : `, ${last.open} still open`}`],
          ['Successful first try', ofEnded(last.first_try, { total: last.tasks, open: last.open })],
          ['Required recovery', countedShare(last.required_recovery.n, last.tasks)],
          [
            'Failed after recovery',
            ofEnded(last.failed_after_recovery, { total: last.tasks, open: last.open }),
          ],
          ['MTTU', `${mean({ mean: last.mttu_ms })}, mean time from noticed to resumed`],
        ),
      ),
      pageSection('Goals missed this week', listBlock(goals, 'none')),
      pageSection('Missions that lack enrichment: say what the rescue taught', listBlock(lacking, 'none')),
      pageSection('Governance: proposed lessons to review', listBlock(toReview, 'nothing was proposed')),
      pageSection('Governance: what missions taught this week', listBlock(taught, 'none')),
      pageSection('Governance: decided this week', listBlock(named(governance.decided_this_week), 'nothing')),
      pageSection('Governance: look at these again', listBlock(doubtful, 'nothing')),
    ],
  };
}
