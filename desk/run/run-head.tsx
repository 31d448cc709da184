/** `RunHead`: what a run is and why it stands there, what a person may do to it now, and how to take the work of one that is over. */
import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { counted } from '../../src/core/text/counted.ts';
import { agentWords, moneyNote } from '../../src/core/view/agent-act.ts';
import { isOverWord } from '../../src/core/view/list-order.ts';
import type { RunJson } from '../../src/core/view/run-json.ts';
import { say } from '../api.ts';
import { AnswerLink } from '../inbox/answer-link.tsx';
import { NoteField } from '../inbox/note-field.tsx';
import { StateWord } from '../marks.tsx';
import { useKeys } from '../navigation/keys.ts';
import { answerTo, now, mayAct, questionAbout, show } from '../store.ts';
import { moment, ms, shortCount, span } from '../time.ts';
import { Linked } from '../views/run-row.tsx';
import { Command } from './command.tsx';

/** What was asked for once and wants one more word. */
export type Asking = 'stop' | 'flag' | null;

interface Shown {
  readonly run: RunJson;
  readonly why: string;
  /** The run that it waits for. */
  readonly waitsFor: string | null;
  readonly asking: Signal<Asking>;
  /** Leads to the diff. */
  readonly onDiff: () => void;
}

export function RunHead({ run, why, waitsFor, asking, onDiff }: Shown) {
  const { run_id, task, word, questions, checkpoints } = run;
  const own = questions.find(({ state }) => state === 'open')?.id;
  const question = own ?? questionAbout(run_id, waitsFor)?.id;
  const isAnswered = own !== undefined && answerTo(own) !== undefined;
  const answer = question !== undefined && (
    <AnswerLink question={question}>
      {own === undefined && waitsFor} <kbd>a</kbd>
    </AnswerLink>
  );
  const diff = checkpoints.some(({ state }) => state !== 'failed') && (
    <button type="button" class={isOverWord(word) ? 'button' : 'button wide'} onClick={onDiff}>
      {isOverWord(word) ? 'See the diff' : 'Diff'} <kbd>f</kbd>
    </button>
  );
  return (
    <div class={`run-head ${word === 'needs_you' && !isAnswered ? 'needs' : ''}`}>
      <h1>
        <StateWord word={isAnswered ? 'answered' : word} />
        <span>{task.split('\n')[0]}</span>
        <code>{run_id}</code>
      </h1>
      <p class="why">
        <Linked text={why} run={waitsFor} />
      </p>
      <p class="second facts-of">
        {factsOf(run).map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </p>
      {isOverWord(word) ? (
        <HowToTake run={run} diff={diff} />
      ) : mayAct.value ? (
        <Words run={run} asking={asking} first={answer} last={diff} />
      ) : (
        <div class="acts">
          {answer}
          {diff}
        </div>
      )}
    </div>
  );
}

function factsOf(run: RunJson): readonly string[] {
  const { word, usage, budget, incidents, progress_at, attempts } = run;
  const version = attempts.at(-1)?.agent_version ?? '';
  const agent = [agentWords(run.agent), version].filter(Boolean).join(' ');
  const tokens = usage.tokens > 0 ? [`${shortCount(usage.tokens)} tokens`] : [];
  const note = usage.cost_usd > 0 ? moneyNote([run.agent]) : '';
  const of = budget.cost_usd === null ? '' : ` of $${budget.cost_usd}`;
  const money = `$${usage.cost_usd.toFixed(2)}${of}${note && ` ${note}`}`;
  const turns = counted(usage.turns, 'turn');
  // Where the work stood and what was rescued is told by the sentence about a run that is over.
  if (isOverWord(word)) return [agent, money, turns, ...tokens];
  const rescued = incidents.filter(({ outcome }) => outcome === 'resolved').length;
  const at = ms(progress_at);
  return [
    ...notBefore(run),
    agent,
    at === null ? 'no progress yet' : `last progress ${span(now.value - at)} ago`,
    money,
    turns,
    ...tokens,
    incidents.length === 0
      ? 'no incident'
      : `${counted(incidents.length, 'incident')}, ${rescued === 0 ? 'not rescued yet' : `${rescued} rescued`}`,
  ];
}

/** Of a run that waits for an answer and for a time. */
function notBefore({ limits }: RunJson): readonly string[] {
  const limit = limits.find(({ kind }) => kind === 'not_before');
  const until = limit !== undefined && 'until' in limit ? (ms(limit.until) ?? 0) : 0;
  return until > now.value ? [`not before ${moment(until, now.value)}`] : [];
}

type Verb = 'checkpoint' | 'flag' | 'stop' | 'resume';

interface WordsShown extends Pick<Shown, 'run' | 'asking'> {
  readonly first: ComponentChildren;
  readonly last: ComponentChildren;
}

/** What helps stands first, what ends the work stands apart. What the run cannot hear now is left out. */
function Words({ run: { run_id, word }, asking, first, last }: WordsShown) {
  const reason = useSignal('');
  const done = useSignal('');
  const works = word === 'working' || word === 'rescuing';
  const stopped = word === 'stopped' || word === 'stopping';
  const send = async (verb: Verb, body: object, said: (answer: Saved) => string) => {
    asking.value = null;
    reason.value = '';
    try {
      done.value = said(await say<Saved>('POST', `/api/runs/${run_id}/${verb}`, body));
    } catch (error) {
      show(error);
    }
  };
  const save = () =>
    void send('checkpoint', {}, ({ checkpoint }) => `The work is saved as checkpoint ${checkpoint?.number}.`);
  const stop = () => {
    if (stopped) return;
    if (asking.value !== 'stop') asking.value = 'stop';
    else void send('stop', { reason: 'at the desk' }, () => 'It is being stopped; the work is saved first.');
  };
  const resume = () => void send('resume', { note: '' }, () => 'It goes on.');
  const flag = () => {
    if (works) asking.value = 'flag';
  };
  const leave = () => (asking.value = null);
  useKeys({
    // Where no agent works, the work is saved already.
    ...(works && { c: save }),
    '!': flag,
    s: stop,
    ...(word === 'stopped' && { r: resume }),
  });
  return (
    <>
      <div class="acts" role="group" aria-label="What you can do">
        {first}
        {word === 'stopped' && (
          <Act name="Resume" does="the run goes on from its checkpoint" letter="r" act={resume} />
        )}
        {works && (
          <Act
            name="Save a checkpoint"
            does="the work is saved as it is now; the agent goes on"
            letter="c"
            act={save}
          />
        )}
        {works && (
          <Act name="Raise a flag" does="the agent is paused, and the run asks you" letter="!" act={flag} />
        )}
        {last}
        {!stopped && (
          <Act
            name="Stop"
            does="the work is saved, then the agent is stopped"
            letter="s"
            act={stop}
            isApart
          />
        )}
        <span class="second" role="status">
          {done.value || (word === 'stopping' && 'It is being stopped; the work is saved first.')}
        </span>
      </div>
      {asking.value === 'stop' && (
        <p class="sure">
          <b>Stop it?</b> The work is saved first, and you can let it go on later.
          <button type="button" class="button must" onClick={stop}>
            Stop it <kbd>s</kbd>
          </button>
          <button type="button" class="button" onClick={leave}>
            Let it run <kbd>Esc</kbd>
          </button>
        </p>
      )}
      {asking.value === 'flag' && (
        <NoteField
          text={reason}
          option="Raise a flag"
          verb="Raise the flag"
          onSend={() => {
            const said = { reason: reason.value };
            if (reason.value.trim() !== '')
              void send('flag', said, () => 'The flag is raised: the run pauses and asks you.');
          }}
          onLeave={leave}
        />
      )}
    </>
  );
}

interface Saved {
  readonly checkpoint?: { readonly number: number };
}

interface ActShown {
  readonly name: string;
  readonly does: string;
  readonly letter: string;
  readonly act: () => void;
  readonly isApart?: boolean;
}

function Act({ name, does, letter, act, isApart = false }: ActShown) {
  return (
    <button type="button" class={isApart ? 'button apart' : 'button'} title={does} onClick={act}>
      {name} <kbd>{letter}</kbd>
    </button>
  );
}

interface TakeShown extends Pick<Shown, 'run'> {
  readonly diff: ComponentChildren;
}

function HowToTake({ run: { word, run_id, next_step, delivered }, diff }: TakeShown) {
  const look = `mayday diff ${run_id}`;
  const isTaken = word !== 'abandoned' && delivered !== null && next_step !== null && next_step !== look;
  return (
    <>
      {diff !== false && <div class="acts">{diff}</div>}
      <Line label={isTaken ? 'Look first' : 'See its work'}>
        <Command text={look} />
      </Line>
      {isTaken && (
        <Line label="Take it">
          <Command text={next_step} />
        </Line>
      )}
    </>
  );
}

function Line({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <p class="take">
      <span class="second">{label}</span> {children}
    </p>
  );
}
