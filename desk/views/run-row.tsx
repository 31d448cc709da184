/**
 * `RunRow`: a run as a row of Now: its state, why it stands there, its line of life, what comes next, its cost. `Linked`: a sentence that
 * leads to the run that it names.
 */
import { useSignal } from '@preact/signals';
import type { LineDocument } from '../../src/http/line-document.ts';
import { moneyNote } from '../../src/core/view/agent-act.ts';
import { isOverWord } from '../../src/core/view/list-order.ts';
import { budgetWords, isCostly, rateWords } from '../../src/core/view/money.ts';
import { Spoken } from '../document.tsx';
import { AnswerLink } from '../inbox/answer-link.tsx';
import { StateWord } from '../marks.tsx';
import { follow } from '../navigation/address.ts';
import { answerTo, todayUsd, whyNow, wordNow } from '../store.ts';
import { clock, ms, span } from '../time.ts';
import { LimitAhead } from './limit.tsx';
import { LineOfLife, type TimeAxis } from './line-of-life.tsx';

interface RowShown {
  readonly line: LineDocument;
  readonly axis: TimeAxis;
  readonly inFocus: boolean;
  /** The next row is in another state. */
  readonly endsGroup: boolean;
  readonly stopping: boolean;
  /** Its sentences are shown in full. */
  readonly whole: boolean;
}

export function RunRow({ line, axis, inFocus, endsGroup, stopping, whole }: RowShown) {
  const { run_id, question } = line;
  const word = wordNow(line);
  const needs = word === 'needs_you';
  const why = whyNow(line, axis.now);
  return (
    <li
      class={['row', needs && 'needs', inFocus && 'focus', endsGroup && 'ends-group']
        .filter(Boolean)
        .join(' ')}
      data-run={run_id}
      aria-current={inFocus}
    >
      <div class="when">
        <StateWord word={word} />
        <span class="second">{sinceWhen(line, axis.now)}</span>
      </div>
      <div class="what">
        <a class="title" href={`/runs/${run_id}`} onClick={follow}>
          <b>{line.title}</b> <code>{run_id}</code>
        </a>
        <span class="why" title={why}>
          {stopping ? (
            `stop ${run_id}? The work is saved first. s again stops it, Escape does not`
          ) : (
            <Reason line={line} why={why} whole={whole} />
          )}
        </span>
      </div>
      <LineOfLife line={line} axis={axis} answeredAt={answerTo(question?.id ?? '')?.at} />
      {question !== null ? (
        <div class="limit">
          <AnswerLink question={question.id}>{inFocus && <kbd>a</kbd>}</AnswerLink>
        </div>
      ) : isOverWord(line.word) ? (
        <div class="limit">
          {/* The sentence names the place; the page of the run says how. */}
          <a class="second" href={`/runs/${run_id}`} onClick={follow}>
            {line.delivered_to === null ? 'see the diff' : 'take the work'}
          </a>
        </div>
      ) : (
        <LimitAhead line={line} now={axis.now} />
      )}
      <div class={`figure cost ${isCostly(line, todayUsd.value) ? 'hot' : ''}`}>
        <span>
          {line.cost_usd > 0 ? `$${line.cost_usd.toFixed(2)}` : '–'}{' '}
          <span class="second">{budgetWords(line) || (line.cost_usd > 0 && moneyNote([line.agent]))}</span>
        </span>
        {!isOverWord(line.word) && <span class="second">{rateWords(line)}</span>}
      </div>
    </li>
  );
}

interface ReasonShown {
  readonly line: LineDocument;
  readonly why: string;
  readonly whole: boolean;
}

/** What decides first; what else keeps the run is folded. */
function Reason({ line, why, whole }: ReasonShown) {
  const isOpen = useSignal(false);
  const [first = '', ...later] = line.why_parts;
  if (whole || isOpen.value || later.length === 0) return <Linked text={why} run={line.waits_for} />;
  return (
    <>
      <Linked text={first} run={line.waits_for} />
      {', '}
      <button type="button" class="rest" title={why} onClick={() => (isOpen.value = true)}>
        and {later.length} more
      </button>
    </>
  );
}

/** A sentence that names another run leads to it. */
export function Linked({ text, run }: { readonly text: string; readonly run: string | null }) {
  const [before = '', ...after] = run === null ? [text] : text.split(run);
  if (run === null || after.length === 0) return <Spoken text={text} />;
  return (
    <>
      <Spoken text={before} />
      <a href={`/runs/${run}`} onClick={follow}>
        <code>{run}</code>
      </a>
      <Spoken text={after.join(run)} />
    </>
  );
}

/** How long it stands so; for what is over, when that was. */
function sinceWhen(line: LineDocument, at: number): string {
  if (isOverWord(line.word)) return `at ${clock(ms(line.updated_at) ?? at, at)}`;
  const wait = line.waits.at(-1);
  const since = wait?.to === null ? wait.from : (line.attempts.at(-1)?.started_at ?? line.created_at);
  return `for ${span(at - (ms(since) ?? at))}`;
}
