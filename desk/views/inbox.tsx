/** `Inbox`: the open questions, one in focus; a number key answers it, `z` takes the answer back until the run has it. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { InboxQuestion } from '../../src/http/inbox-document.ts';
import type { LateAnswer } from '../../src/http/late-answers.ts';
import { address, follow, go } from '../navigation/address.ts';
import { say } from '../api.ts';
import { commentsOn, setComments } from '../run/comments.ts';
import { KeyHints } from '../navigation/hints.tsx';
import { useKeys } from '../navigation/keys.ts';
import { axisOf, fittingWindow, LineOfLife } from './line-of-life.tsx';
import { StateWord } from '../marks.tsx';
import { inbox, loaded, now, person, readInboxSoon, show } from '../store.ts';
import { ms, span } from '../time.ts';

export function Inbox() {
  const { questions, answers } = inbox.value;
  const note = useSignal('');
  const writing = useSignal<string | null>(null);
  const at = Math.max(
    0,
    questions.findIndex(({ id }) => id === address.value.name),
  );
  const current = questions[at];
  const pending = answers.find(({ question }) => question === current?.id) ?? answers.at(-1);
  const mayAnswer = person.value.role === 'operator';
  const focus = (index: number) => {
    const next = questions[Math.min(Math.max(index, 0), questions.length - 1)];
    note.value = '';
    writing.value = null;
    if (next !== undefined) go(`/inbox?question=${next.id}`, true);
  };
  const answer = async (index: number) => {
    const option = current?.options[index];
    if (current === undefined || option === undefined || !mayAnswer) return;
    // Some options say nothing without the person's own words.
    if (option.needs_note && note.value.trim() === '' && commentsOn(current.run.run_id).length === 0) {
      writing.value = option.id;
      return;
    }
    writing.value = null;
    const inDiff = commentsOn(current.run.run_id);
    const said = {
      option: option.id,
      note: [note.value, ...inDiff].filter((text) => text !== '').join('\n'),
    };
    try {
      // Shown at once: the answer can be taken back from the first moment on.
      const kept = await say<LateAnswer>('POST', `/api/questions/${current.id}/answer`, said);
      const others = inbox.value.answers.filter(({ question }) => question !== kept.question);
      inbox.value = { ...inbox.value, answers: [...others, kept] };
      setComments(current.run.run_id, []);
    } catch (error) {
      show(error);
    }
    note.value = '';
    readInboxSoon(500);
  };
  const takeBack = async () => {
    const kept = answers.find(({ state }) => state === 'kept');
    if (kept === undefined) return;
    await say('DELETE', `/api/questions/${kept.question}/answer`).catch(show);
    readInboxSoon();
  };
  const write = () => (writing.value ??= current?.options.find(({ recommended }) => recommended)?.id ?? '');
  useKeys({
    j: () => focus(at + 1),
    k: () => focus(at - 1),
    n: write,
    z: () => void takeBack(),
    o: () => current && go(`/runs/${current.run.run_id}`),
    Escape: () => (writing.value = null),
    ...Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [String(index + 1), () => void answer(index)]),
    ),
  });
  useEffect(() => {
    document.title = `${questions.length > 0 ? `(${questions.length}) ` : ''}Inbox - Mayday`;
  });
  if (!loaded.value) return <main class="page" aria-busy="true" />;
  return (
    <main class="page inbox">
      <h1 class="unseen">Inbox</h1>
      <nav class="questions" aria-label="Open questions">
        {questions.map((question, index) => (
          <QuestionEntry key={question.id} question={question} inFocus={index === at} />
        ))}
        {questions.length === 0 && <p class="second">Nothing waits for you.</p>}
      </nav>
      {current === undefined ? (
        <section class="question empty">
          <h2>Nothing waits for you</h2>
          <p>
            A run that cannot go on by itself asks here. Until then the runs work, wait or rescue themselves.
          </p>
          <p>
            <a href="/" onClick={follow}>
              See what they do now
            </a>
          </p>
        </section>
      ) : (
        <section class="question" aria-label="Question">
          <p class="from">
            <StateWord word="needs_you" /> <b>{current.run.title}</b>{' '}
            <a href={`/runs/${current.run.run_id}`} onClick={follow}>
              <code>{current.run.run_id}</code>
            </a>{' '}
            <span class="second">
              stage {current.run.stage}, waits {span(now.value - (ms(current.asked_at) ?? now.value))}
            </span>
          </p>
          <h2>{current.text}</h2>
          <dl class="facts">
            <dt>Why now</dt>
            <dd>{current.why_now}</dd>
            {current.tried.length > 0 && <dt>Tried</dt>}
            {current.tried.length > 0 && <dd>{current.tried.join('; ')}</dd>}
            {current.runs.length > 1 && <dt>For all of</dt>}
            {current.runs.length > 1 && (
              <dd>
                {current.runs.length} runs that wait for the same cause: <code>{current.runs.join(' ')}</code>
              </dd>
            )}
          </dl>
          {commentsOn(current.run.run_id).length > 0 && (
            <p class="said">
              With your answer go your comments: {commentsOn(current.run.run_id).join(' · ')}
            </p>
          )}
          <ol class="options">
            {current.options.map((option, index) => (
              <li key={option.id} class={option.recommended ? 'recommended' : ''}>
                <button type="button" disabled={!mayAnswer} onClick={() => void answer(index)}>
                  <kbd class={option.recommended ? 'must' : ''}>{index + 1}</kbd>
                  <span class="label">
                    <b>{option.label}</b>
                    {option.recommended && <span class="second"> recommended</span>}
                  </span>
                  <span class="effect">{option.effect}</span>
                  {option.needs_note && <span class="second needs-note">needs a note in your words</span>}
                </button>
              </li>
            ))}
          </ol>
          {writing.value !== null && (
            <NoteField
              text={note}
              onSend={() => {
                const index = current.options.findIndex(({ id }) => id === writing.value);
                void answer(Math.max(index, 0));
              }}
              onLeave={() => (writing.value = null)}
              option={current.options.find(({ id }) => id === writing.value)?.label ?? ''}
            />
          )}
          <p class="safety second">
            {current.checkpoint === null ? '' : `The work is safe at checkpoint ${current.checkpoint}. `}
            Nothing is running, nothing is burning.{' '}
            {current.deadline === null
              ? 'No deadline.'
              : `Deadline ${new Date(current.deadline).toLocaleString()}.`}
          </p>
        </section>
      )}
      {current !== undefined && <Evidence question={current} />}
      <AnswerBar pending={pending} now={now.value} />
      <KeyHints
        hints={[
          ['1 … 9', 'answer'],
          ['n', 'with a note'],
          ['z', 'take it back'],
          ['j k', 'next question'],
          ['o', 'open the run'],
          ['g n', 'now'],
          ['?', 'all keys'],
        ]}
      />
    </main>
  );
}

function QuestionEntry({
  question,
  inFocus,
}: {
  readonly question: InboxQuestion;
  readonly inFocus: boolean;
}) {
  const { id, kind, text, asked_at, run, runs } = question;
  return (
    <a href={`/inbox?question=${id}`} onClick={follow} aria-current={inFocus} class={inFocus ? 'focus' : ''}>
      <span class="top">
        <span class="state needs">
          <StateWord word="needs_you" />
        </span>
        <span class="second">{span(now.value - (ms(asked_at) ?? now.value))}</span>
      </span>
      <span class="text">{text}</span>
      <span class="second">
        {kind.replaceAll('_', ' ')} · {runs.length > 1 ? `${runs.length} runs` : run.title}{' '}
        <code>{run.run_id}</code>
      </span>
    </a>
  );
}

function Evidence({ question }: { readonly question: InboxQuestion }) {
  const { evidence, run } = question;
  return (
    <aside class="evidence" aria-label="Evidence">
      <h3>Evidence</h3>
      {evidence.length === 0 ? (
        <p class="second">Nothing was written down besides the question itself.</p>
      ) : (
        <pre>{evidence.join('\n')}</pre>
      )}
      <h3>Line of life</h3>
      <LineOfLife line={run} axis={axisOf(now.value, fittingWindow([run], now.value))} />
    </aside>
  );
}

interface NoteShown {
  readonly text: { value: string };
  readonly option: string;
  readonly verb?: string;
  readonly onSend: () => void;
  readonly onLeave: () => void;
}

export function NoteField({ text, option, verb = 'Answer', onSend, onLeave }: NoteShown) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      class="note"
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      <label for="note">Your words for “{option}”</label>
      <textarea
        id="note"
        ref={field}
        rows={3}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onLeave();
          if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault();
            onSend();
          }
        }}
      />
      <button type="submit" class="button must">
        {verb} <kbd>Enter</kbd>
      </button>
    </form>
  );
}

/** Says what became of the last answer, where the keys are, until the run has it. */
function AnswerBar({ pending, now: at }: { readonly pending: LateAnswer | undefined; readonly now: number }) {
  return (
    <div class="answer-bar" role="status">
      {pending !== undefined && (
        <p class={pending.state}>
          answered <code>{pending.question}</code>: <b>{pending.option}</b> · {saidOf(pending, at)}
        </p>
      )}
    </div>
  );
}

function saidOf({ state, until, problem }: LateAnswer, at: number) {
  switch (state) {
    case 'kept':
      return (
        <>
          not taken yet, {span(until - at)} left · <kbd>z</kbd> takes it back
        </>
      );
    case 'said':
      return 'on its way to the run';
    case 'taken':
      return 'the run has it and goes on';
    case 'refused':
      return `refused: ${problem?.title ?? ''}. ${problem?.do.join(' ') ?? ''}`;
  }
}
