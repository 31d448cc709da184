/**
 * `endingVerdict`: what the end of an attempt means, from the agent CLI's own output. Ranked: the final result's error, then an API error,
 * then what the process wrote on stderr, then how it died. A good result outranks the exit code; an exit code of 0 proves nothing.
 */
import { FAILURE_CLASSES, type FailureClass } from '../core/vocabulary/classes/failure-class.ts';
import { parseResetTime, retryOf } from '../core/text/reset-time/parse-reset-time.ts';
import { meaningOfEnding } from '../core/lexicon/endings.ts';
import type { Recogniser } from '../core/lexicon/recogniser.ts';
import type { TranscriptEntry, Usage } from '../core/vocabulary/transcript.ts';
import type { AgentFailure, AttemptFacts, Verdict } from './adapter.ts';
import { processFailure } from './process-end.ts';

type Result = Extract<TranscriptEntry, { type: 'result' }>;
type ErrorEntry = Extract<TranscriptEntry, { type: 'error' }>;

interface Ending {
  readonly result: Result | null;
  /** Errors since the agent last got an answer from its model, oldest first. */
  readonly errors: readonly ErrorEntry[];
  readonly usage: Usage | null;
  /** The last call of a tool succeeded. */
  readonly hasWorked: boolean;
}

const MAX_MATCHED = 4_000;
/** Errors of one ending are few; a flood of them says no more than its last ones. */
const MAX_ERRORS = 20;

export interface EndingHabits {
  /** The CLI as a person calls it. */
  readonly title: string;
  /** The exit code that it ends with, without a last word, when it is interrupted. */
  readonly interruptCode?: number;
  /** Its last word is only the last of several: killed after it, it may have been in the middle of more. */
  readonly speaksAfterResult?: boolean;
  /** Ends that it names by a subtype of its result. */
  readonly stops?: Readonly<Record<string, readonly [FailureClass, string]>>;
  /** Words of its own that name a cause. */
  readonly says?: readonly Recogniser[];
  /** Its exit code is an HTTP status in disguise. */
  readonly statusOfExit?: (exitCode: number) => number | null;
}

export function endingVerdict(habits: EndingHabits, facts: AttemptFacts): Verdict {
  const read = readEnding(facts.entries);
  const isCut = habits.speaksAfterResult === true && facts.signal !== null;
  const ending = isCut ? { ...read, result: null } : read;
  const deniedTools = ending.result?.deniedTools ?? [];
  const claimsDone = ending.result !== null && !ending.result.isError;
  return {
    claimsDone,
    failure: failureOf(habits, ending, facts),
    deniedTools,
    usage: read.result?.usage ?? read.usage,
  };
}

function readEnding(entries: Iterable<TranscriptEntry>): Ending {
  let result: Result | null = null;
  let errors: ErrorEntry[] = [];
  let usage: Usage | null = null;
  let hasWorked = false;
  for (const entry of entries) {
    if (entry.type === 'message' && entry.role === 'agent') errors = [];
    else if (entry.type === 'error') errors = [...errors, entry].slice(-MAX_ERRORS);
    else if (entry.type === 'usage') usage = entry.usage;
    else if (entry.type === 'result') result = entry;
    else if (entry.type === 'tool_result') hasWorked = !entry.isError;
  }
  return { result, errors, usage, hasWorked };
}

function failureOf(habits: EndingHabits, ending: Ending, facts: AttemptFacts): AgentFailure | null {
  const { result } = ending;
  if (result === null) return failureWithoutResult(habits, ending, facts);
  if (result.isError) return errorFailure(habits, ending, facts, result);
  if (result.deniedTools.length > 0 && !ending.hasWorked)
    return failure(
      'permission_denied',
      'the agent was denied what it tried last and did nothing after it',
      result.deniedTools,
    );
  // Where only the cost is told, the tokens are unknown.
  if (result.usage?.outputTokens === 0 && (result.usage.costUsd ?? 0) === 0)
    return failure('false_success', 'the agent says that it is done without a single token of output', [
      result.text,
    ]);
  return null;
}

/** The process ended before its last word. A good exit code is no word either. */
function failureWithoutResult(
  { title, says: own, interruptCode }: EndingHabits,
  ending: Ending,
  facts: AttemptFacts,
): AgentFailure {
  if (facts.signal === null && facts.exitCode !== 0 && !isInterruptCode(facts.exitCode)) {
    const said = classify(
      [...ending.errors.map((error) => error.text), ...facts.stderrTail.split('\n')],
      facts,
      own,
    );
    if (said !== null) return said;
  }
  if (facts.signal === null && (facts.exitCode === 0 || facts.exitCode === interruptCode))
    return failure('interrupted', `${title} ended without its final result`, lines(facts.stderrTail));
  const ended = processFailure(facts);
  return ended ?? failure('unknown', `${title} ended without a reason`, lines(facts.stderrTail));
}

function errorFailure(
  { title, says: own, statusOfExit, stops }: EndingHabits,
  ending: Ending,
  facts: AttemptFacts,
  result: Result,
): AgentFailure {
  const [stop, why] = stops?.[result.subtype] ?? [];
  if (stop !== undefined) return failure(stop, why ?? '', [result.text]);
  if (/aborted/.test(result.subtype))
    return failure('interrupted', `${title} was interrupted`, [result.text]);
  const texts = [...ending.errors.map((error) => error.text), result.text, result.subtype];
  const told = ending.errors.findLast((error) => error.status !== null)?.status ?? null;
  const status = told ?? (facts.exitCode === null ? null : (statusOfExit?.(facts.exitCode) ?? null));
  const [byStatus, reason = ''] = classOfStatus(status) ?? [];
  const said = classify(texts, facts, own, status);
  // A 400 says little and its text much; for all others the status is exact.
  if (byStatus !== undefined && said?.class !== byStatus)
    return { ...failure(byStatus, reason, evidence(texts)), status, ...resetIn(byStatus, texts, facts) };
  if (said !== null) return { ...said, ...resetIn(said.class, texts, facts) };
  if (status === null && ending.errors.length === 0 && isWithoutTokens(result.usage))
    return failure('network_failure', 'what came back was no answer of a model', evidence(texts));
  return { ...failure('unknown', `${title} ended with ${result.subtype}`, evidence(texts)), status };
}

/** What a class means for an attempt, in words. */
const REASONS: Partial<Readonly<Record<FailureClass, string>>> = {
  context_overflow: 'the conversation no longer fits the model',
  looping: 'the agent CLI stopped a loop of its agent',
  model_refusal: 'the model refused by policy',
  session_corrupt: 'the agent session cannot be continued as it is',
  rate_limited: 'the account hit a limit',
  budget_exhausted: 'a budget is used up',
  auth_failure: 'the login was refused',
  overloaded: 'the provider cannot answer',
  timeout: 'the provider took the request and did not answer in time',
  network_failure: 'the connection to the provider broke',
  environment: 'the agent CLI refused to start this way',
};

function classify(
  texts: readonly string[],
  facts: AttemptFacts,
  own: EndingHabits['says'],
  status: number | null = null,
): AgentFailure | null {
  const cut = texts.map((text) => text.slice(0, MAX_MATCHED));
  const found = meaningOfEnding(cut, own);
  if (found === null) return null;
  const text = texts[cut.indexOf(found.text)] as string;
  const kind = found.recogniser.failureClass;
  return {
    ...failure(kind, REASONS[kind] ?? FAILURE_CLASSES[kind].sign, [text]),
    status,
    ...resetIn(kind, [text], facts),
  };
}

function classOfStatus(status: number | null): readonly [FailureClass, string] | null {
  if (status === 401 || status === 403) return ['auth_failure', `the provider refused the login (${status})`];
  if (status === 413) return ['context_overflow', 'the request is too large for the provider (413)'];
  if (status === 429) return ['rate_limited', 'the account hit a limit (429)'];
  if (status === 408) return ['timeout', 'the provider gave up waiting (408)'];
  return status !== null && status >= 500 ? ['overloaded', `the provider cannot answer (${status})`] : null;
}

function resetIn(
  kind: FailureClass,
  texts: readonly string[],
  facts: AttemptFacts,
): Pick<AgentFailure, 'retryAt' | 'retryExactToMs'> {
  const told = kind === 'rate_limited' || kind === 'overloaded';
  const reset = told ? parseResetTime(texts.join('\n'), facts.nowMs, facts.timeZone) : null;
  return retryOf(reset);
}

function isInterruptCode(code: number | null): boolean {
  return code === 129 || code === 130 || code === 143 || code === 137;
}

function evidence(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.filter((text) => text !== ''))].slice(0, 5);
}

function lines(text: string): readonly string[] {
  return evidence(text.split('\n'));
}

function failure(kind: FailureClass, reason: string, shown: readonly string[]): AgentFailure {
  return { class: kind, reason, evidence: evidence(shown), retryAt: null, status: null };
}

/** Every answer of a model counts tokens; the page of a hotel network or of a proxy counts none. */
function isWithoutTokens(usage: Usage | undefined): boolean {
  return usage?.inputTokens === 0 && usage.outputTokens === 0 && usage.cacheReadTokens === 0;
}
