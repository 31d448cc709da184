/**
 * `acpVerdict`: what the end of an ACP attempt means. Ranked: the answer to the prompt, then an error of the agent, then how the process
 * died. Texts without a status are left to the diagnosis.
 */
import type { FailureClass } from '../../core/vocabulary/classes/failure-class.ts';
import { isExact, parseResetTime } from '../../core/text/reset-time/parse-reset-time.ts';
import type { TranscriptEntry, Usage } from '../../core/vocabulary/transcript.ts';
import type { AgentFailure, AttemptFacts, Verdict } from '../adapter.ts';
import { processFailure } from '../process-end.ts';

type Result = Extract<TranscriptEntry, { type: 'result' }>;
type ErrorEntry = Extract<TranscriptEntry, { type: 'error' }>;

/** How a turn ends by the protocol, besides `end_turn` and an error. */
const STOPS: Readonly<Record<string, readonly [FailureClass, string]>> = {
  cancelled: ['interrupted', 'the turn was cancelled'],
  refusal: ['model_refusal', 'the model refused to go on'],
  max_tokens: ['context_overflow', 'the answer reached the limit of tokens'],
  max_turn_requests: ['budget_exhausted', 'the turn reached the limit of requests'],
};

export function acpVerdict(facts: AttemptFacts): Verdict {
  let result: Result | null = null;
  let error: ErrorEntry | null = null;
  let usage: Usage | null = null;
  let hasWorked = false;
  for (const entry of facts.entries) {
    if (entry.type === 'result') result = entry;
    else if (entry.type === 'error') error = entry;
    else if (entry.type === 'usage') usage = entry.usage;
    // Whether anything succeeded after the last refusal shows in the last result of a tool.
    else if (entry.type === 'tool_result') hasWorked = !entry.isError;
  }
  const deniedTools = result?.deniedTools ?? [];
  const claimsDone = result !== null && !result.isError;
  return {
    claimsDone,
    failure: failureOf(result, error, deniedTools.length > 0 && !hasWorked, facts),
    deniedTools,
    usage: result?.usage ?? usage,
  };
}

function failureOf(
  result: Result | null,
  error: ErrorEntry | null,
  wasStoppedByRefusal: boolean,
  facts: AttemptFacts,
): AgentFailure | null {
  if (result !== null && !result.isError)
    return wasStoppedByRefusal
      ? failure(
          'permission_denied',
          'the agent was denied what it tried last and did nothing after it',
          result.deniedTools,
        )
      : null;
  const [kind, reason] = STOPS[result?.subtype ?? ''] ?? [];
  if (kind !== undefined) return failure(kind, reason as string, [result?.text ?? '']);
  if (error !== null) return ofError(error, facts);
  const ended = processFailure(facts);
  return ended ?? failure('interrupted', 'the agent ended without an answer to its prompt', []);
}

function ofError({ text, status }: ErrorEntry, facts: AttemptFacts): AgentFailure {
  const kind = classOf(status);
  const isLimit = kind === 'rate_limited' || kind === 'overloaded';
  const reset = isLimit ? parseResetTime(text, facts.nowMs, facts.timeZone) : null;
  const reason =
    status === null ? 'the agent answered its prompt with an error' : `the provider answered ${status}`;
  return {
    ...failure(kind, reason, [text]),
    status,
    retryAt: reset?.at ?? null,
    ...(reset !== null && isExact(reset) ? { retryIsExact: true } : {}),
  };
}

function classOf(status: number | null): FailureClass {
  if (status === 401 || status === 403) return 'auth_failure';
  if (status === 413) return 'context_overflow';
  if (status === 429) return 'rate_limited';
  if (status === 408) return 'timeout';
  return status !== null && status >= 500 ? 'overloaded' : 'unknown';
}

function failure(kind: FailureClass, reason: string, shown: readonly string[]): AgentFailure {
  const evidence = shown.filter((text) => text !== '');
  return { class: kind, reason, evidence, retryAt: null, status: null };
}
