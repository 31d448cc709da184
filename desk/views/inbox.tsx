/** `Inbox`: the open questions, one in focus; a number key answers it, `z` takes the answer back until the run has it. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isOverWord } from '../../src/core/view/list-order.ts';
import type { InboxQuestion } from '../../src/http/inbox-document.ts';
import { address, follow, go } from '../navigation/address.ts';
import { commentsOn, setComments } from '../run/comments.ts';
import { Spoken } from '../document.tsx';
import { KeyHints } from '../navigation/hints.tsx';
import { useKeys } from '../navigation/keys.ts';
import { AnswerBar } from '../inbox/answer-bar.tsx';
import { sendAnswer, takeBack } from '../inbox/unsent.ts';
import { Evidence } from '../inbox/evidence.tsx';
import { NoteField } from '../inbox/note-field.tsx';
import { AnsweredAfter, askedAgo, QuestionAsked } from '../inbox/question-asked.tsx';
import { StateWord } from '../marks.tsx';
import {
  answers,
  answerTo,
  inbox,
  loaded,
  mayAct,
  now,
  readInboxSoon,
  runs,
  waitingForMe,
} from '../store.ts';
import { clock, ms } from '../time.ts';

export function Inbox() {
  const { questions } = inbox.value;
  const note = useSignal('');
  const writing = useSignal<string | null>(null);
  const at = Math.max(
    0,
    questions.findIndex(({ id }) => id === address.value.name),
  );
  const current = questions[at];
  const pending = answers.value.find(({ question }) => question === current?.id) ?? answers.value.at(-1);
  const next = questions.findIndex(({ id }) => id !== current?.id && answerTo(id) === undefined);
  const mayAnswer = mayAct.value;
  const hasRuns = [...runs.value.values()].some(({ word }) => !isOverWord(word));
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
    const { id: question, run } = current;
    const wholeNote = [note.value, ...inDiff].filter((text) => text !== '').join('\n');
    note.value = '';
    setComments(run.run_id, []);
    // Shown at once: the answer can be taken back from the first moment on.
    await sendAnswer({ question, option: option.id, label: option.label, note: wholeNote });
    readInboxSoon(500);
  };
  const write = () => (writing.value ??= current?.options.find(({ recommended }) => recommended)?.id ?? '');
  useKeys({
    j: () => focus(at + 1),
    k: () => focus(at - 1),
    n: write,
    z: () => void takeBack(),
    o: () => current && go(`/runs/${current.run.run_id}`),
    x: () => {
      const other = current?.runs.find((run) => run !== current.run.run_id);
      if (other !== undefined) go(`/runs/${other}`);
    },
    Escape: () => (writing.value = null),
    ...Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [String(index + 1), () => void answer(index)]),
    ),
  });
  // On a phone the list stands below the question that it opens.
  useEffect(() => scrollTo(0, 0), [current?.id]);
  useEffect(() => {
    document.title = `${waitingForMe.value > 0 ? `(${waitingForMe.value}) ` : ''}Inbox - Mayday`;
  });
  if (!loaded.value) return <main class="page" aria-busy="true" />;
  return (
    <main class="page inbox">
      <h1 class="unseen">Inbox</h1>
      <nav class="questions" aria-label="Open questions">
        {questions.map((question, index) => (
          <QuestionEntry key={question.id} question={question} inFocus={index === at} />
        ))}
        <AnsweredToday />
      </nav>
      {questions.length > 1 && (
        <p class="pager">
          <span>
            question {at + 1} of {questions.length}
          </span>
          <button type="button" class="button" disabled={at === 0} onClick={() => focus(at - 1)}>
            previous
          </button>
          <button
            type="button"
            class="button"
            disabled={at === questions.length - 1}
            onClick={() => focus(at + 1)}
          >
            next
          </button>
        </p>
      )}
      {current === undefined ? (
        <section class="question empty">
          <h2>Nothing needs you</h2>
          <p>
            A run that cannot go on by itself asks here: its question, why it asks now, and what each answer
            does. <span class="wide">A number key answers. </span>
            {hasRuns && 'Until then the runs work or wait, and Mayday rescues what gets stuck.'}
          </p>
          <p>
            <a href="/" onClick={follow}>
              {hasRuns ? 'See what the runs do now' : 'No run is under way: how to start one'}
            </a>
          </p>
        </section>
      ) : (
        <QuestionAsked
          key={current.id}
          question={current}
          answer={answerTo(current.id)}
          mayAnswer={mayAnswer}
          onAnswer={(index) => void answer(index)}
          onNote={write}
        >
          {writing.value !== null && (
            <NoteField
              text={note}
              onSend={() => {
                const index = current.options.findIndex(({ id }) => id === writing.value);
                // Where nothing is recommended, the words wait for the answer that the person chooses.
                if (index === -1) writing.value = null;
                else void answer(index);
              }}
              onLeave={() => (writing.value = null)}
              option={
                current.options.find(({ id }) => id === writing.value)?.label ??
                'the answer that you choose next'
              }
              verb={writing.value === '' ? 'Keep' : 'Answer'}
            />
          )}
        </QuestionAsked>
      )}
      {current !== undefined && <Evidence question={current} answeredAt={answerTo(current.id)?.at} />}
      <AnswerBar
        pending={pending}
        now={now.value}
        onTakeBack={() => void takeBack()}
        onNext={next === -1 ? null : () => focus(next)}
      />
      <KeyHints
        hints={[
          ...(current === undefined
            ? []
            : ([
                ...(answerTo(current.id) === undefined
                  ? ([
                      [numberKeys(current.options.length), 'answer'],
                      ['n', 'with a note'],
                    ] as const)
                  : ([['z', 'take it back']] as const)),
                ['j k', 'next question'],
                ['o', 'open the run'],
                ...(current.runs.length > 1 ? ([['x', 'one run on its own']] as const) : []),
              ] as const)),
          ['g n', 'now'],
          ['?', 'all keys'],
        ]}
      />
    </main>
  );
}

/** `1 2 3`, and from four on `1 … 5`. */
function numberKeys(count: number): string {
  return count > 3 ? `1 … ${count}` : ['1', '2', '3'].slice(0, count).join(' ');
}

function QuestionEntry({
  question,
  inFocus,
}: {
  readonly question: InboxQuestion;
  readonly inFocus: boolean;
}) {
  const { id, topic, text, run, runs } = question;
  const answer = answerTo(id);
  return (
    <a
      href={`/inbox?question=${id}`}
      onClick={follow}
      aria-current={inFocus}
      class={[inFocus && 'focus', answer && 'answered'].filter(Boolean).join(' ')}
    >
      <span class="top">
        {answer === undefined ? <StateWord word="needs_you" /> : <AnsweredAfter {...{ question, answer }} />}
        {answer === undefined && <span class="second">{askedAgo(question)}</span>}
      </span>
      <span class="text">
        <Spoken text={text} />
      </span>
      <span class="second">
        {topic} · {question.serves || run.title} <code>{runs.length > 1 ? named(runs) : run.run_id}</code>
      </span>
    </a>
  );
}

function named(runs: readonly string[]): string {
  return `${runs.slice(0, 3).join(' ')}${runs.length > 3 ? ' …' : ''}`;
}

function AnsweredToday() {
  const today = new Date(now.value).toDateString();
  const answered = inbox.value.answered.filter(({ at }) => new Date(at).toDateString() === today);
  if (answered.length === 0) return null;
  return (
    <section class="answered-today">
      <h2>Answered today</h2>
      {answered.map(({ question, run_id, at, by, label }) => (
        <p key={question} title={`by ${by}`}>
          <time dateTime={at}>{clock(ms(at) ?? now.value, now.value)}</time>{' '}
          <a href={`/runs/${run_id}`} onClick={follow}>
            <code>{run_id}</code>
          </a>{' '}
          {label}
        </p>
      ))}
    </section>
  );
}
