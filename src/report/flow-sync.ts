/** `flowSync`: the daily flow sync: what needs a person today, what is owed, and which context updates the week brought. */
import { readView } from '../core/view/read-view.ts';
import type { RunJson } from '../core/view/run-json.ts';
import { readableQuotes } from '../core/text/quote-fenced.ts';
import { contradictions, staleLessons } from '../context/review-lessons.ts';
import { CONTEXT_CHAIN, readDecisions } from '../context/decisions.ts';
import { guardedGit } from '../platform/git/git.ts';
import type { RunRecord } from '../record/contract.ts';
import { failedTasks } from '../supervise/bus/failed-tasks.ts';
import { type IndexedLesson, indexed } from '../supervise/lessons/lesson-index.ts';
import { missionMetrics } from './metrics/mission-metrics.ts';
import { summarise } from './metrics/summary.ts';
import { readHistory } from './read-history.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const WEEK_MS = 7 * DAY_MS;

export type FlowSync = Awaited<ReturnType<typeof flowSync>>;

export async function flowSync(record: RunRecord, now: number, env: NodeJS.ProcessEnv) {
  const history = await readHistory(record, { now });
  const over = (ms: number) =>
    summarise({ history: history.runs, ...history, from: now - ms, to: now + 1, now });
  const today = over(DAY_MS);
  return {
    generated_at: new Date(now).toISOString(),
    triage: await triage(record),
    external_failures: await failedTasks(record),
    last_day: {
      tasks: today.tasks.total,
      open: today.tasks.open,
      first_try: today.tasks.first_try,
      required_recovery: today.tasks.required_recovery,
      failed_after_recovery: today.tasks.failed_after_recovery,
      mttu_ms: today.unblock.mttu_ms.mean,
    },
    // However old, a mission is listed until it is closed.
    missions_lacking_enrichment: missionMetrics(history.runs, history.lessons, now).lacking_enrichment,
    goals_missed: over(WEEK_MS).criteria.filter(({ state }) => state === 'missed'),
    governance: await governance(record, now, env, over(WEEK_MS).learning.lessons),
  };
}

async function triage(record: RunRecord) {
  const rows = await record.rows({ needsPerson: true });
  return rows
    .toSorted((a, b) => a.updatedAt - b.updatedAt)
    .flatMap(({ runId, title, view }) => {
      const { questions } = readView({ view });
      const open = questions.find(({ state }) => state === 'open');
      return open === undefined
        ? []
        : [
            {
              run_id: runId,
              title,
              question: open.id,
              text: readableQuotes(open.text),
              recommended: open.recommended,
              command: callFor(open),
            },
          ];
    });
}

/** By the number of the recommended option, as it stands in the inbox; where none is, the person chooses one. */
function callFor({ id, options, recommended }: RunJson['questions'][number]): string {
  const at = options.findIndex((option) => option.id === recommended);
  if (at === -1) return `mayday answer ${id} NUMBER`;
  return `mayday answer ${id} ${at + 1}${options[at]?.needs_note === true ? ' --note "YOUR WORDS"' : ''}`;
}

async function governance(
  record: RunRecord,
  now: number,
  env: NodeJS.ProcessEnv,
  used: readonly { readonly id: string; readonly verdict: string }[],
) {
  const decisions = readDecisions(await record.ledger(CONTEXT_CHAIN));
  const lessons = (await record.lessons()).map((stored) => indexed(stored, decisions, now));
  const named = (chosen: readonly IndexedLesson[]) =>
    chosen.map(({ repository, lesson: { id, title }, standing }) => ({
      id,
      title: readableQuotes(title),
      repository,
      because: readableQuotes(standing.because),
    }));
  const approved = lessons.filter(({ standing }) => standing.status === 'approved');
  const doubtful = new Set(
    used.filter(({ verdict }) => verdict === 'doubtful' || verdict === 'useless').map(({ id }) => id),
  );
  return {
    to_review: named(lessons.filter(({ standing }) => standing.status === 'proposed')),
    missions_this_week: await enrichedSince(record, now - WEEK_MS),
    decided_this_week: named(
      lessons.filter(({ standing }) => standing.decision !== null && standing.decision.at > now - WEEK_MS),
    ),
    doubtful: named(approved.filter(({ lesson }) => doubtful.has(lesson.id))),
    contradicting: contradictionsIn(approved),
    stale: named(await stale(approved, env)),
    expired: named(lessons.filter(({ standing }) => standing.status === 'expired')),
  };
}

async function enrichedSince(record: RunRecord, sinceAt: number) {
  const rows = await record.rows({ sinceAt });
  return rows
    .flatMap((row) => readView(row).missions ?? [])
    .filter(({ closed_at }) => (closed_at ?? '') >= new Date(sinceAt).toISOString())
    .map(({ id, run_id, context_updates, enrichment }) => ({
      mission: id,
      run_id,
      updates: context_updates,
      reason: enrichment.reason,
    }));
}

function contradictionsIn(lessons: readonly IndexedLesson[]) {
  return [...Map.groupBy(lessons, ({ repository }) => repository).values()].flatMap((group) =>
    contradictions(group.map(({ lesson }) => lesson)),
  );
}

/** For a repository that is not on this machine, no path can be called missing. */
async function stale(lessons: readonly IndexedLesson[], env: NodeJS.ProcessEnv): Promise<IndexedLesson[]> {
  const withPaths = lessons.filter(({ lesson }) => lesson.paths.length > 0);
  const found: IndexedLesson[] = [];
  for (const [repository, group] of Map.groupBy(withPaths, (item) => item.repository)) {
    const listed = await guardedGit({ args: ['ls-files', '-z'], cwd: repository, env }).catch(() => null);
    if (listed === null || listed.exitCode !== 0) continue;
    const files = listed.stdout.toString().split('\0');
    const gone = new Set(
      staleLessons(
        group.map(({ lesson }) => lesson),
        files,
      ),
    );
    found.push(...group.filter(({ lesson }) => gone.has(lesson)));
  }
  return found;
}
