/** `QuestionAsked`: one question with why it is asked now, what to do, the runs that it is for, and its options. */
import type { ComponentChildren } from 'preact';
import type { InboxQuestion } from '../../src/http/inbox-document.ts';
import { Spoken } from '../document.tsx';
import { follow } from '../navigation/address.ts';
import { commentsOn } from '../run/comments.ts';
import { StateWord, Tick } from '../marks.tsx';
import { narrow } from '../narrow.ts';
import { now, type PageAnswer } from '../store.ts';
import { clock, clockWithSeconds, ms, span } from '../time.ts';
import { Command } from '../run/command.tsx';
import { HeldRuns } from './held-runs.tsx';

interface Shown {
  readonly question: InboxQuestion;
  /** What this person answered; the run may not have it yet. */
  readonly answer: PageAnswer | undefined;
  readonly mayAnswer: boolean;
  readonly onAnswer: (index: number) => void;
  /** Keys write a note with n. */
  readonly onNote: () => void;
  /** The field for a note, while one is written. */
  readonly children: ComponentChildren;
}

export function QuestionAsked({ question, answer, mayAnswer, onAnswer, onNote, children }: Shown) {
  const { run, runs, held } = question;
  const taken = answer?.option ?? null;
  const comments = commentsOn(run.run_id);
  const heldRuns = runs.length > 1 && <Held lines={held} all={runs.length} asker={run.run_id} />;
  return (
    <section class={taken === null ? 'question' : 'question answered'} aria-label="Question">
      <p class="from">
        {answer === undefined ? <StateWord word="needs_you" /> : <AnsweredAfter {...{ question, answer }} />}{' '}
        {runs.length > 1 ? <b>one answer for {question.serves}</b> : <b>{run.title}</b>}{' '}
        <a href={`/runs/${run.run_id}`} onClick={follow}>
          <code>{run.run_id}</code>
        </a>{' '}
        {answer === undefined && <span class="second">{askedAgo(question)}</span>}
      </p>
      <h2>
        <Spoken text={question.text} />
      </h2>
      <dl class="facts">
        <dt>{taken === null ? 'Why now' : 'Why it asked'}</dt>
        <dd>{question.why_now}</dd>
        {question.todo !== null && <dt>Do</dt>}
        {question.todo !== null && (
          <dd>
            <Spoken text={question.todo} />
            {question.todo_command !== null && (
              <p>
                <Command text={question.todo_command} />
              </p>
            )}
          </dd>
        )}
        {question.spared !== null && <dt>Others</dt>}
        {question.spared !== null && <dd>{question.spared}.</dd>}
        {question.tried.length > 0 && <dt>Tried</dt>}
        {question.tried.length > 0 && <dd>{question.tried.join('; ')}</dd>}
      </dl>
      {narrow.value && runs.length > 1 && <HeldNames lines={held} all={runs.length} />}
      {!narrow.value && heldRuns}
      {comments.length > 0 && <p class="said">With your answer go your comments: {comments.join(' · ')}</p>}
      <ol class="options">
        {question.options.map((option, index) => (
          <li key={option.id} class={optionClass(option, taken)}>
            <button type="button" disabled={!mayAnswer} onClick={() => onAnswer(index)}>
              <kbd>{option.id === taken ? <Tick /> : index + 1}</kbd>
              <span class="label">
                <b>{option.label}</b>
                {option.id === taken && <span class="tag">your answer</span>}
                {option.recommended && taken === null && <span class="tag">recommended</span>}
                {(option.needs_note || taken === null) && (
                  <span class="tag">{option.needs_note ? 'needs a note' : 'note optional'}</span>
                )}
                {option.serves !== '' && <span class="second">for {option.serves}</span>}
              </span>
              <span class="effect">{option.effect}</span>
            </button>
          </li>
        ))}
      </ol>
      {mayAnswer && answer === undefined && (
        <button type="button" class="button phone" onClick={onNote}>
          Add a note to your answer
        </button>
      )}
      {children}
      {narrow.value && heldRuns}
      <p class="safety second">
        {question.checkpoint !== null && runs.length === 1 && (
          <>
            The work is safe at checkpoint {question.checkpoint}:{' '}
            <a href={`/runs/${run.run_id}`} onClick={follow}>
              see it
            </a>
            .{' '}
          </>
        )}
        {runs.length > 1 ? 'These runs are stopped and cost' : 'This run is stopped and costs'} nothing.{' '}
        {timeLeft(question, answer)}
      </p>
    </section>
  );
}

interface NamesShown {
  readonly lines: InboxQuestion['held'];
  readonly all: number;
}

const MAX_NAMES = 6;

/** Whom an answer is for, before the answers. */
function HeldNames({ lines, all }: NamesShown) {
  const named = lines.slice(0, MAX_NAMES);
  return (
    <ul class="held-names" aria-label="Runs that the answer is for">
      {named.map(({ run_id, title }) => (
        <li key={run_id}>
          {title} <code>{run_id}</code>
        </li>
      ))}
      {all > named.length && <li class="second">and {all - named.length} more</li>}
    </ul>
  );
}

/** On a phone what else is known of the runs stands after the answers, and is unfolded by a touch. */
function Held(shown: Parameters<typeof HeldRuns>[0]) {
  const table = <HeldRuns {...shown} />;
  if (narrow.value)
    return (
      <details class="held-runs">
        <summary>More about the {shown.all} runs</summary>
        {table}
      </details>
    );
  return (
    <>
      {table}
      <p class="own-way second">
        <kbd>x</kbd> takes one held run out: it opens, and you can stop it there. The others stay with this
        question.
      </p>
    </>
  );
}

export function askedAgo({ asked_at }: InboxQuestion): string {
  return `asked ${span(now.value - (ms(asked_at) ?? now.value))} ago`;
}

interface AnsweredShown {
  readonly question: InboxQuestion;
  readonly answer: PageAnswer;
}

export function AnsweredAfter({ question, answer }: AnsweredShown) {
  if (answer.state === 'unsent') return <span class="second">your answer is not sent yet</span>;
  return <span class="second">answered after {span(answer.at - (ms(question.asked_at) ?? answer.at))}</span>;
}

/** An answer that is not said yet can be taken back: that is the only deadline then. */
function timeLeft({ deadline }: InboxQuestion, answer: PageAnswer | undefined): string {
  if (answer?.state === 'kept')
    return `You can take your answer back until ${clockWithSeconds(answer.until)}.`;
  if (answer !== undefined) return '';
  return deadline === null ? 'No deadline.' : `Deadline ${clock(Date.parse(deadline), now.value)}.`;
}

function optionClass({ id, recommended }: InboxQuestion['options'][number], taken: string | null): string {
  if (taken === null) return recommended ? 'recommended' : '';
  return id === taken ? 'taken' : '';
}
