/** Which facts become evidence: check results, a person's answers and acceptances. What is not here opens no gate. */
import type { Fact } from './event.ts';
import { checkLedgerId } from './evolve.ts';
import type { RunState } from './run-state.ts';

export interface EvidenceRecord {
  readonly id: string;
  readonly kind: 'check' | 'answer' | 'acceptance' | 'scope';
  readonly payload: Readonly<Record<string, unknown>>;
}

/** `after` is the state that has folded the fact, and nothing decided on it yet. */
export function ledgerEntries(after: RunState, fact: Fact): readonly EvidenceRecord[] {
  const { runId, seq } = after;
  const attempt = after.attempts.length;
  switch (fact.type) {
    case 'run_created':
      return [
        {
          id: `${runId}.${seq}.scope`,
          kind: 'scope',
          payload: { run: runId, allowed: after.scope.allowed, by: after.scope.by },
        },
      ];
    case 'checks_finished':
      return fact.results.map((result, index) => {
        const { command, exitCode, passed, timedOut, durationMs, outputHash, tree, variant } = result;
        const payload = {
          run: runId,
          attempt,
          command,
          exitCode,
          passed,
          timedOut,
          durationMs,
          outputHash,
          tree,
          variant,
          purpose: fact.purpose,
        };
        return { id: checkLedgerId(runId, seq, index), kind: 'check', payload };
      });
    case 'question_answered': {
      const { question, option, note, by } = fact;
      const tree = after.checkpoints.at(-1)?.tree ?? null;
      return [
        {
          id: `${runId}.${seq}.answer`,
          kind: 'answer',
          payload: { run: runId, attempt, question, option, note, by, tree },
        },
      ];
    }
    case 'accept_requested': {
      const tree = after.checkpoints.at(-1)?.tree ?? null;
      return [
        {
          id: `${runId}.${seq}.acceptance`,
          kind: 'acceptance',
          payload: { run: runId, attempt, by: fact.by, note: fact.note, tree },
        },
      ];
    }
    default:
      return [];
  }
}
