/** One thing the agent did and what came back: a tool call with its result, reduced to what detectors compare. */
import { type CallKind, type CallReading, readCall } from './call-kind.ts';
import { editOf } from './edit-target.ts';
import type { Polling } from './polling.ts';
import { readResult, saysNotYet } from './result-text.ts';
import { hashExact, hashLoose, hashShape, OPENING_CHARS } from './text-hash.ts';

export interface Turn {
  readonly tool: string;
  readonly kind: CallKind;
  /** It waits for something: judged by time, never by count. */
  readonly waiting: Polling | null;
  /** Called before the answer to the call before it was known: what they share was not learned from. */
  readonly sibling: boolean;
  /** Tool and arguments, exactly. */
  readonly call: number;
  /** The same with numbers and white space left out. */
  readonly callLoose: number;
  readonly result: number;
  /** The first lines of the result, without numbers; 0 when there is no result text. */
  readonly opening: number;
  readonly failed: boolean;
  /** Nothing came back: no match, no such file, no output. */
  readonly barren: boolean;
  /** Which error, without numbers; 0 when it did not fail. */
  readonly error: number;
  /** What kind of complaint, without names and paths; 0 when it is useful. */
  readonly complaint: number;
  readonly errorLine: string;
  readonly input: string;
  /** What an editing call replaces by what, where the tool tells. */
  readonly edit: EditMark | null;
  readonly resultLength: number;
  readonly callStep: number;
  readonly step: number;
  readonly startedAt: number;
  readonly at: number;
}

export interface EditMark {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

export interface OpenCall {
  readonly id: string;
  readonly tool: string;
  readonly input: string;
  readonly step: number;
  readonly at: number;
  readonly parentId: string | null;
}

/** Enough to quote as evidence and to find a path in. */
const INPUT_CHARS = 400;
const ERROR_CHARS = 240;
const DESCRIPTION_CHARS = 900;

export function completeTurn(
  call: OpenCall,
  output: string,
  isError: boolean,
  step: number,
  at: number,
  previous?: Turn,
): Turn {
  const reading = readCall(call.tool, call.input);
  const asked = reading.kind;
  const looks = asked === 'read' || asked === 'search';
  const { failed, barren, errorLine, text } = readResult(output, isError, looks);
  const said = withoutDecoration(call.input);
  const seed = hashExact(call.tool);
  const exact = (hashExact(said) ^ seed) >>> 0;
  const isAgain = previous?.call === exact;
  const { kind, waiting } =
    // A call that is answered "not yet" polls, whatever it is named.
    asked !== 'edit' && !failed && saysNotYet(text)
      ? { kind: 'wait' as const, waiting: reading.polling ?? 'probe' }
      : waitingOf(reading, text.length, previous, isAgain ? call.at - (previous?.at ?? 0) : 0);
  const result = hashLoose(text);
  return {
    tool: call.tool,
    kind,
    waiting,
    sibling: previous !== undefined && (call.step < previous.step || (call.at > 0 && call.at < previous.at)),
    call: exact,
    callLoose: (hashLoose(said) ^ seed) >>> 0,
    result,
    opening: text === '' ? 0 : text.length <= OPENING_CHARS ? result : hashLoose(text, OPENING_CHARS),
    failed,
    barren,
    error: failed ? hashLoose(errorLine) : 0,
    complaint: failed ? hashShape(errorLine) : looks && barren ? hashShape(text) : 0,
    errorLine: owned(errorLine, ERROR_CHARS),
    input: owned(call.input, INPUT_CHARS),
    edit: kind === 'edit' ? editMark(call.input) : null,
    resultLength: text.length,
    callStep: call.step,
    step,
    startedAt: call.at,
    at,
  };
}

/** Longer answers are pages that are read, not states that are asked for. */
const PROBE_ANSWER_CHARS = 4_000;
/** Asked again sooner than a model can think, a probe does not wait: it hammers. 0: the record has no times. */
const HAMMERING_MS = 1_000;
/** Calls that look at what was waited for, when the wait was a call of its own. */
const LOOKS_AFTER_SLEEP: ReadonlySet<CallKind> = new Set(['read', 'search', 'run', 'test', 'other']);

function waitingOf(
  { kind, polling }: CallReading,
  answerChars: number,
  previous: Turn | undefined,
  pauseMs: number,
): { readonly kind: CallKind; readonly waiting: Polling | null } {
  const isNoProbe = answerChars > PROBE_ANSWER_CHARS || (pauseMs > 0 && pauseMs < HAMMERING_MS);
  if (polling === 'probe' && isNoProbe) return { kind: kind === 'wait' ? 'run' : kind, waiting: null };
  if (polling !== null) return { kind, waiting: polling };
  if (kind === 'wait') return { kind, waiting: 'probe' };
  const looksAfterSleep = previous?.waiting === 'sleep' && LOOKS_AFTER_SLEEP.has(kind);
  return { kind, waiting: looksAfterSleep ? 'probe' : null };
}

function editMark(input: string): EditMark | null {
  const target = editOf(input);
  if (target === null) return null;
  const { path, from, to } = target;
  return {
    path: owned(path, INPUT_CHARS),
    from: from === null ? 0 : hashExact(from),
    to: to === null ? 0 : hashExact(to),
  };
}

/** Models describe the same command in other words each time; the description would hide the loop. */
function withoutDecoration(input: string): string {
  const at = input.startsWith('{') && input.includes('"command"') ? input.indexOf('"description"') : -1;
  if (at < 0) return input;
  const value = /^"description" {0,4}: {0,4}"(?:[^"\\]|\\.){0,400}"/.exec(
    input.slice(at, at + DESCRIPTION_CHARS),
  );
  return value === null ? input : input.slice(0, at) + input.slice(at + value[0].length);
}

/** A copy: a slice would keep the whole output alive for as long as the trail remembers the turn. Joining makes one. */
function owned(text: string, limit: number): string {
  return ` ${text.slice(0, limit)}`.slice(1);
}
