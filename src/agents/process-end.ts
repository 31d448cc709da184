/** `processFailure`: what the end of any process means: signals, and the exit codes that shells make of them. */
import { isInterrupt, signalName } from '../core/diagnose/command/exit-status.ts';
import type { FailureClass } from '../core/vocabulary/classes/failure-class.ts';
import type { AgentFailure, AttemptFacts } from './adapter.ts';

const MAX_EVIDENCE = 5;

/** Null for exit code 0: nothing failed as far as the process is concerned. */
export function processFailure(
  facts: Pick<AttemptFacts, 'exitCode' | 'signal' | 'stderrTail'>,
): AgentFailure | null {
  const signal = signalName(facts.exitCode, facts.signal);
  if (isInterrupt(signal)) return ended('interrupted', `the agent was ended by ${signal}`, facts);
  if (signal !== null) return ended('crashed', `the agent died by ${signal}`, facts);
  if (facts.exitCode === 0) return null;
  return ended('unknown', `the agent ended with exit code ${facts.exitCode ?? 'unknown'}`, facts);
}

function ended(kind: FailureClass, reason: string, facts: Pick<AttemptFacts, 'stderrTail'>): AgentFailure {
  const shown = facts.stderrTail.split('\n').filter((line) => line.trim() !== '');
  return { class: kind, reason, evidence: shown.slice(-MAX_EVIDENCE), retryAt: null, status: null };
}
