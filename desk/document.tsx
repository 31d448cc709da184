/**
 * `useDocument`: an answer of the API, read again when a run changed. `Spoken`: a sentence in which the words of machines are set as
 * such. `Told`: the same, with its times in the zone of the viewer.
 */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ask } from './api.ts';
import { changed, now, show } from './store.ts';
import { day, moment } from './time.ts';

/** Documents about many runs cost the server more than a line does. */
const AGAIN_MS = 1_000;

/** Null: not read yet. `again` reads it after a word of this person. `everyMs`: for what changes while no run does. */
export function useDocument<T>(
  path: string,
  everyMs?: number,
): { readonly value: T | null; readonly again: () => void } {
  const read = useSignal<{ readonly path: string; readonly value: T } | null>(null);
  const wanted = useRef(path);
  const seen = useRef(changed.value);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  wanted.current = path;
  const again = () => {
    timer.current = null;
    const asked = wanted.current;
    ask<T>(asked)
      .then((value) => (read.value = { path: asked, value }))
      .catch(show);
  };
  useEffect(again, [path]);
  useEffect(() => {
    if (seen.current === changed.value) return;
    seen.current = changed.value;
    timer.current ??= setTimeout(again, AGAIN_MS);
  }, [changed.value]);
  useEffect(() => () => clearTimeout(timer.current ?? undefined), []);
  useEffect(() => {
    if (everyMs === undefined) return;
    const every = setInterval(() => document.hidden || again(), everyMs);
    return () => clearInterval(every);
  }, [everyMs]);
  return { value: read.value?.path === path ? read.value.value : null, again };
}

/** Between backticks or quotation marks, which quoted text cannot hold. */
const QUOTED = /(“[^”]*”|`[^`]*`)/;
/** A lesson has whole sentences between quotation marks. */
const TICKED = /(`[^`]*`)/;

interface SpokenShown {
  readonly text: string;
  /** Words that are known to be a machine's, such as command lines, wherever they stand. */
  readonly machine?: readonly string[];
  readonly isLesson?: boolean;
}

export function Spoken({ text, machine = [], isLesson = false }: SpokenShown) {
  const parts = text.split(isLesson ? TICKED : QUOTED);
  return <>{parts.flatMap((part, at) => (at % 2 === 1 ? quotedPart(part, at) : plainPart(part, machine)))}</>;
}

function quotedPart(part: string, at: number): ComponentChildren {
  const inner = <code key={at}>{part.slice(1, -1)}</code>;
  return part.startsWith('`') ? inner : ['“', inner, '”'];
}

function plainPart(text: string, machine: readonly string[]): ComponentChildren[] {
  const named = machine.find((one) => one !== '' && text.includes(one));
  if (named === undefined) return [text];
  const at = text.indexOf(named);
  const rest = text.slice(at + named.length);
  return [
    ...plainPart(text.slice(0, at), machine),
    <code key={`${at}${named}`}>{named}</code>,
    ...plainPart(rest, machine),
  ];
}

/** A moment, or a day without a time. */
const STAMP = /\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/g;

export function Told({ text }: { readonly text: string }) {
  return <Spoken text={text.replaceAll(STAMP, timeOf)} />;
}

function timeOf(stamp: string): string {
  if (stamp.endsWith('Z')) return moment(Date.parse(stamp), now.value);
  return day(Date.parse(`${stamp}T00:00`), now.value);
}
