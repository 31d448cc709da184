/** `RunPage`: the story of one run. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { RunJson } from '../src/core/view/run-json.ts';
import { follow, go } from './address.ts';
import { ask } from './api.ts';
import { KeyHints } from './hints.tsx';
import { useKeys } from './keys.ts';
import { LimitAhead } from './limit.tsx';
import { axisOf, fittingWindow, LineOfLife, Axis } from './line-of-life.tsx';
import { Mark, StateWord } from './marks.tsx';
import { loaded, now, runs, show } from './store.ts';
import { clockWithSeconds, ms, span } from './time.ts';

interface Told {
  readonly at: number;
  readonly word: string;
  readonly text: string;
  readonly more: string;
}

export function RunPage({ runId }: { readonly runId: string }) {
  const run = useSignal<RunJson | null>(null);
  const line = runs.value.get(runId);
  const changed = line?.updated_at;
  useEffect(() => {
    if (!loaded.value) return;
    ask<RunJson>(`/api/runs/${encodeURIComponent(runId)}`)
      .then((read) => (run.value = read))
      .catch(show);
  }, [runId, changed, loaded.value]);
  useKeys({
    a: () => go(line?.question ? `/inbox?question=${line.question.id}` : '/inbox'),
    Escape: () => go('/'),
  });
  useEffect(() => {
    document.title = `${runId} - Mayday`;
  });
  if (run.value === null) return <main class="page" aria-busy="true" />;
  const { task, word, why, stage, agent, usage, next_step } = run.value;
  const axis = line === undefined ? null : axisOf(now.value, fittingWindow([line], now.value));
  return (
    <main class="page run">
      <div class="run-head">
        <h1>
          <StateWord word={word} /> {task.split('\n')[0]} <code>{runId}</code>
        </h1>
        <p class="why">{why}</p>
        <p class="second">
          {agent} · stage {stage} · ${usage.cost_usd.toFixed(2)} · {usage.turns} turns · {next_step}
        </p>
        {line !== undefined && axis !== null && (
          <div class="run-line">
            <Axis axis={axis} />
            <LineOfLife line={line} axis={axis} />
            <LimitAhead line={line} now={now.value} />
          </div>
        )}
        {line?.question && (
          <a class="button must" href={`/inbox?question=${line.question.id}`} onClick={follow}>
            Answer <kbd>a</kbd>
          </a>
        )}
      </div>
      <section class="story" aria-label="Story">
        <h2>Story</h2>
        <ol>
          {storyOf(run.value).map(({ at, word: mark, text, more }) => (
            <li key={`${at}${text}`}>
              <time dateTime={new Date(at).toISOString()}>{clockWithSeconds(at)}</time>
              <Mark word={mark} />
              <span>
                {text}
                {more !== '' && <span class="second">{more}</span>}
              </span>
            </li>
          ))}
        </ol>
      </section>
      <KeyHints
        hints={[
          ['a', 'answer'],
          ['g n', 'now'],
          ['g i', 'inbox'],
          ['?', 'all keys'],
        ]}
      />
    </main>
  );
}

/** Attempts, incidents, waits, questions, checks and the end, in the order in which they happened. */
function storyOf(run: RunJson): readonly Told[] {
  const told: Told[] = [];
  const tell = (at: string | null, word: string, text: string, more = '') => {
    const time = ms(at);
    if (time !== null) told.push({ at: time, word, text, more });
  };
  for (const { number, agent, resumed, started_at } of run.attempts)
    tell(started_at, 'working', `attempt ${number}, ${agent}`, resumed ? 'same conversation' : '');
  for (const incident of run.incidents) {
    const took = (ms(incident.verified_at) ?? 0) - (ms(incident.detected_at) ?? 0);
    tell(incident.detected_at, 'rescuing', incident.class.replaceAll('_', ' '), incident.root_cause ?? '');
    for (const { reason } of incident.decisions.slice(-1)) tell(incident.decided_at, 'rescuing', reason);
    tell(
      incident.verified_at,
      'delivered',
      `progress again: ${incident.proof ?? ''}`,
      `unblocked in ${span(took)}`,
    );
  }
  for (const { from, reason, for: what } of run.waits) if (what !== 'person') tell(from, 'waiting', reason);
  for (const { asked_at, text, answer } of run.questions) {
    tell(asked_at, 'needs_you', text);
    if (answer !== null) tell(answer.at, 'working', `${answer.by} answered ${answer.option}`, answer.note);
  }
  for (const { at, command, passed, purpose } of run.checks)
    tell(at, passed ? 'delivered' : 'abandoned', `${command} ${passed ? 'passed' : 'failed'}`, purpose);
  if (run.state === 'delivered' || run.state === 'unverified' || run.state === 'abandoned')
    tell(run.updated_at, run.state, run.why);
  return told.toSorted((a, b) => a.at - b.at);
}
