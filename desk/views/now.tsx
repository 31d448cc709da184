/** `Now`: every run as one line of life, those that need a person first. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { isOverWord } from '../../src/core/view/list-order.ts';
import { address, go } from '../navigation/address.ts';
import { say } from '../api.ts';
import { useKeys } from '../navigation/keys.ts';
import { narrow } from '../narrow.ts';
import { LifeLegend } from './life-legend.tsx';
import { RunRow } from './run-row.tsx';
import { fittingWindow, WINDOWS } from '../../src/http/life-pieces.ts';
import { Axis, axisOf, PHONE_TIMES } from './line-of-life.tsx';
import { shownAs, StateWord } from '../marks.tsx';
import {
  loaded,
  now,
  order,
  mayAct,
  pointerInList,
  runs,
  show,
  sorted,
  waitingForMe,
  wordNow,
} from '../store.ts';
import { span } from '../time.ts';
import { KeyHints } from '../navigation/hints.tsx';
import { NoRuns } from './no-runs.tsx';

const FILTERS = [
  'needs_you',
  'answered',
  'rescuing',
  'waiting',
  'working',
  'preparing',
  'queued',
  'stopping',
  'stopped',
  'delivered',
  'not_proven',
  'abandoned',
];
/** More than a large screen shows; each second draws them anew. */
const ROWS = 40;

/** A row whose sentence goes over two lines, and what of the page is no row: while all fit, nothing is gained by cutting sentences. */
const ROOMY_ROW = 52;
const FRAME = 200;

export function Now() {
  const chosen = useSignal(address.value.query.get('show') ?? '');
  const zoom = useSignal<number | null>(null);
  const stopping = useSignal<string | null>(null);
  const shown = useSignal(ROWS);
  /** The sentences of all rows in full. */
  const whole = useSignal(false);
  const all = order.value.flatMap((id) => runs.value.get(id) ?? []);
  const words = all.filter((line) => chosen.value === '' || wordNow(line) === chosen.value);
  const windowMs = zoom.value ?? fittingWindow(all, now.value);
  const axis = narrow.value
    ? { from: now.value - windowMs, to: now.value, now: now.value, times: PHONE_TIMES }
    : axisOf(now.value, windowMs);
  const hasRoom = words.length * ROOMY_ROW < innerHeight - FRAME;
  const at = Math.max(
    0,
    words.findIndex(({ run_id }) => run_id === address.value.name),
  );
  const focus = (index: number) => {
    const line = words[Math.min(Math.max(index, 0), words.length - 1)];
    if (line === undefined) return;
    stopping.value = null;
    go(`/?${new URLSearchParams({ ...(chosen.value && { show: chosen.value }), run: line.run_id })}`, true);
    document.querySelector(`[data-run="${line.run_id}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  const current = words[at];
  const change = (by: number) => {
    const place = WINDOWS.findIndex((one) => one >= windowMs);
    zoom.value = WINDOWS[Math.min(Math.max(place + by, 0), WINDOWS.length - 1)] ?? windowMs;
  };
  const filter = (word: string) => {
    chosen.value = word;
    order.value = sorted(runs.value.values());
    go(word === '' ? '/' : `/?show=${word}`, true);
  };
  useKeys({
    j: () => focus(at + 1),
    k: () => focus(at - 1),
    ArrowDown: () => focus(at + 1),
    ArrowUp: () => focus(at - 1),
    Enter: () => current && go(`/runs/${current.run_id}`),
    a: () => go(current?.question ? `/inbox?question=${current.question.id}` : '/inbox'),
    v: () => (whole.value = !whole.value),
    '+': () => change(-1),
    '-': () => change(1),
    s: () => {
      if (current === undefined || isOverWord(current.word) || !mayAct.value) return;
      if (stopping.value !== current.run_id) stopping.value = current.run_id;
      else {
        stopping.value = null;
        say('POST', `/api/runs/${current.run_id}/stop`, { reason: 'at the desk' }).catch(show);
      }
    },
    Escape: () => (stopping.value = null),
  });
  useEffect(() => {
    document.title = `${waitingForMe.value > 0 ? `(${waitingForMe.value}) ` : ''}Now - Mayday`;
  });
  if (!loaded.value) return <main class="page" aria-busy="true" />;
  if (all.length === 0) return <NoRuns />;
  return (
    <main class="page">
      <h1 class="unseen">Now</h1>
      <div class="filters" role="group" aria-label="Show">
        <button type="button" aria-pressed={chosen.value === ''} onClick={() => filter('')}>
          all <b>{all.length}</b>
        </button>
        {FILTERS.map((word) => ({ word, count: all.filter((line) => wordNow(line) === word).length }))
          .filter(({ word, count }) => count > 0 || word === chosen.value)
          .map(({ word, count }) => (
            <button
              key={word}
              type="button"
              aria-pressed={chosen.value === word}
              onClick={() => filter(word)}
            >
              <StateWord word={word} /> <b>{count}</b>
            </button>
          ))}
        <span class="aside">
          <span>
            {span(windowMs)} shown <kbd>+</kbd> <kbd>-</kbd>
          </span>
          <button type="button" aria-pressed={whole.value} onClick={() => (whole.value = !whole.value)}>
            full text <kbd>v</kbd>
          </button>
        </span>
      </div>
      <div class="row heads" aria-hidden="true">
        <span>State</span>
        <span>Task, and why it stands where it stands</span>
        <Axis axis={axis} />
        <span>Next</span>
        <span class="figure">Cost</span>
      </div>
      <ul
        class={whole.value ? 'rows whole' : hasRoom ? 'rows roomy' : 'rows'}
        onPointerEnter={() => (pointerInList.value = true)}
        onPointerLeave={() => {
          pointerInList.value = false;
          order.value = sorted(runs.value.values());
        }}
      >
        {words.slice(0, Math.max(shown.value, at + ROWS)).map((line, index) => (
          <RunRow
            key={line.run_id}
            line={line}
            axis={axis}
            inFocus={index === at}
            endsGroup={words[index + 1] !== undefined && words[index + 1]?.word !== line.word}
            stopping={stopping.value === line.run_id}
            whole={whole.value}
          />
        ))}
      </ul>
      {words.length > shown.value && <End key={shown.value} onSeen={() => (shown.value += ROWS)} />}
      {words.length === 0 && (
        <p class="below">
          <span>
            No run is “{shownAs(chosen.value).word}” now.{' '}
            <button type="button" class="button" onClick={() => filter('')}>
              Show all {all.length}
            </button>
          </span>
        </p>
      )}
      <details class="how">
        <summary class="second">How to read a line of life</summary>
        <LifeLegend />
      </details>
      <KeyHints
        hints={[
          ['j k', 'move'],
          ['Enter', 'open'],
          ['a', 'answer'],
          ['s', 'stop'],
          ['v', 'full text'],
          ['+ -', 'zoom'],
          ['g i', 'inbox'],
          ['?', 'all keys'],
        ]}
      />
    </main>
  );
}

/** The end of the rows so far: more are drawn when it is scrolled to. */
function End({ onSeen }: { readonly onSeen: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const look = new IntersectionObserver(([entry]) => entry?.isIntersecting && onSeen());
    if (place.current !== null) look.observe(place.current);
    return () => look.disconnect();
  }, []);
  return <div ref={place} />;
}
