/** `calibration`: what each provider of opinions claimed, and how often it came true, in all and by the kind of question. */
import { efficacyOf } from '../../context/efficacy.ts';
import type { OpinionMetrics } from '../../core/view/opinion-metrics.ts';
import type { RunMetrics } from '../../core/view/run-metrics.ts';
import type { LearningInput, LessonFacts } from './learning-metrics.ts';

/** From this confidence on. */
const CLAIMED = [0.9, 0.75, 0.5, 0] as const;

export function calibration({ runs, history, lessons, falsePositives }: Omit<LearningInput, 'now'>) {
  const lessonHelped = lessonOutcomes(history, lessons);
  const cameTrue = (run: RunMetrics, opinion: OpinionMetrics): boolean | null => {
    const { about, saysTrouble } = opinion;
    if (opinion.kind === 'lesson') return lessonHelped(run.repository, about);
    // A person's word that there was no trouble outweighs what the run made of it.
    const isFalseAlarm = saysTrouble !== null && about !== null && falsePositives.has(about);
    return isFalseAlarm ? !saysTrouble : opinion.cameTrue;
  };
  const given = runs.flatMap((run) =>
    run.opinions.map((opinion) => ({ ...opinion, cameTrue: cameTrue(run, opinion) })),
  );
  return [...Map.groupBy(given, ({ by }) => by)]
    .map(([by, all]) => ({
      by,
      asked: all.length,
      answered: answersOf(all).length,
      cost_usd: all.reduce((sum, { cost }) => sum + cost, 0),
      claimed: bands(all).filter(({ n }) => n > 0),
      kinds: [...Map.groupBy(all, ({ kind }) => kind)]
        .map(([kind, of]) => ({ kind, asked: of.length, answered: answersOf(of).length, claimed: bands(of) }))
        .toSorted((a, b) => (a.kind < b.kind ? -1 : 1)),
    }))
    .toSorted((a, b) => b.asked - a.asked || (a.by < b.by ? -1 : 1));
}

function answersOf(all: readonly OpinionMetrics[]): readonly OpinionMetrics[] {
  return all.filter(({ confidence }) => confidence !== null);
}

/** `n`: those that what happened next has borne out or refuted; of the others nothing was seen. */
function bands(all: readonly OpinionMetrics[]) {
  return CLAIMED.map((from, index) => {
    const below = CLAIMED[index - 1] ?? 2;
    const claimed = all.filter(
      ({ confidence }) => confidence !== null && confidence >= from && confidence < below,
    );
    return {
      from,
      answered: claimed.length,
      n: claimed.filter((one) => one.cameTrue !== null).length,
      came_true: claimed.filter((one) => one.cameTrue).length,
    };
  }).filter(({ answered }) => answered > 0);
}

/** A lesson came true if it helped the runs that were told it, and did not where the trouble came all the same. */
function lessonOutcomes(history: readonly RunMetrics[], lessons: readonly LessonFacts[]) {
  const isWorded = history.some(({ opinions }) => opinions.some(({ kind }) => kind === 'lesson'));
  const byRepository = Map.groupBy(isWorded ? history : [], ({ repository }) => repository);
  return (repository: string, id: string | null): boolean | null => {
    const lesson = lessons.find((one) => one.id === id && one.repository === repository);
    if (lesson === undefined) return null;
    const { verdict } = efficacyOf(lesson, byRepository.get(repository) ?? []);
    return verdict === 'unproven' ? null : verdict === 'useful';
  };
}
