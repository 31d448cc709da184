/**
 * `askOpinion`: asks a provider one question and checks the reply. A reply that is refused is asked for once more, with the reason.
 *
 *   asking -> answered | unanswered (deadline, stopped, refused twice, dearer than allowed, the provider failed)
 */
import type { OpinionQuestion } from '../../core/opinion/opinion-question.ts';
import { replyValue } from '../../core/opinion/reply.ts';
import { oneLine } from '../../core/text/quote-fenced.ts';
import type { OpinionOutcome } from '../../core/vocabulary/opinion.ts';

export interface OpinionReply {
  readonly text: string;
  readonly costUsd: number | null;
  readonly tokens: number | null;
}

export interface OpinionProvider {
  /** As a person names it: `claude`, `anthropic`, `command`. */
  readonly name: string;
  /** Throws with a short reason where there is no reply. */
  readonly ask: (prompt: string, signal: AbortSignal) => Promise<OpinionReply>;
}

export interface OpinionLimits {
  readonly deadlineMs: number;
  /** Dearer questions are not asked a second time. */
  readonly costUsd: number;
}

/** A person or a run waits for it: longer or dearer than this, going on without an opinion is worth more. */
export const OPINION_LIMITS: OpinionLimits = { deadlineMs: 60_000, costUsd: 0.1 };
/** One mistake may be corrected. */
const REPLIES = 2;
const REASON_CHARS = 200;

export async function askOpinion<Answer>(
  { kind, prompt, check }: OpinionQuestion<Answer>,
  provider: OpinionProvider,
  limits: OpinionLimits,
  stop: AbortSignal,
): Promise<OpinionOutcome<Answer>> {
  const deadline = AbortSignal.timeout(limits.deadlineMs);
  const signal = AbortSignal.any([stop, deadline]);
  const by = provider.name;
  const spent: { costUsd: number | null; tokens: number | null } = { costUsd: null, tokens: null };
  let reason = '';
  try {
    for (let tries = 0; tries < REPLIES && (spent.costUsd ?? 0) < limits.costUsd; tries += 1) {
      const again = reason === '' ? '' : `\n\nAn earlier answer was refused: ${reason}`;
      const reply = await untilAborted(provider.ask(`${prompt}${again}`, signal), signal);
      spent.costUsd = sum(spent.costUsd, reply.costUsd);
      spent.tokens = sum(spent.tokens, reply.tokens);
      const checked = check(replyValue(reply.text));
      if (typeof checked !== 'string')
        return { type: 'answered', opinion: { by, kind, ...checked, ...spent } };
      reason = checked;
    }
    return { type: 'unanswered', by, kind, reason: `the answer was refused: ${reason}`, ...spent };
  } catch (error) {
    return { type: 'unanswered', by, kind, reason: whyUnanswered(error), ...spent };
  }

  function whyUnanswered(error: unknown): string {
    if (stop.aborted) return 'stopped';
    if (deadline.aborted) return `no answer within ${limits.deadlineMs / 1000} s`;
    return `${by} could not be asked: ${oneLine(error instanceof Error ? error.message : String(error)).slice(0, REASON_CHARS)}`;
  }
}

/** A provider that ignores the signal does not hold the run. */
async function untilAborted<Value>(answer: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([answer, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
    answer.catch(() => undefined);
  }
}

function sum(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : a + b;
}
