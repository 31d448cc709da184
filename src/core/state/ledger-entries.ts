/** `ledgerEntries`: the evidence that an event adds to the ledger. A gate accepts no other evidence. */
import type { RunEvent } from '../vocabulary/events/event.ts';
import { keyText } from '../vocabulary/blockers/blocker-key.ts';
import { checkLedgerId } from './evolve-work.ts';
import { type Approval, approvalId } from '../vocabulary/questions/approval.ts';
import { lastCheckpoint } from './last-tree.ts';
import type { RunState } from './run-state.ts';
import type { Proof, Proven } from '../vocabulary/events/word.ts';

export interface EvidenceRecord {
  readonly id: string;
  readonly kind: 'check' | 'answer' | 'acceptance' | 'scope' | 'approval' | 'delivery';
  readonly payload: Readonly<Record<string, unknown>>;
}

/** `after`: the state after this event and before the next. */
export function ledgerEntries(after: RunState, event: RunEvent): readonly EvidenceRecord[] {
  const { runId, seq } = after;
  const attempt = after.attempts.length;
  const entry = (kind: EvidenceRecord['kind'], payload: EvidenceRecord['payload']): EvidenceRecord => ({
    id: `${runId}.${seq}.${kind}`,
    kind,
    payload: { run: runId, attempt, ...payload },
  });
  const tree = lastCheckpoint(after)?.tree ?? null;
  switch (event.type) {
    case 'run_created':
      return [scopeEntry(after)];
    case 'checks_finished':
      return event.results.map((result, index) => {
        const { command, exitCode, passed, timedOut, durationMs, outputHash, tree: of, variant } = result;
        const seen = { command, exitCode, passed, timedOut, durationMs, outputHash, tree: of, variant };
        const found = entry('check', { ...seen, purpose: event.purpose });
        return { ...found, id: checkLedgerId(runId, seq, index) };
      });
    case 'question_answered': {
      const { question, option, note, by } = event;
      return [
        entry('answer', { question, option, note, by, tree, ...provenBy(event) }),
        ...(event.version === 1 ? version1Entries(after, option) : []),
      ];
    }
    case 'answer_applied': {
      const { approval, scope } = event.changes;
      return [
        ...(approval === undefined ? [] : [approvalEntry(runId, approval)]),
        ...(scope === undefined || approval !== undefined ? [] : [scopeEntry(after)]),
      ];
    }
    case 'accept_requested':
      return [entry('acceptance', { by: event.by, note: event.note, tree, ...provenBy(event) })];
    case 'work_delivered': {
      const { ref, commit = null, files, salvage } = event;
      return [entry('delivery', { ref, commit, files: files.length, salvage, tree: event.tree ?? null })];
    }
    default:
      return [];
  }
}

/** Older journals do not tell the proof, and their ledgers stay as they are. */
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

/** The approval of an answer, bound to run, attempt, tree and question. The gate requires all of them. */
function approvalEntry(run: string, approval: Approval): EvidenceRecord {
  const { id, question, option, by, note, tree, attempt, keys } = approval;
  return {
    id,
    kind: 'approval',
    payload: { run, attempt, tree, question, option, lifts: keys.map(keyText), by, note },
  };
}

function version1Entries(after: RunState, option: string): EvidenceRecord[] {
  const id = approvalId(after.runId, after.seq);
  return [
    ...after.approvals.filter((one) => one.id === id).map((one) => approvalEntry(after.runId, one)),
    ...(option === 'expand_scope' ? [scopeEntry(after)] : []),
  ];
}
