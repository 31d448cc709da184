/** `evolveWork`: folds an event into the work: workspace, checks, checkpoints, gates, delivery. */
import type { RunEvent } from '../vocabulary/events/event.ts';
import { evolveChanges } from './evolve-changes.ts';
import { foldConfirmedProposal } from './journal-v1/fold-answer.ts';
import type { Proposal } from '../vocabulary/events/examination.ts';
import { NO_RULES } from '../vocabulary/rules.ts';
import { firstDecidedAt } from './life-after.ts';
import { NO_DELIVERY, NOTHING_ASKED, type RunState } from './run-state.ts';
import type { PartialWork } from '../vocabulary/work.ts';

export const NO_WORK: PartialWork = {
  created: [],
  changed: [],
  deleted: [],
  completed: [],
  missing: [],
  delivered: false,
};

export function evolveWork(state: RunState, event: RunEvent): RunState {
  switch (event.type) {
    case 'workspace_prepared': {
      const { kind, path, baseCommit, baseTree, branch, warnings, configHash } = event;
      const includesDirty = event.includesDirty === true;
      return {
        ...state,
        stage: 'build',
        workspace: { kind, path, baseCommit, baseTree, branch, warnings, configHash, includesDirty },
        rules: event.rules ?? NO_RULES,
        staleScope: event.staleScope ?? [],
      };
    }
    case 'checks_finished': {
      const { purpose, results, at } = event;
      const recorded = results.map((result, index) => ({
        ...result,
        purpose,
        at,
        ledgerId: checkLedgerId(state.runId, state.seq, index),
      }));
      const { judges = [], fileProof: proof = [], unrelated = [] } = event;
      const atGate = purpose === 'gate' ? { judges, proof, unrelated } : {};
      return { ...state, ...atGate, checks: [...state.checks, ...recorded] };
    }
    case 'checkpoint_taken':
      return withCheckpoint(state, event.checkpoint, event.at);
    case 'attempt_examined': {
      const { checkpoint, partialWork } = event.examination;
      const proposal = event.examination.proposal ?? null;
      const next = { ...state, partialWork, ...explored(state, proposal) };
      const saved = checkpoint === null ? next : withCheckpoint(next, checkpoint, event.at);
      // An exploring attempt does no work: what it wrote stays in the checkpoint and is not the candidate.
      return event.examination.undone === undefined
        ? saved
        : { ...saved, partialWork: NO_WORK, restored: state.workspace?.baseTree ?? null };
    }
    case 'checkpoint_restored':
      return {
        ...state,
        restored: state.checkpoints.find(({ number }) => number === event.number)?.tree ?? null,
        delivery: { ...state.delivery, split: null, passed: null },
        notes: [...state.notes, { at: event.at, text: `checkpoint ${event.number} restored by ${event.by}` }],
      };
    case 'attempt_planned':
      return {
        ...state,
        stage: state.explore === 'looking' ? 'explore' : 'build',
        delivery: NO_DELIVERY,
        asked: NOTHING_ASKED,
      };
    case 'gate_asked':
      return { ...state, delivery: { ...state.delivery, passed: null } };
    case 'gate_passed': {
      const next = evolveChanges(used(state, event.approvals), event.changes ?? {});
      return {
        ...next,
        // A journal of version 1 does not tell what its policy confirmed.
        ...(event.changes === undefined && event.stage === 'build' && state.explore === 'proposed'
          ? foldConfirmedProposal(state, 'policy')
          : {}),
        stage: event.stage,
        progressAt: event.at,
        delivery: { ...next.delivery, blockers: [] },
      };
    }
    case 'blocked': {
      const stage = event.blockers[0]?.stage ?? state.stage;
      return { ...state, stage, delivery: { ...state.delivery, blockers: event.blockers } };
    }
    case 'delivery_decided': {
      const { tree, unverified, salvage, approvals = [], target } = event;
      const decidedAt = firstDecidedAt(state, event);
      const passed = { tree, unverified, approvals, decidedAt, ...(target === undefined ? {} : { target }) };
      return {
        ...used(state, approvals),
        stage: 'materialize',
        delivery: salvage === null ? { ...state.delivery, passed } : state.delivery,
      };
    }
    case 'work_delivered':
      return event.salvage
        ? withDelivery(state, event.commit)
        : {
            ...withDelivery(state, event.commit),
            delivered: {
              ref: event.ref,
              files: event.files,
              commit: event.commit ?? null,
              warnings: event.warnings ?? [],
              ...(event.notes === undefined ? {} : { notes: event.notes }),
            },
          };
    case 'delivery_blocked':
      return {
        ...withDelivery(state, event.commit),
        delivery: { ...state.delivery, tries: state.delivery.tries + 1 },
      };
    case 'work_split':
      return { ...state, delivery: { ...state.delivery, split: { tree: event.tree, left: event.left } } };
    case 'work_rebased':
      return withCheckpoint(
        {
          ...state,
          delivery: { ...state.delivery, split: null },
          workspace:
            state.workspace === null
              ? null
              : { ...state.workspace, baseCommit: event.baseCommit, baseTree: event.baseTree },
        },
        event.checkpoint,
        event.at,
      );
    // Delivered work has passed every stage, so nothing blocks it.
    case 'ended':
      return event.state === 'abandoned'
        ? state
        : { ...state, delivery: { ...state.delivery, blockers: [] } };
    default:
      return state;
  }
}

function withDelivery(state: RunState, commit: string | null = null): RunState {
  return commit === null || state.deliveries.includes(commit)
    ? state
    : { ...state, deliveries: [...state.deliveries, commit] };
}

export function checkLedgerId(runId: string, seq: number, index: number): string {
  return `${runId}.${seq}.check.${index + 1}`;
}

function withCheckpoint(
  state: RunState,
  checkpoint: RunState['checkpoints'][number] | Omit<RunState['checkpoints'][number], 'at'>,
  at: number,
): RunState {
  const known = state.checkpoints.some(({ number }) => number === checkpoint.number);
  return known
    ? state
    : { ...state, restored: null, checkpoints: [...state.checkpoints, { ...checkpoint, at }] };
}

function explored(state: RunState, proposal: Proposal | null): Partial<RunState> {
  return state.explore === 'looking' && proposal !== null ? { proposal, explore: 'proposed' } : {};
}

function used(state: RunState, ids: readonly string[] = []): RunState {
  if (ids.length === 0) return state;
  return {
    ...state,
    approvals: state.approvals.map((one) => (ids.includes(one.id) ? { ...one, used: true } : one)),
  };
}
