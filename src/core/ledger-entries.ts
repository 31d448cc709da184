/** Which facts become evidence: check results, a person's answers and acceptances. What is not here opens no gate. */
import type { Fact } from './event.ts';
import { checkLedgerId } from './evolve-work.ts';
import { approvalId } from './evolve-answer.ts';
import type { RunState } from './run-state.ts';
import type { Proof, Proven } from './word.ts';

export interface EvidenceRecord {
  readonly id: string;
  readonly kind: 'check' | 'answer' | 'acceptance' | 'scope' | 'approval' | 'delivery';
  readonly payload: Readonly<Record<string, unknown>>;
}

/** `after` is the state that has folded the fact, and nothing decided on it yet. */
export function ledgerEntries(after: RunState, fact: Fact): readonly EvidenceRecord[] {
  const { runId, seq } = after;
  const attempt = after.attempts.length;
  switch (fact.type) {
    case 'run_created':
      return [scopeEntry(after)];
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
          payload: { run: runId, attempt, question, option, note, by, tree, ...provenBy(fact) },
        },
        ...approvalOf(after),
        ...(option === 'expand_scope' ? [scopeEntry(after)] : []),
      ];
    }
    case 'accept_requested': {
      const tree = after.checkpoints.at(-1)?.tree ?? null;
      return [
        {
          id: `${runId}.${seq}.acceptance`,
          kind: 'acceptance',
          payload: { run: runId, attempt, by: fact.by, note: fact.note, tree, ...provenBy(fact) },
        },
      ];
    }
    case 'work_delivered': {
      const { ref, commit = null, files, salvage } = fact;
      const payload = {
        run: runId,
        attempt,
        ref,
        commit,
        files: files.length,
        salvage,
        tree: fact.tree ?? null,
      };
      return [{ id: `${runId}.${seq}.delivery`, kind: 'delivery', payload }];
    }
    default:
      return [];
  }
}

/** Older journals do not say it, and their ledgers stay as they are. */
function provenBy({ proof }: Proven): { readonly proof?: Proof } {
  return proof === undefined ? {} : { proof };
}

function scopeEntry({ runId, seq, scope }: RunState): EvidenceRecord {
  return {
    id: `${runId}.${seq}.scope`,
    kind: 'scope',
    payload: { run: runId, allowed: scope.allowed, by: scope.by },
  };
}

/** What the answer lifts: bound to run, attempt, tree and question; the gate takes nothing less. */
function approvalOf({ runId, seq, approvals }: RunState): EvidenceRecord[] {
  return approvals
    .filter(({ id }) => id === approvalId(runId, seq))
    .map(({ id, question, option, by, note, tree, attempt, keys }) => ({
      id,
      kind: 'approval',
      payload: { run: runId, attempt, tree, question, option, lifts: keys, by, note },
    }));
}
