/**
 * `efficacyOf`: how often a lesson was shown, helped, recurred, and how many recurrences it avoided. Counted in runs that have ended;
 * docs/explanation/lessons.md tells how and why.
 *
 *   shown     a brief of the run carried it
 *   helped    it was shown in answer to an incident it is about, which was then resolved without a person and did not
 *             come again
 *   recurred  an incident it is about began in or after an attempt that had it in its brief
 *   clean     shown from the start in the situation it is about, and what it is about did not happen
 *   untested  shown from the start, but its situation did not come up: says nothing for it or against it
 *   avoided   an estimate: clean and recurring runs times the share of earlier runs that it would have hit, minus those
 *             that it hit all the same. Never more than `clean`, and nothing where nothing was hit before.
 */
import { wordSet } from '../core/text/word-list.ts';
import { type LessonMatch, speaksOf } from '../core/vocabulary/lesson.ts';
import type { Lesson } from './lesson.ts';
import type { IncidentMetrics, RunMetrics } from '../core/view/run-metrics.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Runs before the first showing that tell how common the trouble was. */
const BASE_WINDOW_MS = 30 * DAY_MS;
/** Fewer showings prove nothing. */
const DOUBT_AFTER = 3;
const RETIRE_AFTER = 6;
/** A lesson that fails every second time misleads more than it helps. */
const USELESS_SHARE = 0.5;

export type Efficacy = ReturnType<typeof efficacyOf>;
export type LessonKeys = Pick<Lesson, 'id' | 'fingerprints' | 'classes' | 'words' | 'paths' | 'commands'>;

/** `runs` of the lesson's repository, oldest first. */
export function efficacyOf(lesson: LessonKeys, runs: readonly RunMetrics[]) {
  const ended = runs.filter((run) => run.ended !== null);
  const tally = { shown: 0, helped: 0, recurred: 0, clean: 0, untested: 0, cold: 0, futile: 0 };
  let firstShown = Infinity;
  for (const run of ended) {
    const from = firstAttemptWith(lesson.id, run);
    if (from === null) continue;
    firstShown = Math.min(firstShown, run.created);
    const about = run.incidents.filter((incident) => speaksOf(lesson, incident));
    const before = about.filter(({ attempt }) => attempt < from);
    const again = about.some((incident) => lastSeen(incident) >= from);
    tally.shown += 1;
    const helped = hasHelped(lesson.id, run, about);
    if (helped) tally.helped += 1;
    if (again) tally.recurred += 1;
    if (again && !helped) tally.futile += 1;
    if (before.length === 0) {
      if (again) tally.cold += 1;
      else if (cameUp(lesson, run, ended)) tally.clean += 1;
      else tally.untested += 1;
    }
  }
  const earlier = ended.filter(
    ({ created }) => created < firstShown && created >= firstShown - BASE_WINDOW_MS,
  );
  const hit = earlier.filter((run) => wasHit(lesson, run)).length;
  const rate = earlier.length === 0 ? 0 : hit / earlier.length;
  const avoided = Math.max(0, rate * (tally.clean + tally.cold) - tally.cold);
  const { shown, helped, recurred, clean, untested } = tally;
  return {
    shown,
    helped,
    recurred,
    clean,
    untested,
    avoided: Math.round(avoided * 10) / 10,
    base: { runs: earlier.length, hit },
    verdict: verdict(shown, tally.futile, helped + avoided),
  };
}

/** Half of the words in common: the same kind of task, said a little differently. */
const SAME_TASK_SHARE = 0.5;

/** Matches that tell that a run was in the situation of the lesson. A cause that was once seen in the repository does not tell it. */
const IN_SITUATION: ReadonlySet<string> = new Set<LessonMatch>(['paths', 'command', 'words']);

/** True: the run touched what the lesson is about (paths, command, words), or did the task in which the trouble was seen. */
function cameUp(lesson: LessonKeys, run: RunMetrics, runs: readonly RunMetrics[]): boolean {
  if (run.shown.some(({ id, match }) => id === lesson.id && IN_SITUATION.has(match))) return true;
  const words = wordSet(run.title);
  return runs.some(
    (other) => other.created < run.created && wasHit(lesson, other) && isAlike(words, wordSet(other.title)),
  );
}

/**
 * True: what the lesson is about happened in this run, which need not have been shown it. A class alone tells that only where the lesson
 * is about nothing else; the record of a run has its title, but neither its paths nor its commands.
 */
function wasHit(lesson: LessonKeys, { incidents, title }: RunMetrics): boolean {
  if (!incidents.some((incident) => speaksOf(lesson, incident))) return false;
  if (lesson.fingerprints.length > 0) return true;
  if (lesson.paths.length > 0 || (lesson.commands ?? []).length > 0) return false;
  const said = wordSet(title);
  return (
    lesson.words.length === 0 ||
    lesson.words.some((phrase) => [...wordSet(phrase)].every((word) => said.has(word)))
  );
}

function lastSeen({ attempt, again }: IncidentMetrics): number {
  return Math.max(attempt, again);
}

function isAlike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const common = [...a].filter((word) => b.has(word)).length;
  return common > 0 && common / new Set([...a, ...b]).size >= SAME_TASK_SHARE;
}

/** Orders lessons of the same kind of match. */
export function worthOf({ helped, avoided, recurred }: Efficacy): number {
  return helped + avoided - recurred;
}

/** `futile`: the trouble came again, and the lesson did not help then either. */
function verdict(shown: number, futile: number, good: number) {
  const fails = shown > 0 && futile / shown >= USELESS_SHARE;
  if (fails && shown >= RETIRE_AFTER) return 'useless';
  if (fails && shown >= DOUBT_AFTER) return 'doubtful';
  return good >= 1 ? 'useful' : 'unproven';
}

function firstAttemptWith(id: string, run: RunMetrics): number | null {
  const attempts = run.shown.filter((shown) => shown.id === id).map(({ attempt }) => attempt);
  return attempts.length === 0 ? null : Math.min(...attempts);
}

/** Shown in a brief after the incident, which then ended for good without a question. */
function hasHelped(id: string, run: RunMetrics, about: readonly IncidentMetrics[]): boolean {
  const answered = about.filter((incident) =>
    run.shown.some((shown) => shown.id === id && shown.attempt > lastSeen(incident)),
  );
  if (answered.length === 0 || answered.length < about.length) return false;
  return answered.every(({ outcome, asked }) => outcome === 'resolved' && !asked);
}
