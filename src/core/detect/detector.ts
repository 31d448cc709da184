/** One way to notice trouble. Pure and incremental: the same entries give the same signals, in any process, at any time. */
import type { Signal } from '../vocabulary/signal.ts';
import type { TranscriptEntry } from '../vocabulary/transcript.ts';
import type { Policy } from '../vocabulary/policy.ts';
import type { Life } from './life.ts';
import type { Tick } from './tick.ts';
import type { Trail } from './trail.ts';
import type { Turn } from './turn.ts';

/** The limits that detectors compare with, and what may change, as globs; empty: no scope was agreed. */
export type DetectPolicy = Policy & { readonly scope: readonly string[] };

export interface Moment {
  readonly entry: TranscriptEntry | Tick;
  /** Index of the entry in the transcript; a tick has that of the entry before it. */
  readonly step: number;
  /** The turn that this entry completed. */
  readonly turn: Turn | null;
  /** Up to and including this entry. */
  readonly trail: Trail;
  readonly life: Life;
  readonly policy: DetectPolicy;
}

export interface Detector<State> {
  readonly name: string;
  readonly init: State;
  readonly next: (state: State, moment: Moment) => readonly [State, readonly Signal[]];
}

export type Level = 0 | 1 | 2;

/** Level reached by a count; a detector speaks when the level rises, and is silent while it stays. */
export function levelOf(count: number, warn: number, stop: number): Level {
  return count >= stop ? 2 : count >= warn ? 1 : 0;
}

export function severityOf(level: 1 | 2): Signal['severity'] {
  return level === 2 ? 'critical' : 'warning';
}

/** A line of evidence is read by a person, in a terminal. */
const QUOTE_CHARS = 160;

export function quote(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > QUOTE_CHARS ? `${line.slice(0, QUOTE_CHARS - 1)}…` : line;
}

/** Shells repeat their tool's name nowhere, other tools need it. */
export function callText({ tool, input }: Turn): string {
  return quote(
    tool === '' || /^(bash|shell)$/i.test(tool) || input.startsWith(tool) ? input : `${tool} ${input}`,
  );
}
