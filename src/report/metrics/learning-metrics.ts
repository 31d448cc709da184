/** `learningMetrics`: root causes, lessons, recurrences and the cost of being stuck (M3). */
import { type Efficacy, efficacyOf, type LessonKeys } from '../../context/efficacy.ts';
import { isExactFingerprint } from '../../core/vocabulary/lesson.ts';
import type { IncidentMetrics, RunMetrics } from '../../core/view/run-metrics.ts';
import { happened, incidentsOf } from './incidents-of.ts';
import { count, sum } from './statistics.ts';

export interface LessonFacts extends LessonKeys {
  readonly repository: string;
  readonly title: string;
  readonly status: string;
  readonly incident: string | null;
  /** A person has said yes, or no with the reason: the mission it was learned in owes nothing more. */
  readonly decided: boolean;
}

export interface LearningInput {
  /** Of the period. */
  readonly runs: readonly RunMetrics[];
  /** Also from before it, to know what was seen before. */
  readonly history: readonly RunMetrics[];
  readonly lessons: readonly LessonFacts[];
  readonly falsePositives: ReadonlySet<string>;
  readonly now: number;
}

export function learningMetrics({ runs, history, lessons, falsePositives, now }: LearningInput) {
  const incidents = incidentsOf(runs);
  const useful = usedLessons(lessons, history);
  return {
    categories: categoryTable(incidents),
    context_updates: sum(runs.map(({ proposed }) => proposed.length)),
    recurrence: recurrence(runs, history),
    avoided: Math.round(sum(useful.map(({ efficacy }) => efficacy.avoided)) * 10) / 10,
    lessons: useful.map(({ id, title, status, efficacy }) => ({ id, title, status, ...efficacy })),
    stuck: {
      time_ms: sum(happened(runs).map(({ run, incident }) => stuckMs(run, incident, now))),
      tokens: sum(runs.map(({ stuckTokens }) => stuckTokens)),
      cost_usd: sum(runs.map(({ stuckCost }) => stuckCost)),
    },
    false_positives: count(incidents.filter(({ id }) => falsePositives.has(id)).length, incidents.length),
  };
}

export function stuckMs(run: RunMetrics, { began, resumed }: IncidentMetrics, now: number): number {
  return Math.max(0, (resumed ?? run.ended ?? now) - began);
}

export function categoryTable(of: readonly { readonly category: string | null }[]) {
  const known = of.map(({ category }) => category).filter((category) => category !== null);
  return [...Map.groupBy(known, (category) => category)]
    .map(([category, group]) => ({ category, count: group.length, share: group.length / known.length }))
    .toSorted((a, b) => b.count - a.count || (a.category < b.category ? -1 : 1));
}

/** Seen before: an earlier incident of the same repository had exactly the same cause. */
function recurrence(runs: readonly RunMetrics[], history: readonly RunMetrics[]) {
  const inPeriod = new Set(runs);
  const seen = new Set<string>();
  let exact = 0;
  let again = 0;
  for (const run of history) {
    for (const { fingerprint } of run.incidents) {
      if (fingerprint === null || !isExactFingerprint(fingerprint)) continue;
      const key = `${run.repository}\0${fingerprint}`;
      if (inPeriod.has(run)) {
        exact += 1;
        if (seen.has(key)) again += 1;
      }
      seen.add(key);
    }
  }
  return count(again, exact);
}

function usedLessons(lessons: readonly LessonFacts[], history: readonly RunMetrics[]) {
  const carried = new Set(history.flatMap(({ shown }) => shown.map(({ id }) => id)));
  const used = lessons.filter(({ id }) => carried.has(id));
  if (used.length === 0) return [];
  const byRepository = Map.groupBy(history, ({ repository }) => repository);
  return used
    .map((lesson): LessonFacts & { efficacy: Efficacy } => ({
      ...lesson,
      efficacy: efficacyOf(lesson, byRepository.get(lesson.repository) ?? []),
    }))
    .toSorted((a, b) => b.efficacy.avoided - a.efficacy.avoided || b.efficacy.helped - a.efficacy.helped);
}
