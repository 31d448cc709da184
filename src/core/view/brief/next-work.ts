/** `settled`: what people decided in this run. `nextWork`: the next step, in closed templates about the work. */
import { minutes } from '../../text/minutes.ts';
import { quoteFenced, readableQuotes } from '../../text/quote-fenced.ts';
import { injectedWords } from '../../vocabulary/mission.ts';
import { openIncident, type AskedQuestion, type RunState } from '../../state/run-state.ts';
import { totalUsage } from '../../state/usage.ts';
import { workingTimeLeft } from '../../state/working-time.ts';
import { lines } from './brief-text.ts';
import { inline, lastExamination } from './work-so-far.ts';
import { isCheck } from './why-it-stopped.ts';

/** Older decisions are in the work by now. */
const MAX_SETTLED = 4;
/** Besides the notes of the person, which are never cut. The latest decision is always told. */
const MAX_SETTLED_CHARS = 600;
const MAX_QUESTION_CHARS = 300;
const MAX_LABEL_CHARS = 120;

/** `noteChars`: how much of the text is a person's own words. */
export function settled({ questions, missions }: RunState, mark: string) {
  const told: string[] = [];
  let noteChars = 0;
  let ownChars = 0;
  for (const asked of questions
    .filter(({ answer }) => answer !== null)
    .slice(-MAX_SETTLED)
    .toReversed()) {
    const note = asked.answer?.note.length ?? 0;
    const line = `- ${decision(asked, mark)}`;
    ownChars += line.length - note;
    if (told.length > 0 && ownChars > MAX_SETTLED_CHARS) break;
    noteChars += note;
    told.unshift(line);
  }
  // The first brief after a rescue has its words as the next step.
  for (const mission of missions.filter(({ injectedAt }) => injectedAt !== null)) {
    // A later mission replaces the files of an earlier one.
    const words = mission === missions.at(-1) ? injectedWords(mission.plan) : mission.plan.injection;
    const line = `- ${mission.owner} came to the rescue: ${words}`;
    noteChars += line.length;
    told.push(line);
  }
  return { text: told.join('\n'), noteChars };
}

/** What the person chose and their own words. The label of an option that only takes words, such as "answer it", says nothing. */
function decision({ question, answer }: AskedQuestion, mark: string): string {
  const { option, note } = answer as NonNullable<AskedQuestion['answer']>;
  const chosen = question.options.find(({ id }) => id === option);
  const { consequence } = chosen ?? {};
  const isOnlyWords = consequence?.type === 'tell_agent' && consequence.told === 'answer';
  const label = isOnlyWords
    ? ''
    : `${quoteFenced(readableQuotes(chosen?.label ?? option), mark, MAX_LABEL_CHARS)}. `;
  const asked = quoteFenced(readableQuotes(question.text), mark, MAX_QUESTION_CHARS);
  return `Decision on ${asked}: ${label}${note}`.trimEnd();
}

export function nextWork(state: RunState, hint: string | null, at: number): string {
  const { allowed } = state.scope;
  return lines([
    state.attempts.some(({ endedAt }) => endedAt !== null) ? step(state, hint) : hint,
    allowed.length === 1 && allowed[0] === '**' ? null : `You may change only: ${allowed.join(', ')}.`,
    state.task.checks.length > 0
      ? `These commands must pass; Mayday runs them itself:\n${state.task.checks.map((check) => `- ${inline(check)}`).join('\n')}`
      : null,
    state.options.asUser === undefined
      ? null
      : 'Git is read-only here: leave your changes in the files and do not commit; Mayday delivers them.',
    budgetLeft(state, at),
  ]);
}

function step(state: RunState, hint: string | null): string {
  const examination = lastExamination(state);
  const isLooping = openIncident(state)?.class === 'looping';
  const loopsOnCheck = isLooping && (examination?.repeated ?? []).some((made) => isCheck(state, made));
  const own = [
    hint,
    isAnswered(state) ? 'Do what a person settled, above.' : null,
    loopsOnCheck ? 'Change something that bears on the failing result; only then run the check again.' : null,
    state.delivery.blockers.some(({ code }) => code === 'check_failed')
      ? 'Make the failing check pass: its output is quoted above.'
      : null,
    examination?.inFlight
      ? 'First find out what the cut call left behind; do it again if it is still needed.'
      : null,
    state.partialWork.missing.length > 0 ? 'Go on with what is still missing.' : null,
  ];
  const told = lines(own);
  return told === '' ? 'Go on with the task from where the files stand; do not begin again.' : told;
}

/** True: a person's answer let this attempt begin, or a rescue is under way. */
function isAnswered({ questions, attempts, missions }: RunState): boolean {
  if (missions.at(-1)?.outcome === null && missions.at(-1)?.injectedAt !== null) return true;
  const ended = attempts.findLast(({ endedAt }) => endedAt !== null)?.endedAt ?? Infinity;
  return questions.some(({ answer }) => answer !== null && answer.at >= ended);
}

function budgetLeft(state: RunState, at: number): string | null {
  const { usd, wallClockMs } = state.budget;
  const time = workingTimeLeft(state, at);
  return lines([
    usd === null
      ? null
      : `Budget left: $${Math.max(0, usd - totalUsage(state).costUsd).toFixed(2)} of $${usd}.`,
    time === null || wallClockMs === null
      ? null
      : `Working time left: ${minutes(time)} of ${minutes(wallClockMs)}.`,
  ]);
}
