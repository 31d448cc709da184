/** `Detector`, `levelOf`, `severityOf`, `raise`, `quote`, `callText`: one way to notice trouble, pure and incremental. */
import { firstLine } from '../text/first-line.ts';
import type { Signal } from '../vocabulary/signal.ts';
import type { TranscriptEntry } from '../vocabulary/transcript.ts';
import type { Policy } from '../vocabulary/policy.ts';
import { commandOf, isShellCall } from './call-kind.ts';
import { editOf } from './edit-target.ts';
import type { LifeSigns } from './life.ts';
import type { Tick } from './tick.ts';
import type { Trail } from './trail.ts';
import type { AgentTurn } from './agent-turn.ts';

/** The limits that detectors use, and the scope as globs; empty if no scope was agreed. */
export type DetectPolicy = Policy & { readonly scope: readonly string[] };

export interface Moment {
  readonly entry: TranscriptEntry | Tick;
  /** The index of the entry in the transcript. A tick has the index of the entry before it. */
  readonly step: number;
  readonly turn: AgentTurn | null;
  /** The trail up to and including this entry. */
  readonly trail: Trail;
  readonly life: LifeSigns;
  readonly policy: DetectPolicy;
}

export interface Detector<State> {
  readonly name: string;
  readonly init: State;
  readonly next: (state: State, moment: Moment) => readonly [State, readonly Signal[]];
}

export type Level = 0 | 1 | 2;

/** The level that a count reaches. A detector raises a signal when the level rises, and none while it stays. */
export function levelOf(count: number, warn: number, stop: number): Level {
  return count >= stop ? 2 : count >= warn ? 1 : 0;
}

export function severityOf(level: 1 | 2): Signal['severity'] {
  return level === 2 ? 'critical' : 'warning';
}

/** The next state of a detector, and one signal that it raises at an entry or a turn. */
export function raise<State>(
  state: State,
  { at }: { readonly at: number },
  step: number,
  signal: Omit<Signal, 'at' | 'atStep'>,
): readonly [State, readonly [Signal]] {
  return [state, [{ ...signal, at, ...(step >= 0 ? { atStep: step } : {}) }]];
}

/** A person reads evidence in a terminal, so a line must be short. */
const QUOTE_CHARS = 160;
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g');

export function quote(text: string): string {
  const line = text.replaceAll(COLOUR, '').trim().replace(/\s+/g, ' ');
  return line.length > QUOTE_CHARS ? `${line.slice(0, QUOTE_CHARS - 1)}…` : line;
}

/** A call in one line: the command line of a shell, the file that another tool takes, otherwise the input as it is. */
export function callText({ tool, input, kind, edit }: AgentTurn): string {
  const line = commandOf(input);
  const isGiven = ARGUMENTS.test(input);
  if (isShellCall(tool, input) && !(isGiven && input.startsWith(line))) return quote(line);
  const file = kind === 'read' || kind === 'edit' ? (edit?.path ?? editOf(input)?.path) : undefined;
  // The first line of an edit says where; the others are the text.
  const said = isGiven ? (file ?? valuesIn(input, tool)) : kind === 'edit' ? firstLine(input) : input;
  return quote(tool === '' || said.startsWith(tool) ? said : `${tool} ${said}`);
}

const ARGUMENTS = /^\{\s*['"]/;
/** A text among arguments; a key is one, too, with a colon after it. */
const VALUE = /(?<![\w])(['"])((?:\\.|(?!\1)[^\\])+)(?:\1|$)(?!\s*:)/g;

/** The texts among the arguments of a call, without its own name and what only holds them together. */
function valuesIn(input: string, tool: string): string {
  const values = [...input.matchAll(VALUE)]
    .map(([, , value = '']) => value)
    .filter((value) => value !== tool);
  return values.length === 0
    ? input
    : values
        .join(', ')
        .replaceAll(/\\[nt]/g, ' ')
        .replaceAll(/\\(["'])/g, '$1');
}
