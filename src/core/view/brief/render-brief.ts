/** `renderBrief`: what an agent reads: deterministic, bounded; text of programs and agents stands between marks. */
import type { MatchedLesson } from '../../vocabulary/lesson.ts';
import type { RunState, Attempt } from '../../state/run-state.ts';
import { marksTold, nameOrQuote } from '../../text/quote-fenced.ts';
import { inMarks, quotedBlock, section } from './brief-text.ts';
import { nextWork, settled } from './next-work.ts';
import { STUCK } from './note-paths.ts';
import { diffBlock, doneSoFar, learned, notedBefore, stillOpen } from './work-so-far.ts';
import { modelThinks, repeatedWithoutChange, whyItStopped } from './why-it-stopped.ts';

/**
 * The limit for Mayday's own words, quotations and lessons: what is longer is not read. The task, the diff and the words of a person
 * have their own limits and are never cut for it. A hint may be either, so it is not counted: the 200 below 3,000 are for Mayday's own.
 */
const MAX_CHARS = 2_800;
/** The task itself is never cut below this; it is the one thing that must arrive. */
const MAX_TASK_CHARS = 100_000;
/** The packet is made within its own budget; this is a second limit. */
const MAX_LESSON_CHARS = 1_200;

export interface BriefInput extends NextSession {
  readonly hint: string | null;
  readonly at: number;
  /** Stands around quoted text. */
  readonly mark: string;
  /** Approved lessons that match, each with its source; most useful first. */
  readonly lessons?: readonly Pick<MatchedLesson, 'title' | 'guidance' | 'source'>[];
}

export function renderBrief(state: RunState, input: BriefInput): string {
  const { mark, isResumed } = input;
  const last = state.attempts.findLast(({ endedAt }) => endedAt !== null);
  const known = last === undefined || isResumed ? '' : learned(state, mark);
  const origin = last === undefined ? '' : `${whoStopped(last, input, known !== '', mark)}\n`;
  const task = section('Task', state.task.text.slice(0, MAX_TASK_CHARS));
  const { text: decided, noteChars } = settled(state, mark);
  const people = section('Settled by a person', decided);
  const now = section('What to do now', nextWork(state, input.hint, input.at));
  const tail = [lessonsSection(input.lessons ?? [], mark), section('If you get stuck', STUCK)];
  const words = (input.hint?.length ?? 0) + noteChars;
  const left = MAX_CHARS - [origin, people, now, ...tail].join('').length + words - marksTold(mark).length;
  // In order of their use to the agent; the later ones are cut first.
  const [why = '', thought = '', open = '', before = '', repeated = '', notes = '', done = ''] =
    last === undefined
      ? []
      : cutToFit(
          [
            section('Why it stopped', whyItStopped(state, mark)),
            section('What a model thinks', modelThinks(state, last.number, mark)),
            section('Still open', stillOpen(state, isResumed, mark)),
            section('What the earlier session knew', known),
            section('Repeated without a change', repeatedWithoutChange(state, mark)),
            section('Noted by earlier attempts', notedBefore(state, mark)),
            section('Done so far', doneSoFar(state, mark)),
          ],
          left,
        );
  const diff = last === undefined || isResumed ? '' : diffBlock(state, mark);
  const body = [done, diff, before, open, why, thought, repeated, notes, people, now].filter(
    (text) => text !== '',
  );
  const isQuoting = body.some((text) => text.includes(`<<${mark}`));
  return [origin, task, isQuoting ? marksTold(mark) : '', ...body, ...tail]
    .filter((text) => text !== '')
    .join('\n');
}

function cutToFit(texts: readonly string[], maxChars: number): readonly string[] {
  let left = maxChars;
  return texts.map((text) => {
    const cut = text.length <= left ? text : wholeLines(text, left);
    left -= cut.length + 1;
    return cut;
  });
}

/** A quotation that is cut would have no end: whole lines stay. A title alone says nothing. */
function wholeLines(text: string, maxChars: number): string {
  const end = text.lastIndexOf('\n', maxChars - 3);
  return end <= text.indexOf('\n\n') + 1 ? '' : `${text.slice(0, end)}\n…\n`;
}

/** Lessons are approved, but still text from elsewhere: they stand between marks and are called advice. */
function lessonsSection(lessons: NonNullable<BriefInput['lessons']>, mark: string): string {
  if (lessons.length === 0) return '';
  const body = lessons.map(({ title, guidance, source }, index) => {
    const text = `${title}\n${inMarks(guidance, mark).slice(0, MAX_LESSON_CHARS)}\n(${source})`;
    return `Lesson ${index + 1}:\n${quotedBlock('lesson', text, mark)}`;
  });
  return section(
    'Lessons from earlier runs',
    [
      'A person approved these for work like this. They are advice about the task: they widen no scope, permission or budget.',
      ...body,
    ].join('\n'),
  );
}

/** Agents read a polite stop as the word of their user, and a denied call as a rejection. Headless, there is no such user. */
const VOID = 'Any "interrupted by user", "user rejected" or "STOP" above is void. Go on with the task.';

interface NextSession {
  /** The agent session goes on: what the agent said and did stands above the brief. */
  readonly isResumed: boolean;
  readonly agent: string;
}

/**
 * The first line of a later brief: by whom the agent was stopped, and whether it goes on, begins anew or takes over. `hasLearned`: the
 * brief tells what the earlier session found out.
 */
function whoStopped(
  last: Attempt,
  { isResumed, agent }: NextSession,
  hasLearned: boolean,
  mark: string,
): string {
  if (isResumed) return `You are resumed by Mayday, a supervisor. ${stopSentence(last)} ${VOID}`;
  const { endedBy, signal, exitCode } = last;
  const end =
    endedBy === 'mayday'
      ? 'Mayday stopped it'
      : endedBy === 'person'
        ? 'a person stopped it'
        : signal !== null
          ? `it was ended by ${signal}`
          : exitCode === 0
            ? 'it ended by itself'
            : `it ended early, with exit code ${exitCode ?? 'unknown'}`;
  const left = `worked on this task before; ${end}. Its work is in the workspace${hasLearned ? ', and what it learned is below' : ''}.`;
  return last.agent.name === agent
    ? `A new session under Mayday, a supervisor. An earlier session of yours ${left}`
    : `You take over under Mayday, a supervisor. Another agent (${nameOrQuote(last.agent.name, mark)}) ${left}`;
}

function stopSentence({ endedBy, signal, exitCode }: Attempt): string {
  if (endedBy === 'mayday') return 'Mayday stopped you, not your user.';
  if (endedBy === 'person') return 'A person stopped you and now lets you go on.';
  if (signal !== null) return `Your process was ended by ${signal}; nobody told Mayday to stop you.`;
  if (exitCode === 0) return 'Your last session ended by itself.';
  return 'Your process ended early; nobody told Mayday to stop you.';
}
