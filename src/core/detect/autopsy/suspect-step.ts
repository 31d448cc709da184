/**
 * `suspectStep`: guesses, without a model, the step at which a failed run went wrong: where the loop that ended it began; otherwise the
 * crash that ended it; otherwise the first action that cannot be undone; otherwise the first call that failed or returned nothing;
 * otherwise the first action on a page; otherwise the first answer to the task. The best published methods find the exact step in one run
 * of seven.
 */
import type { Signal } from '../../vocabulary/signal.ts';
import type { TranscriptEntry } from '../../vocabulary/transcript.ts';
import { callKind } from '../call-kind.ts';
import { editOf } from '../edit-target.ts';
import { TRACEBACK } from '../error-line.ts';
import { readResult } from '../result-text.ts';

/** What a program prints if it found nothing. */
const EMPTY_VALUE = /^(\[\]|\{\}|none|null|undefined|nan|0|false)?$/i;
/** Calls that cannot be undone. */
const DEED_TOOL =
  /^(modify|cancel|return|exchange|book|update|send|delete|create|transfer|submit|pay|order|publish|deploy|merge)_/;
const OPENING_CHARS = 400;
const DEED_WORDS = /^I (typed|clicked|scrolled|searched|visited|opened|pressed|hovered)\b/;

/** `signals`: what all detectors raised over these entries. */
export function suspectStep(entries: readonly TranscriptEntry[], signals: readonly Signal[]): number | null {
  if (entries.length === 0) return null;
  return (
    loopStart(signals) ??
    crash(entries) ??
    firstDeed(entries, DEED_TOOL, null) ??
    firstFailure(entries) ??
    firstDeed(entries, null, DEED_WORDS) ??
    Math.min(1, entries.length - 1)
  );
}

function loopStart(signals: readonly Signal[]): number | null {
  const critical = signals.find(({ severity, atStep }) => severity === 'critical' && atStep !== undefined);
  return critical?.sinceStep ?? critical?.atStep ?? null;
}

function crash(entries: readonly TranscriptEntry[]): number | null {
  const step = entries.findLastIndex(
    ({ type }) => type !== 'usage' && type !== 'unknown' && type !== 'progress',
  );
  const last = entries[step];
  if (last === undefined) return null;
  const crashed =
    last.type === 'error' ||
    (last.type === 'result' && last.isError) ||
    (last.type === 'message' &&
      last.role !== 'person' &&
      last.text.slice(0, OPENING_CHARS).includes(TRACEBACK));
  return crashed ? step : null;
}

function firstFailure(entries: readonly TranscriptEntry[]): number | null {
  const calls = new Map<string, number>();
  for (const [step, entry] of entries.entries()) {
    if (entry.type === 'tool_call') calls.set(entry.id, step);
    if (entry.type !== 'tool_result') continue;
    const { failed, text } = readResult({
      output: entry.output,
      isError: entry.isError,
      marksErrors: entry.marksErrors === true,
      input: '',
      kind: 'other',
    });
    const call = calls.get(entry.id);
    calls.delete(entry.id);
    if (call !== undefined && (failed || EMPTY_VALUE.test(text.trim()))) return call;
  }
  return null;
}

function firstDeed(
  entries: readonly TranscriptEntry[],
  tool: RegExp | null,
  words: RegExp | null,
): number | null {
  const step = entries.findIndex(
    (entry) =>
      (entry.type === 'tool_call' &&
        tool?.test(entry.tool) === true &&
        // Files and plans can be written again, so these calls can be undone.
        editOf(entry.input) === null &&
        callKind(entry.tool, entry.input) !== 'plan') ||
      (entry.type === 'tool_call' && words?.test(entry.input) === true),
  );
  return step < 0 ? null : step;
}
