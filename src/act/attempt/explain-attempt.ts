/**
 * `explainAttempt`: says why an attempt failed. It asks in turn: the agent's own error, the team's patterns, the rules over the output,
 * and last a model where the person allowed one.
 */
import type { Verdict } from '../../agents/adapter.ts';
import { needsRecoveryAgent } from '../../core/diagnose/confidence.ts';
import type { Pattern } from '../../core/diagnose/patterns/pattern.ts';
import { observedDiagnosis } from '../../core/decide/recovery/incident-diagnosis.ts';
import type { Diagnosis, DiagnosisInput } from '../../core/vocabulary/diagnosis.ts';
import type { PartialWork, RunOptions } from '../../core/vocabulary/events/event.ts';
import type { Attempt } from '../../core/state/run-state.ts';
import type { ActContext } from '../act.ts';
import { hiddenFrom } from '../hidden-from.ts';
import { runEnvironment } from '../run-environment.ts';

interface Explaining {
  readonly attempt: Attempt;
  readonly verdict: Verdict;
  readonly output: string;
  readonly work: PartialWork;
  readonly workspace: string;
  readonly context: ActContext;
}

export async function explainAttempt(explaining: Explaining): Promise<Diagnosis | null> {
  const { attempt, output, work, workspace, context } = explaining;
  const { failure } = explaining.verdict;
  if (failure !== null && failure.class !== 'unknown' && failure.class !== 'crashed') {
    return {
      ...observedDiagnosis(failure.class, failure.reason, failure.evidence),
      retryAt: failure.retryAt,
      ...(failure.retryExactToMs === undefined ? {} : { retryExactToMs: failure.retryExactToMs }),
    };
  }
  if (output.trim() === '') return null;
  const { options } = context.state;
  const input: DiagnosisInput = {
    output,
    exitCode: attempt.exitCode,
    signal: attempt.signal,
    command: attempt.agent.command.join(' ') || null,
    work: {
      completed: work.completed,
      missing: work.missing,
      changed: work.created.length + work.changed.length > 0,
    },
    nowMs: context.now(),
    get timeZone() {
      return timeZone();
    },
  };
  const { diagnose } = await import('../../core/diagnose/diagnose.ts');
  const plain = diagnose(input, await patternsOf(options.patterns));
  return needsRecoveryAgent(plain)
    ? await askRecoveryAgent(plain, input, workspace, options.recovery, context)
    : plain;
}

/** Undefined: the team has none of its own. */
async function patternsOf(own: RunOptions['patterns']): Promise<readonly Pattern[] | undefined> {
  if (own === undefined) return undefined;
  const { readPatterns } = await import('../../context/patterns.ts');
  const read = readPatterns(own);
  return read.type === 'read' ? read.patterns : [];
}

/** Keeps the diagnosis of the rules unless the model's diagnosis passes every check. */
async function askRecoveryAgent(
  plain: Diagnosis,
  input: DiagnosisInput,
  workspace: string,
  allowed: RunOptions['recovery'],
  context: ActContext,
): Promise<Diagnosis> {
  const { env, signal } = context;
  if (allowed === undefined) return plain;
  const { RECOVERY_LIMITS, recover } = await import('../../agents/recovery/recovery-agent.ts');
  if (allowed.provider === 'claude') {
    const { recoverWithCli } = await import('../../agents/recovery/recover-with-cli.ts');
    const { command, model } = allowed;
    const cli = { command, model, env: runEnvironment(context), ...hiddenFrom(context, [workspace]) };
    return (await recoverWithCli(plain, input, workspace, cli, RECOVERY_LIMITS, signal)).diagnosis;
  }
  const apiKey = env[allowed.keyVariable];
  if (apiKey === undefined || apiKey === '') return plain;
  const provider = { type: allowed.provider, url: allowed.url, model: allowed.model, apiKey };
  return (await recover(plain, input, workspace, provider, RECOVERY_LIMITS, signal)).diagnosis;
}

export function timeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
