/** The fold: one journal line into the state. It never decides and never forgets how to read an old line. */
import type { RunEvent } from './event.ts';
import { evolveAttempt } from './evolve-attempt.ts';
import { evolveIncident } from './evolve-incident.ts';
import { answerEffects, confirmedProposal } from './evolve-answer.ts';
import type { Proposal } from './gates/proposal.ts';
import { NO_RULES } from './gates/rules.ts';
import { evolveMission } from './evolve-mission.ts';
import type { Life, RunState } from './run-state.ts';

export function createState(runId: string, event: Extract<RunEvent, { type: 'run_created' }>): RunState {
  const { task, policy, agent, options, repository, by, at } = event;
  return {
    runId,
    task,
    policy,
    agent,
    options,
    repository,
    createdAt: at,
    updatedAt: at,
    endedAt: null,
    seq: 1,
    stage: 'explore',
    life: { type: options.queued === true ? 'queued' : 'preparing' },
    workspace: null,
    attempts: [],
    incidents: [],
    checkpoints: [],
    checks: [],
    questions: [],
    blockers: [],
    scope:
      task.scope.length > 0
        ? { allowed: task.scope, by }
        : { allowed: ['**'], by: 'default policy: the whole workspace' },
    partialWork: { created: [], changed: [], deleted: [], completed: [], missing: [], delivered: false },
    delivered: null,
    sink: task.sink,
    approvals: [],
    split: null,
    restored: null,
    passed: null,
    deliveryTries: 0,
    rules: NO_RULES,
    staleScope: [],
    explore: options.explore === true ? 'looking' : 'off',
    proposal: null,
    judgments: [],
    flagged: null,
    stopAsked: null,
    abandonAsked: null,
    failedCommand: null,
    holds: [],
    holdsOverruledAt: 0,
    missions: [],
    forgivenAt: 0,
    budget: task.budget,
    accepted: null,
    progressAt: at,
    notes: [],
    lessons: [],
    proposed: [],
    released: false,
  };
}

export function evolve(before: RunState, event: RunEvent): RunState {
  const state = {
    ...evolveMission(evolveIncident(evolveAttempt(before, event), event), event),
    seq: before.seq + 1,
    updatedAt: event.at,
  };
  switch (event.type) {
    case 'work_begun':
      return { ...state, life: { type: 'preparing' } };
    case 'workspace_prepared': {
      const { kind, path, baseCommit, baseTree, branch, warnings, configHash } = event;
      return {
        ...state,
        stage: 'build',
        workspace: { kind, path, baseCommit, baseTree, branch, warnings, configHash },
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
      return { ...state, checks: [...state.checks, ...recorded] };
    }
    case 'checkpoint_taken':
      return withCheckpoint(state, event.checkpoint, event.at);
    case 'attempt_examined': {
      const { checkpoint, partialWork } = event.examination;
      const proposal = event.examination.proposal ?? null;
      const next = { ...state, partialWork, ...explored(state, proposal) };
      return checkpoint === null ? next : withCheckpoint(next, checkpoint, event.at);
    }
    case 'attempt_planned':
      return {
        ...state,
        stage: state.explore === 'looking' ? 'explore' : 'build',
        blockers: [],
        split: null,
        passed: null,
        deliveryTries: 0,
        flagged: null,
        stopAsked: null,
        failedCommand: null,
        life: { type: 'working', attempt: event.attempt },
      };
    case 'attempt_released':
      return { ...state, life: { type: 'working', attempt: event.attempt } };
    case 'command_retried':
      return { ...state, failedCommand: null, life: event.life };
    case 'command_failed':
      return { ...state, failedCommand: { command: event.command, life: state.life } };
    case 'held': {
      const holds = [...state.holds.filter(({ key }) => key !== event.hold.key), event.hold];
      // Somebody asks the same already: one question for all.
      const doubled = state.questions.some(
        ({ state: open, question }) => open === 'open' && question.kind === event.hold.kind,
      );
      return doubled ? withdraw({ ...state, holds }) : { ...state, holds };
    }
    case 'hold_lifted':
      return { ...state, holds: state.holds.filter(({ key }) => key !== event.key) };
    case 'stop_decided':
      return { ...state, life: { type: 'stopping', attempt: event.attempt, why: event.why, by: event.by } };
    case 'attempt_ended':
      return {
        ...withdraw(state),
        holdsOverruledAt: 0,
        life: { type: 'examining', attempt: event.attempt },
      };
    case 'progress_observed':
      return { ...state, progressAt: event.at };
    case 'gate_asked':
      return { ...state, failedCommand: null, passed: null, life: { type: 'checking', tree: event.tree } };
    case 'delivery_decided': {
      const { tree, unverified, salvage, approvals = [] } = event;
      const decidedAt = firstDecided(state, tree) ?? event.at;
      return {
        ...used(state, approvals),
        stage: 'materialize',
        failedCommand: null,
        passed: salvage === null ? { tree, unverified, approvals, decidedAt } : state.passed,
        life: { type: 'delivering', tree, unverified, salvage, decidedAt },
      };
    }
    case 'gate_passed':
      return {
        ...used(state, event.approvals),
        ...(event.stage === 'build' && state.explore === 'proposed'
          ? confirmedProposal(state, 'policy')
          : {}),
        stage: event.stage,
        progressAt: event.at,
        blockers: [],
      };
    case 'blocked': {
      const stage = event.blockers[0]?.stage ?? state.stage;
      return { ...state, stage, blockers: event.blockers };
    }
    case 'question_asked': {
      const { question, incident } = event;
      const life: Life = {
        type: 'waiting',
        for: 'person',
        until: question.deadlineAt,
        reason: question.kind,
      };
      const asked = { question, incident, state: 'open' as const, answer: null };
      return { ...state, life, questions: [...state.questions, asked] };
    }
    case 'question_answered':
      return answered(state, event);
    case 'waiting':
      return {
        ...state,
        life: { type: 'waiting', for: event.for, until: event.until, reason: event.reason },
      };
    case 'flag_raised':
      return { ...state, flagged: { by: event.by, reason: event.reason, at: event.at } };
    case 'stop_requested':
      return { ...state, stopAsked: { by: event.by, reason: event.reason } };
    // A person's "go on" is stronger than any hold.
    case 'resume_requested':
    case 'mission_started':
    case 'rescue_requested':
      return withdraw({
        ...state,
        stopAsked: null,
        abandonAsked: null,
        holds: [],
        holdsOverruledAt: event.at,
        forgivenAt: event.at,
      });
    case 'accept_requested':
      return withdraw({ ...state, accepted: { by: event.by, note: event.note } });
    case 'abandon_requested':
      return withdraw({ ...state, abandonAsked: { by: event.by, reason: event.reason } });
    case 'checkpoint_restored':
      return {
        ...state,
        restored: state.checkpoints.find(({ number }) => number === event.number)?.tree ?? null,
        split: null,
        passed: null,
        notes: [...state.notes, { at: event.at, text: `checkpoint ${event.number} restored by ${event.by}` }],
      };
    case 'work_delivered':
      return event.salvage
        ? state
        : {
            ...state,
            delivered: {
              ref: event.ref,
              files: event.files,
              commit: event.commit ?? null,
              warnings: event.warnings ?? [],
            },
          };
    case 'delivery_blocked':
      return { ...state, deliveryTries: state.deliveryTries + 1 };
    case 'work_split':
      return { ...state, split: { tree: event.tree, left: event.left } };
    case 'work_rebased':
      return withCheckpoint(
        {
          ...state,
          split: null,
          workspace:
            state.workspace === null
              ? null
              : { ...state.workspace, baseCommit: event.baseCommit, baseTree: event.baseTree },
        },
        event.checkpoint,
        event.at,
      );
    case 'ended':
      return {
        ...withdraw(state),
        endedAt: event.at,
        life: { type: 'ended', state: event.state, reason: event.reason },
      };
    case 'noted':
      return { ...state, notes: [...state.notes, { at: event.at, text: event.text }] };
    case 'lessons_matched':
      return { ...state, lessons: event.lessons };
    case 'lesson_proposed':
      return state.proposed.includes(event.lesson)
        ? state
        : { ...state, proposed: [...state.proposed, event.lesson] };
    case 'released':
      return { ...state, released: true };
    case 'run_created':
    case 'attempt_started':
    case 'attempt_unkillable':
    case 'signal_raised':
    case 'usage_reported':
    case 'timer_fired':
    case 'shared_cause_found':
    case 'clock_jumped':
    case 'mission_closed':
    case 'mission_enriched':
    case 'taken_over':
    case 'incident_opened':
    case 'incident_diagnosed':
    case 'recovery_decided':
    case 'incident_resolved':
      return state;
    default:
      // A line of a newer Mayday: kept in the journal, without meaning here.
      return state;
  }
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

function answered(state: RunState, event: Extract<RunEvent, { type: 'question_answered' }>): RunState {
  const { option, note, by, at } = event;
  const asked = state.questions.find(
    ({ question, state: open }) => question.id === event.question && open === 'open',
  )?.question;
  const questions = state.questions.map((one) =>
    one.question === asked ? { ...one, state: 'answered' as const, answer: { option, note, by, at } } : one,
  );
  const abandonAsked = option === 'abandon' ? { by, reason: note } : null;
  return {
    ...state,
    ...answerEffects(state, { asked, option, note, by, at, seq: state.seq }),
    questions,
    deliveryTries: 0,
    forgivenAt: at,
    stopAsked: null,
    abandonAsked,
  };
}

/** The agent looked: what it proposes is a claim until it is confirmed. */
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

/** When this tree was first sent to a sink, if that is what is tried again. */
function firstDecided({ passed, failedCommand }: RunState, tree: string): number | undefined {
  if (passed?.tree === tree) return passed.decidedAt;
  const failed = failedCommand?.life;
  return failed?.type === 'delivering' && failed.tree === tree ? failed.decidedAt : undefined;
}

function withdraw(state: RunState): RunState {
  const questions = state.questions.map((asked) =>
    asked.state === 'open' ? { ...asked, state: 'withdrawn' as const } : asked,
  );
  return { ...state, questions };
}
