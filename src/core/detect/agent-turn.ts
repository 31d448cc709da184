/** `AgentTurn`, `completeTurn`: a tool call with its result, reduced to what detectors compare. */
import { type CallKind, type CallReading, readCall } from './call-kind.ts';
import { editOf } from './edit-target.ts';
import type { Polling } from './polling.ts';
import { readResult, saysNotYet } from './result-text.ts';
import { hashExact, hashLoose, hashLooseOpening, hashShape } from './text-hash.ts';

export interface AgentTurn {
  readonly tool: string;
  readonly kind: CallKind;
  /** The call waits for something: it is judged by time, never by count. */
  readonly waiting: Polling | null;
  /** The call was made before the result of the previous call was known, so the agent could not learn from that result. */
  readonly sibling: boolean;
  /** The exact hash of tool and arguments. */
  readonly call: number;
  /** The same hash without numbers and white space. */
  readonly callLoose: number;
  readonly result: number;
  /** The hash of the beginning of the result, without numbers; 0 if there is no text. */
  readonly opening: number;
  /** The tool reported an error, or its result reads like a failure, for example of a check. */
  readonly failed: boolean;
  /** The result is empty: no match, no such file, no output. */
  readonly barren: boolean;
  /** The hash of the error line without numbers; 0 if the call did not fail. */
  readonly error: number;
  /** The hash of the complaint without names and paths; 0 if the result is useful. */
  readonly complaint: number;
  readonly errorLine: string;
  /** A failure that is the same whatever was called: timed out, killed, crashed, disk full, read-only; null otherwise. */
  readonly ended: string | null;
  /** How many tests failed, if the result tells. */
  readonly failures: number | null;
  /** After this call the same call may have another result, because of a change or a move to another place. */
  readonly mayChangeResults: boolean;
  readonly input: string;
  /** The old and the new text of an editing call, if the tool tells. */
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

export interface OpenCall extends Pick<AgentTurn, 'tool' | 'input' | 'step' | 'at'> {
  readonly id: string;
  readonly parentId: string | null;
}

/** Long enough to quote as evidence and to contain a path. */
const INPUT_CHARS = 400;
const ERROR_CHARS = 240;
const DESCRIPTION_CHARS = 900;
export interface CallAnswer {
  readonly output: string;
  readonly isError: boolean;
  readonly marksErrors: boolean;
  /** The person asked the agent to make this call again and again. */
  readonly isPoll: boolean;
  readonly step: number;
  readonly at: number;
}

/** What agent CLIs answer for a call that they did not make because another one of the same message failed. */
const SIBLING_ERROR = /^.{0,40}\bsibling tool call (errored|failed)/i;

export function completeTurn(call: OpenCall, answer: CallAnswer, previous?: AgentTurn): AgentTurn {
  const { output, isError, marksErrors, isPoll, step, at } = answer;
  const reading = readCall(call.tool, call.input);
  const asked = reading.kind;
  const looks = asked === 'read' || asked === 'search';
  const { failed, barren, errorLine, failureKind, text } = readResult({
    output,
    isError,
    marksErrors,
    input: call.input,
    kind: asked,
  });
  const said = withoutDecoration(call.input);
  const seed = hashExact(call.tool);
  const exact = hashExact(said) ^ seed;
  const isAgain = previous?.call === exact;
  const { kind, waiting } =
    // A call whose result is "not yet" is polling, whatever the tool is called.
    asked !== 'edit' && (isPoll || (!failed && saysNotYet(text)))
      ? { kind: 'wait' as const, waiting: reading.polling ?? 'probe' }
      : waitingOf(reading, text.length, previous, isAgain ? call.at - (previous?.at ?? 0) : 0);
  const { whole: result, opening } = hashLooseOpening(text);
  return {
    tool: call.tool,
    kind,
    waiting,
    sibling:
      (failed && SIBLING_ERROR.test(errorLine)) ||
      (previous !== undefined && (call.step < previous.step || (call.at > 0 && call.at < previous.at))),
    call: exact,
    callLoose: hashLoose(said) ^ seed,
    result,
    opening: text === '' ? 0 : opening,
    failed,
    barren,
    error: failed ? hashLoose(failureKind ?? errorLine) : 0,
    ended: failureKind,
    failures: failed && (kind === 'test' || kind === 'run') ? failuresIn(text) : null,
    mayChangeResults: (!failed && (kind === 'edit' || kind === 'move')) || reading.mayChangeResults,
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

/** A longer result is a page to read, not the state of something. */
const PROBE_ANSWER_CHARS = 4_000;
/** A probe repeated faster than a model can think is not waiting. 0 means that the transcript has no times. */
const HAMMERING_MS = 1_000;
/** The kinds of calls that can look at the result of a separate wait call. */
const LOOKS_AFTER_SLEEP: ReadonlySet<CallKind> = new Set(['read', 'search', 'run', 'test', 'other']);

function waitingOf(
  { kind, polling }: CallReading,
  answerChars: number,
  previous: AgentTurn | undefined,
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

/** Models describe the same command in other words each time. Without the description the loop can be seen. */
function withoutDecoration(input: string): string {
  const at = input.startsWith('{') && input.includes('"command"') ? input.indexOf('"description"') : -1;
  if (at < 0) return input;
  const value = /^"description" {0,4}: {0,4}"(?:[^"\\]|\\.){0,400}"/.exec(
    input.slice(at, at + DESCRIPTION_CHARS),
  );
  return value === null ? input : input.slice(0, at) + input.slice(at + value[0].length);
}

/** Copies the text by joining: a slice would keep the whole output in memory as long as the trail keeps the turn. */
function owned(text: string, limit: number): string {
  return ` ${text.slice(0, limit)}`.slice(1);
}

const COUNTED =
  /\b(\d{1,5}) (?:failed|failing|failures?|errors?)\b|\b(?:failures|errors|failed)[=:] ?(\d{1,5})/gi;
const SUMMARY_CHARS = 2_000;

/** How many tests failed, by the summary of a check. The last count that a check gives; null if it gives none. */
function failuresIn(text: string): number | null {
  const last = [...text.slice(-SUMMARY_CHARS).matchAll(COUNTED)].at(-1);
  return last === undefined ? null : Number(last[1] ?? last[2]);
}
