/** The fold: one journal line into the state. It never decides and never forgets how to read an old line. */
import type { RunEvent } from './event.ts';
import { evolveAttempt } from './evolve-attempt.ts';
import { evolveIncident } from './evolve-incident.ts';
import type { Life, RunState } from './run-state.ts';
import type { Budget } from './task.ts';

/** A narrowed task gets that share of its first budget on top. */
const NARROWER_SHARE = 0.25;

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
    life: { type: 'preparing' },
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
    stopAsked: null,
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
    ...evolveIncident(evolveAttempt(before, event), event),
    seq: before.seq + 1,
    updatedAt: event.at,
  };
  switch (event.type) {
    case 'workspace_prepared': {
      const { kind, path, baseCommit, baseTree, branch, warnings, configHash } = event;
      return {
        ...state,
        stage: 'build',
        workspace: { kind, path, baseCommit, baseTree, branch, warnings, configHash },
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
      const next = { ...state, partialWork };
      return checkpoint === null ? next : withCheckpoint(next, checkpoint, event.at);
    }
    case 'attempt_planned':
      return {
        ...state,
        stage: 'build',
        blockers: [],
        stopAsked: null,
        life: { type: 'working', attempt: event.attempt },
      };
    case 'stop_decided':
      return { ...state, life: { type: 'stopping', attempt: event.attempt, why: event.why, by: event.by } };
    case 'attempt_ended':
      return { ...state, life: { type: 'examining', attempt: event.attempt } };
    case 'progress_observed':
      return { ...state, progressAt: event.at };
    case 'gate_asked':
      return { ...state, life: { type: 'checking', tree: event.tree } };
    case 'delivery_decided': {
      const { tree, unverified, salvage } = event;
      return { ...state, stage: 'materialize', life: { type: 'delivering', tree, unverified, salvage } };
    }
    case 'gate_passed':
      return { ...state, stage: event.stage, progressAt: event.at, blockers: [] };
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
    case 'stop_requested':
      return { ...state, stopAsked: { by: event.by, reason: event.reason } };
    case 'resume_requested':
      return withdraw({ ...state, stopAsked: null, forgivenAt: event.at });
    case 'accept_requested':
      return { ...state, accepted: { by: event.by, note: event.note } };
    case 'abandon_requested':
      return withdraw(state);
    case 'checkpoint_restored':
      return {
        ...state,
        notes: [...state.notes, { at: event.at, text: `checkpoint ${event.number} restored by ${event.by}` }],
      };
    case 'work_delivered':
      return event.salvage ? state : { ...state, delivered: { ref: event.ref, files: event.files } };
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
    case 'delivery_blocked':
    case 'command_failed':
    case 'timer_fired':
    case 'taken_over':
    case 'flag_raised':
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
  return known ? state : { ...state, checkpoints: [...state.checkpoints, { ...checkpoint, at }] };
}

function answered(state: RunState, event: Extract<RunEvent, { type: 'question_answered' }>): RunState {
  const { option, note, by, at } = event;
  const questions = state.questions.map((asked) =>
    asked.question.id === event.question && asked.state === 'open'
      ? { ...asked, state: 'answered' as const, answer: { option, note, by, at } }
      : asked,
  );
  return { ...state, ...widened(state, option, by), questions, forgivenAt: at };
}

/** Only a person's answer widens a limit. */
function widened(state: RunState, option: string, by: string): Partial<RunState> {
  if (option === 'expand_scope') {
    const paths = state.blockers
      .filter(({ code }) => code === 'scope_exceeded')
      .flatMap(({ evidence }) => evidence);
    return {
      scope: { allowed: [...state.scope.allowed, ...paths], by: `${state.scope.by}; widened by ${by}` },
    };
  }
  if (option === 'allow') {
    // "all" would switch every question off; that is a word for the configuration, never for an answer.
    const denied = (state.attempts.at(-1)?.examination?.deniedTools ?? []).filter((rule) => rule !== 'all');
    return { options: { ...state.options, permissions: [...state.options.permissions, ...denied] } };
  }
  if (option === 'raise_budget') return { budget: raised(state.budget, state.task.budget, 1) };
  if (option === 'revise_work' && state.incidents.at(-1)?.class === 'budget_exhausted') {
    return { budget: raised(state.budget, state.task.budget, NARROWER_SHARE) };
  }
  return {};
}

function raised(budget: Budget, by: Budget, share: number): Budget {
  const add = (now: number | null, more: number | null) => (now === null ? null : now + (more ?? 0) * share);
  return {
    tokens: add(budget.tokens, by.tokens),
    usd: add(budget.usd, by.usd),
    turns: add(budget.turns, by.turns),
    wallClockMs: add(budget.wallClockMs, by.wallClockMs),
  };
}

function withdraw(state: RunState): RunState {
  const questions = state.questions.map((asked) =>
    asked.state === 'open' ? { ...asked, state: 'withdrawn' as const } : asked,
  );
  return { ...state, questions };
}
