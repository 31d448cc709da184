/**
 * `askInRun`: asks the model of a run one question, within the limits of its policy. The prompt is redacted as the record is, and what
 * came of it is journaled with its cost at once, so that no later question can spend it again. The same question has the answer it had.
 *
 *   not asked (nobody is configured, the limits are used up) | answered | unanswered
 */
import { createHash } from 'node:crypto';
import type { OpinionQuestion } from '../core/opinion/opinion-question.ts';
import { costOf, type GivenOpinion, type OpinionOutcome } from '../core/vocabulary/opinion.ts';
import type { Policy } from '../core/vocabulary/policy.ts';
import type { ActContext } from './act.ts';
import { hiddenFrom } from './hidden-from.ts';
import { runEnvironment } from './run-environment.ts';

export interface AskedInRun<Answer> {
  /** Null: nobody was asked. */
  readonly outcome: OpinionOutcome<Answer> | null;
  /** Why nobody was asked. */
  readonly why: string;
}

/** The text as a model may see it. What a question quotes must be redacted before its quotes can be checked. */
export async function redactorOf({ redact, env }: ActContext): Promise<(text: string) => string> {
  if (redact !== undefined) return redact;
  const { createRedactor } = await import('../record/redaction/redact.ts');
  const redactor = createRedactor({ environment: env });
  return (text) => redactor.redact(text);
}

export async function askInRun<Answer>(
  context: ActContext,
  question: OpinionQuestion<Answer>,
): Promise<AskedInRun<Answer>> {
  const { state, journal, now, signal } = context;
  const { options, policy } = state;
  const choice = options.opinion ?? { type: 'none' };
  const given = (journal?.state() ?? state).opinions;
  const prompt = (await redactorOf(context))(question.prompt);
  const promptHash = createHash('sha256').update(prompt).digest('hex');
  const answered = given.find((one) => one.promptHash === promptHash && one.outcome.type === 'answered');
  if (answered !== undefined) return { outcome: answered.outcome as OpinionOutcome<Answer>, why: '' };
  const left = opinionBudget(given, policy);
  if (typeof left === 'string') return { outcome: null, why: left };
  const { openProvider } = await import('../agents/opinion/open-provider.ts');
  const provider = openProvider(choice, {
    env: runEnvironment(context),
    passed: [...options.environment, ...(state.agent.env ?? [])],
    cwd: null,
    cover: (folder) => hiddenFrom(context, [folder]),
  });
  if (typeof provider === 'string') return { outcome: null, why: provider };
  const { askOpinion } = await import('../agents/opinion/ask-opinion.ts');
  const begun = now();
  const limits = { deadlineMs: policy.opinion_ms, costUsd: left };
  const outcome = await askOpinion({ ...question, prompt }, provider, limits, signal);
  await journal?.submit({
    type: 'opinion_given',
    at: now(),
    version: 1,
    outcome,
    attempt: state.attempts.length,
    durationMs: now() - begun,
    promptHash,
  });
  return { outcome, why: '' };
}

/** The dollars that are left for another question, or why there is none. */
export function opinionBudget(
  given: readonly GivenOpinion[],
  { opinion_questions, opinion_cost_usd }: Pick<Policy, 'opinion_questions' | 'opinion_cost_usd'>,
): number | string {
  if (given.length >= opinion_questions)
    return opinion_questions === 0
      ? 'the policy opinion_questions is 0'
      : `the run has asked ${given.length} questions, as many as opinion_questions allows`;
  const spent = given.reduce((sum, { outcome }) => sum + (costOf(outcome) ?? 0), 0);
  return spent < opinion_cost_usd
    ? opinion_cost_usd - spent
    : `the opinions of the run cost $${spent.toFixed(3)}, and opinion_cost_usd allows no more`;
}
