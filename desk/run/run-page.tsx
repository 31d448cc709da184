/** `RunPage`: one run: its timeline, its story with the reason of each decision, its transcript and its work, all at one moment. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { RunJson } from '../../src/core/view/run-json.ts';
import type { TimelineDocument } from '../../src/http/timeline-document.ts';
import { address, go } from '../navigation/address.ts';
import { ask } from '../api.ts';
import { tellingArgument } from '../../src/core/view/activity.ts';
import { Spoken } from '../document.tsx';
import { KeyHints } from '../navigation/hints.tsx';
import { useKeys } from '../navigation/keys.ts';
import { Mark } from '../marks.tsx';
import { narrow } from '../narrow.ts';
import { loaded, now, questionAbout, runs, show, whyNow } from '../store.ts';
import { keepInSight } from './keep-in-sight.ts';
import { type Asking, RunHead } from './run-head.tsx';
import { Opinions } from './opinions.tsx';
import { Proof } from './proof.tsx';
import { storyOf, type Told } from './story.ts';
import { clockWithSeconds, day, isToday, ms } from '../time.ts';
import { Timeline } from '../timeline/timeline.tsx';
import type { TranscriptDocument } from '../../src/http/transcript-document.ts';
import { TranscriptPane } from './transcript-pane.tsx';
import type { WayNotTaken } from '../../src/core/decide/recovery/not-chosen.ts';
import { NotChosen, Why } from './why.tsx';
import { WorkPane } from './work-pane.tsx';

const OVER = ['delivered', 'unverified', 'abandoned'];
/** An arrow moves the cursor by this share of the run. */
const STEP_SHARE = 0.01;
/** Where a phone, which shows one part at a time, can go at once. */
/** No agent works: an earlier checkpoint can be brought back. */
const WAITS: readonly string[] = ['needs_you', 'waiting', 'stopped'];

const PARTS = [
  ['Story', '.story'],
  ['Transcript', '.transcript'],
  ['Diff', '.work'],
] as const;

export function RunPage({ runId }: { readonly runId: string }) {
  const run = useSignal<RunJson | null>(null);
  const detail = useSignal<TimelineDocument | null>(null);
  /** Null: the cursor follows the run. */
  const chosen = useSignal<number | null>(Number(address.value.query.get('at')) || null);
  const unfolded = useSignal(false);
  const asking = useSignal<Asking>(null);
  const line = runs.value.get(runId);
  const changed = line?.updated_at ?? '';
  useEffect(() => {
    if (!loaded.value) return;
    const path = `/api/runs/${encodeURIComponent(runId)}`;
    ask<RunJson>(path)
      .then((document) => (run.value = document))
      .catch(show);
    // The calls of a long run take longer to count than its page to show.
    ask<TimelineDocument>(`${path}/timeline`)
      .then((timeline) => (detail.value = timeline))
      .catch(show);
  }, [runId, changed, loaded.value]);
  const over = run.value !== null && OVER.includes(run.value.state);
  const from = ms(run.value?.created_at) ?? now.value;
  const to = over ? (ms(run.value?.updated_at) ?? now.value) : now.value;
  const cursor = Math.min(chosen.value ?? to, to);
  const move = (at: number) => {
    chosen.value = Math.round(Math.min(Math.max(at, from), to));
    go(`/runs/${runId}?at=${chosen.value}`, true);
  };
  const jump = (times: readonly (number | null)[], by: 1 | -1) => {
    const known = times.filter((at) => at !== null).toSorted((a, b) => a - b);
    const next = by === 1 ? known.find((at) => at > cursor + 1) : known.findLast((at) => at < cursor - 1);
    if (next !== undefined) move(next);
  };
  const incidents = (run.value?.incidents ?? []).map(({ detected_at }) => ms(detected_at));
  const saved = (run.value?.checkpoints ?? []).filter(({ state }) => state !== 'failed');
  /** Of this attempt, then of those after it. */
  const nextError = async () => {
    for (const { number, started_at } of run.value?.attempts ?? []) {
      const ended = run.value?.attempts.find((later) => later.number === number + 1)?.started_at;
      if ((ms(ended) ?? Number.POSITIVE_INFINITY) <= cursor) continue;
      const at = Math.max(cursor + 1, ms(started_at) ?? 0);
      const query = new URLSearchParams({
        attempt: String(number),
        only: 'failed',
        at: String(at),
        limit: '1',
      });
      const path = `/api/runs/${encodeURIComponent(runId)}/transcript?${query}`;
      const [failed] = (await ask<TranscriptDocument>(path)).entries;
      if (failed !== undefined) return move(ms(failed.at) ?? cursor);
    }
  };
  useKeys({
    a: () => {
      const question = questionAbout(runId, line?.waits_for ?? null);
      go(question === undefined ? '/inbox' : `/inbox?question=${question.id}`);
    },
    ArrowLeft: () => move(cursor - (to - from) * STEP_SHARE),
    ArrowRight: () => move(cursor + (to - from) * STEP_SHARE),
    '[': () => jump(incidents, -1),
    ']': () => jump(incidents, 1),
    '{': () =>
      jump(
        saved.map(({ at }) => ms(at)),
        -1,
      ),
    '}': () =>
      jump(
        saved.map(({ at }) => ms(at)),
        1,
      ),
    t: () => (unfolded.value = !unfolded.value),
    '.': () => {
      chosen.value = null;
      go(`/runs/${runId}`, true);
    },
    '/': () => document.querySelector<HTMLInputElement>('#find')?.focus(),
    w: () => {
      for (const details of document.querySelectorAll<HTMLDetailsElement>(
        '.story [aria-current="true"] details',
      ))
        details.open = !details.open;
    },
    e: () => void nextError().catch(show),
    l: () => document.querySelector<HTMLElement>('.transcript ol')?.focus(),
    f: showDiff,
    Escape: () => (asking.value === null ? go('/') : (asking.value = null)),
  });
  useEffect(() => {
    document.title = `${runId} - Mayday`;
  });
  const story = run.value === null ? [] : storyOf(run.value);
  const list = useRef<HTMLOListElement>(null);
  const current = story.findLast(({ at }) => at <= cursor)?.at;
  useEffect(() => keepInSight(list.current, 1 / 2), [current, run.value === null]);
  if (run.value === null) return <main class="page" aria-busy="true" />;
  const attempt = run.value.attempts.findLast(
    ({ started_at }) => (ms(started_at) ?? Number.POSITIVE_INFINITY) <= cursor,
  );
  const at = saved.findLastIndex((checkpoint) => (ms(checkpoint.at) ?? 0) <= cursor);
  const [first] = story;
  const machine = [
    ...run.value.checks.map(({ command }) => command),
    ...run.value.incidents.flatMap(({ evidence }) => evidence.map(tellingArgument)),
  ];
  const timeline = (
    <Timeline
      run={run.value}
      detail={detail.value}
      now={now.value}
      cursor={cursor}
      unfolded={unfolded.value}
      onCursor={move}
    />
  );
  return (
    <main class="page run">
      <RunHead
        key={runId}
        run={run.value}
        why={line === undefined ? run.value.why : whyNow(line, now.value)}
        waitsFor={line?.waits_for ?? null}
        asking={asking}
        onDiff={showDiff}
      />
      <Proof run={run.value} />
      <Opinions run={run.value} />
      <nav class="jumps" aria-label="Parts of this page">
        {PARTS.map(([name, place]) => (
          <button key={place} type="button" onClick={() => document.querySelector(place)?.scrollIntoView()}>
            {name}
          </button>
        ))}
      </nav>
      {narrow.value ? (
        <details class="chart">
          <summary>Timeline</summary>
          {timeline}
        </details>
      ) : (
        timeline
      )}
      <div class="panes">
        <section class="pane story" aria-label="Story">
          <header>
            <h2>Story</h2>
            <span class="second">
              {story.length} events
              {first !== undefined && !isToday(first.at, now.value) && ` from ${day(first.at, now.value)} on`}
            </span>
          </header>
          <ol tabIndex={0} ref={list}>
            {story.map((one, index) => (
              <StoryLine
                key={`${one.at}${one.text}`}
                told={one}
                day={isToday(one.at, story[index - 1]?.at ?? first?.at ?? 0) ? '' : day(one.at, now.value)}
                machine={machine}
                isCurrent={one.at === current}
                ways={
                  detail.value?.not_chosen.find(({ incident }) => incident === one.incident?.id)?.ways ?? []
                }
                onCursor={move}
              />
            ))}
          </ol>
        </section>
        <TranscriptPane
          run={run.value}
          attempt={attempt?.number ?? 1}
          cursor={cursor}
          changed={changed}
          onCursor={move}
        />
        <WorkPane
          runId={runId}
          checkpoint={saved[at]?.number ?? 0}
          before={saved[at - 1]?.number ?? 0}
          mayRestore={!over && WAITS.includes(run.value.word) && saved[at] !== saved.at(-1)}
        />
      </div>
      <KeyHints
        hints={[
          ['ArrowLeft ArrowRight', 'time'],
          ['[ ]', 'incident'],
          ['{ }', 'checkpoint'],
          ['w', 'why'],
          ['/', 'search'],
          ['e', 'next error'],
          ['t', 'unfold'],
          ['.', 'follow'],
          ['l', 'transcript'],
          ['f', 'diff'],
          ['Esc', 'back to Now'],
          ['?', 'all keys'],
        ]}
      />
    </main>
  );
}

function showDiff(): void {
  const files = document.querySelector<HTMLElement>('.work .files');
  files?.scrollIntoView({ block: 'nearest' });
  files?.focus();
}

interface StoryLineShown {
  readonly told: Told;
  /** Where another day begins. */
  readonly day: string;
  /** Command lines that its words may name. */
  readonly machine: readonly string[];
  readonly isCurrent: boolean;
  readonly ways: readonly WayNotTaken[];
  readonly onCursor: (at: number) => void;
}

function StoryLine({ told, day: begins, machine, isCurrent, ways, onCursor }: StoryLineShown) {
  const { at, word, text, more, incident, others } = told;
  return (
    <li aria-current={isCurrent}>
      <button type="button" class="place" title="move the cursor here" onClick={() => onCursor(at)}>
        {begins !== '' && <b>{begins} </b>}
        <time dateTime={new Date(at).toISOString()}>{clockWithSeconds(at)}</time>
      </button>
      <Mark word={word} />
      <div>
        <Spoken text={text} machine={machine} />
        {more !== '' && <span class="second">{more}</span>}
        {incident !== undefined && <Why incident={incident} ways={ways} />}
        {others !== undefined && (
          <details>
            <summary>not chosen</summary>
            <NotChosen ways={others} />
          </details>
        )}
      </div>
    </li>
  );
}
