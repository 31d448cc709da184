/** `QuestionAsked`: one question with why it is asked now, what to do, the runs that it is for, and its options. */
import type { ComponentChildren } from 'preact';
import type { InboxQuestion } from '../../src/http/inbox-document.ts';
import { Spoken } from '../document.tsx';
import { follow } from '../navigation/address.ts';
import { commentsOn } from '../run/comments.ts';
import { StateWord } from '../marks.tsx';
import { now } from '../store.ts';
import { clock, ms, span } from '../time.ts';
import { Command } from '../run/command.tsx';
import { HeldRuns } from './held-runs.tsx';

interface Shown {
  readonly question: InboxQuestion;
  /** The option that was taken and that the run may not have yet. */
  readonly taken: string | null;
  readonly mayAnswer: boolean;
  readonly onAnswer: (index: number) => void;
  /** The field for a note, while one is written. */
  readonly children: ComponentChildren;
}

export function QuestionAsked({ question, taken, mayAnswer, onAnswer, children }: Shown) {
  const { run, runs, held } = question;
  const comments = commentsOn(run.run_id);
  return (
    <section class={taken === null ? 'question' : 'question answered'} aria-label="Question">
      <p class="from">
        {taken === null ? <StateWord word="needs_you" /> : <span class="second">answered</span>}{' '}
        {runs.length > 1 ? <b>one answer for {question.serves}</b> : <b>{run.title}</b>}{' '}
        <a href={`/runs/${run.run_id}`} onClick={follow}>
          <code>{run.run_id}</code>
        </a>{' '}
        <span class="second">
          {taken === null ? 'asks for ' : 'asked for '}
          {span(now.value - (ms(question.asked_at) ?? now.value))}
        </span>
      </p>
      <h2>
        <Spoken text={question.text} />
      </h2>
      <dl class="facts">
        <dt>Why now</dt>
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
        {question.tried.length > 0 && <dt>Tried</dt>}
        {question.tried.length > 0 && <dd>{question.tried.join('; ')}</dd>}
      </dl>
      {runs.length > 1 && <HeldRuns lines={held} all={runs.length} asker={run.run_id} />}
      {runs.length > 1 && (
        <p class="own-way second">
          <kbd>x</kbd> takes one held run out: it opens, and you can stop it there. The others stay with this
          question.
        </p>
      )}
      {comments.length > 0 && <p class="said">With your answer go your comments: {comments.join(' · ')}</p>}
      <ol class="options">
        {question.options.map((option, index) => (
          <li key={option.id} class={optionClass(option, taken)}>
            <button type="button" disabled={!mayAnswer} onClick={() => onAnswer(index)}>
              <kbd class={option.recommended && taken === null ? 'must' : ''}>{index + 1}</kbd>
              <span class="label">
                <b>{option.label}</b>
                <span class="second">
                  {[
                    option.serves,
                    option.recommended && taken === null && 'recommended',
                    option.id === taken && 'your answer',
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </span>
              <span class="effect">{option.effect}</span>
              {option.needs_note && <span class="second needs-note">needs a note in your words</span>}
            </button>
          </li>
        ))}
      </ol>
      {children}
      <p class="safety second">
        {question.checkpoint === null || runs.length > 1
          ? ''
          : `The work is safe at checkpoint ${question.checkpoint}. `}
        Nothing is running, nothing is burning.{' '}
        {question.deadline === null
          ? 'No deadline.'
          : `Deadline ${clock(Date.parse(question.deadline), now.value)}.`}
      </p>
    </section>
  );
}

function optionClass({ id, recommended }: InboxQuestion['options'][number], taken: string | null): string {
  if (taken === null) return recommended ? 'recommended' : '';
  return id === taken ? 'taken' : '';
}
