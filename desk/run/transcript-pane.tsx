/** `TranscriptPane`: what the agent said and did around the cursor, with Mayday's own lines; `/` searches the attempt. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { counted } from '../../src/core/text/counted.ts';
import { objectOrNull } from '../../src/core/text/json.ts';
import { tellingArgument } from '../../src/core/view/activity.ts';
import type { RunJson } from '../../src/core/view/run-json.ts';
import type { TranscriptDocument } from '../../src/http/transcript-document.ts';
import { ask } from '../api.ts';
import { show } from '../store.ts';
import { type Entry, foldCalls, type FoldedCalls, isFolded } from './fold-calls.ts';
import { keepInSight } from './keep-in-sight.ts';
import { type OwnLine, ownLines } from './own-lines.ts';
import { clockWithSeconds, ms } from '../time.ts';

const SETTLES_MS = 120;
/** The page shows so much of a long text until it is unfolded. */
const FOLDED = 240;

interface TranscriptShown {
  readonly run: RunJson;
  readonly attempt: number;
  readonly cursor: number;
  /** Changes when the run does: the newest entries are read again. */
  readonly changed: string;
  readonly onCursor: (at: number) => void;
}

export function TranscriptPane({ run, attempt, cursor, changed, onCursor }: TranscriptShown) {
  const runId = run.run_id;
  const page = useSignal<(TranscriptDocument & { readonly find: string }) | null>(null);
  const find = useSignal('');
  const list = useRef<HTMLOListElement>(null);
  const isRead = page.value?.attempt === attempt && page.value.find === find.value;
  const entries = isRead ? (page.value?.entries ?? []) : [];
  const covers = entries.length > 0 && time(entries[0]) <= cursor && cursor <= time(entries.at(-1));
  const wish = find.value === '' ? (covers ? 'same' : String(Math.round(cursor))) : find.value;
  useEffect(() => {
    if (wish === 'same') return;
    const timer = setTimeout(() => {
      const wanted = find.value;
      const place = wanted === '' ? { until: String(Math.round(cursor)) } : { from: '0', find: wanted };
      const query = new URLSearchParams({ attempt: String(attempt), limit: '300', ...place });
      ask<TranscriptDocument>(`/api/runs/${runId}/transcript?${query}`)
        .then((read) => (page.value = { ...read, find: wanted }))
        .catch(show);
    }, SETTLES_MS);
    return () => clearTimeout(timer);
  }, [runId, attempt, wish, changed]);
  const current = entries.findLast((entry) => time(entry) <= cursor)?.number ?? entries[0]?.number;
  // What is searched for is shown as it stands.
  const lines =
    find.value === ''
      ? withOwn(foldCalls(entries), isRead ? ownLines(run, attempt) : [], entries, cursor)
      : entries;
  useEffect(() => keepInSight(list.current, 1 / 3), [current, page.value]);
  return (
    <section class="pane transcript" aria-label="Transcript">
      <header>
        <h2>Transcript</h2>
        <span class="second">
          attempt {attempt}
          {isRead && page.value !== null && page.value.all > 0 && `, ${placeIn(page.value.all, current)}`}
        </span>
        <input
          id="find"
          type="search"
          placeholder="search /"
          aria-label="Search the transcript"
          value={find.value}
          onInput={(event) => (find.value = event.currentTarget.value)}
        />
      </header>
      <ol ref={list} tabIndex={0} aria-busy={!isRead}>
        {lines.map((line) => {
          if ('number' in line)
            return (
              <Line key={line.number} entry={line} isCurrent={line.number === current} onCursor={onCursor} />
            );
          if ('times' in line)
            return (
              <Folded
                key={`fold${line.entries[0]?.number}`}
                calls={line}
                current={current}
                onCursor={onCursor}
              />
            );
          return <Own key={`${line.at}${line.text}`} line={line} onCursor={onCursor} />;
        })}
        {isRead && lines.length === 0 && (
          <li class="second none">
            {find.value === ''
              ? 'The agent has said nothing up to here.'
              : `Nothing here contains “${find.value}”.`}
          </li>
        )}
      </ol>
    </section>
  );
}

/** `384 of 1266`. */
function placeIn(all: number, current: number | undefined): string {
  return current === undefined ? counted(all, 'entry', 'entries') : `${current} of ${all}`;
}

type Shown = Entry | FoldedCalls | OwnLine;

/** Mayday's lines of the stretch that is shown, each before the first entry that is later. */
function withOwn(
  told: readonly (Entry | FoldedCalls)[],
  own: readonly OwnLine[],
  read: readonly Entry[],
  cursor: number,
): readonly Shown[] {
  const from = (read[0]?.number ?? 1) <= 1 ? Number.NEGATIVE_INFINITY : time(read[0]);
  const to = Math.max(time(read.at(-1)), cursor);
  const left = own.filter(({ at }) => at >= from && at <= to);
  const lines: Shown[] = [];
  for (const line of told) {
    const at = time(isFolded(line) ? line.entries[0] : line);
    while (left[0] !== undefined && left[0].at < at) lines.push(...left.splice(0, 1));
    lines.push(line);
  }
  return [...lines, ...left];
}

function Own({ line, onCursor }: { readonly line: OwnLine; readonly onCursor: (at: number) => void }) {
  return (
    <li class="own">
      <button type="button" class="place" title="move the cursor here" onClick={() => onCursor(line.at)}>
        <span /> <time dateTime={new Date(line.at).toISOString()}>{clockWithSeconds(line.at)}</time>
      </button>
      <span class="words">Mayday {line.text}</span>
    </li>
  );
}

interface FoldedShown {
  readonly calls: FoldedCalls;
  readonly current: number | undefined;
  readonly onCursor: (at: number) => void;
}

function Folded({ calls: { times, entries }, current, onCursor }: FoldedShown) {
  const open = useSignal(false);
  const [first, last] = [entries[0], entries.at(-1)];
  if (open.value)
    return (
      <>
        {entries.map((entry) => (
          <Line key={entry.number} entry={entry} isCurrent={entry.number === current} onCursor={onCursor} />
        ))}
      </>
    );
  return (
    <li class="machine folded" aria-current={entries.some(({ number }) => number === current)}>
      <button type="button" class="place" title="move the cursor here" onClick={() => onCursor(time(first))}>
        <span>{first?.number}</span> <time dateTime={first?.at}>{clockWithSeconds(time(first))}</time>
      </button>
      <span class="words">
        to {last?.number}: the same call, {times === 1 ? 'once more' : `${times} more times`}, with the same
        result
        <button type="button" class="more" aria-expanded={false} onClick={() => (open.value = true)}>
          all
        </button>
      </span>
    </li>
  );
}

interface LineShown {
  readonly entry: Entry;
  readonly isCurrent: boolean;
  readonly onCursor: (at: number) => void;
}

function Line({ entry, isCurrent, onCursor }: LineShown) {
  const { number, at, type, name, text, failed } = entry;
  const open = useSignal(false);
  const told = type === 'tool_call' ? tellingArgument(text) : type === 'session' ? '' : text;
  const first = told.split('\n').slice(0, 4).join('\n').slice(0, FOLDED);
  const long = first !== told || (type === 'tool_call' && Object.keys(objectOrNull(text) ?? {}).length > 1);
  const shown = open.value ? text : first === told ? told : `${first}…`;
  const machine = !['message', 'progress', 'result', 'session', 'usage'].includes(type);
  return (
    <li class={`${type} ${failed ? 'failed' : ''} ${machine ? 'machine' : ''}`} aria-current={isCurrent}>
      <button type="button" class="place" title="move the cursor here" onClick={() => onCursor(time(entry))}>
        <span>{number}</span> <time dateTime={at}>{clockWithSeconds(ms(at) ?? 0)}</time>
      </button>
      <span class="words">
        {type === 'tool_call' && <b>{name} </b>}
        {type === 'progress' && 'Mayday saw progress: '}
        {type === 'session' && `the conversation begins${name === '' ? '' : ` with ${name}`}`}
        {type === 'usage' && 'this attempt so far: '}
        {shown}
        {long && (
          <button
            type="button"
            class="more"
            aria-expanded={open.value}
            onClick={() => (open.value = !open.value)}
          >
            {open.value ? 'less' : 'all'}
          </button>
        )}
      </span>
    </li>
  );
}

function time(entry: Entry | undefined): number {
  return ms(entry?.at) ?? 0;
}
