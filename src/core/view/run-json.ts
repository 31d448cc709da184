/** `runJson`: the public document of a run: `run --json`, `show RUN --json`, the read model. Keys are promised: add, never rename. */
import { blockerEvidence } from '../vocabulary/blockers/blocker-evidence.ts';
import { isStopped, type Attempt, type Incident, type RunState } from '../state/run-state.ts';
import { bindingHold } from '../vocabulary/hold.ts';
import type { SinkSpec } from '../vocabulary/task.ts';
import { totalUsage } from '../state/usage.ts';
import { isolationOf, isolationWords } from '../vocabulary/isolation.ts';
import { iso, missionJson } from './mission-json.ts';
import { nextStep } from './next-step.ts';
import {
  type LimitAhead,
  costPerHour,
  lastProgressAt,
  lineWord,
  limitsAhead,
  movedSpans,
  silenceLimits,
  whyLine,
  workingNote,
} from './run-line.ts';
import { stateWord } from './state-word.ts';
import { whyParts } from './held-words.ts';
import { waitSpans } from './wait-spans.ts';
import { unsavedFiles } from '../gates/unsaved-work.ts';
import { opinionsJson } from './opinions-json.ts';
import { proofJson } from './proof-json.ts';
import { questionJson } from './question-json.ts';

/** A run that is probed every few minutes for a week waits that often; the journal has the older ones. */
const MAX_WAITS = 200;

export function runJson(state: RunState) {
  const { tokens, costUsd, turns } = totalUsage(state);
  return {
    run_id: state.runId,
    task: state.task.text,
    agent: state.agent.name,
    state: stateWord(state),
    /** For lists: the state, or what is more urgent than it, and one sentence why. */
    word: lineWord(state),
    why: whyLine(state),
    /** Where several things keep it: each of them, what decides first; `why` tells them in one sentence. */
    why_parts: whyParts(state),
    /** Beside what the agent does: what is notable about its work; empty: nothing. */
    note: workingNote(state),
    limits: limitsAhead(state).map(limitJson),
    /** How long the agent that works now may be silent before it counts as stalled. */
    silence_ms: silenceLimits(state),
    stage: state.stage,
    outcome_reason: state.life.type === 'ended' || state.life.type === 'waiting' ? state.life.reason : null,
    /** What other runs or this host hold it for, beside its own reason. */
    holds: state.holds.map(({ key, kind, until, reason, holder }) => ({
      key,
      kind,
      reason,
      owner: holder,
      until: iso(until),
    })),
    /** Of these, the one that decides when the run goes on. */
    held_by: bindingHold(state.holds)?.key ?? null,
    waiting: state.life.type === 'waiting' ? { for: state.life.for, until: iso(state.life.until) } : null,
    stopped: isStopped(state),
    created_at: iso(state.createdAt),
    updated_at: iso(state.updatedAt),
    progress_at: iso(lastProgressAt(state)),
    waits: waitSpans(state)
      .slice(-MAX_WAITS)
      .map(({ from, to, reason, for: what }) => ({ for: what, reason, from: iso(from), to: iso(to) })),
    workspace:
      state.workspace === null
        ? null
        : { kind: state.workspace.kind, path: state.workspace.path, base: state.workspace.baseCommit },
    delivered:
      state.delivered === null
        ? null
        : {
            sink: sinkName(state.sink),
            ref: state.delivered.ref,
            files: state.delivered.files,
            commit: state.delivered.commit ?? null,
            warnings: state.delivered.warnings ?? [],
            notes: state.delivered.notes ?? [],
            not_saved: unsavedFiles(state).map(({ path, why }) => ({ path, why })),
          },
    attempts: state.attempts.map((attempt) => attemptJson(state, attempt)),
    isolation: isolationJson(state),
    scope: state.scope,
    blockers: state.delivery.blockers.map((blocker) => ({
      code: blocker.code,
      stage: blocker.stage,
      returns_to: blocker.returnsTo,
      evidence: blockerEvidence(blocker),
      resolutions: blocker.resolutions,
    })),
    approvals: state.approvals.map(({ id, question, option, by, note, tree, attempt, used }) => ({
      ledger_id: id,
      question,
      option,
      by,
      note,
      tree,
      attempt,
      used,
    })),
    ...proofJson(state),
    ...opinionsJson(state),
    split: state.delivery.split,
    proposal: state.proposal,
    claims: state.attempts.flatMap(({ told, examination }) =>
      [...told.filter(({ kind }) => kind === 'progress').slice(-1), { text: examination?.claim ?? '' }]
        .filter(({ text }) => text !== '')
        .map(({ text }) => ({ text, recorded: false })),
    ),
    notes: state.notes.map(({ text }) => text),
    partial_work: { ...state.partialWork, delivered: state.delivered !== null },
    next_step: nextStep(state),
    incidents: state.incidents.map((incident) => incidentJson(state, incident)),
    missions: state.missions.map((mission) => missionJson(state.runId, mission)),
    questions: state.questions.map((asked) => questionJson(state, asked)),
    checks: state.checks.map(
      ({ command, exitCode, passed, ledgerId, purpose, variant, durationMs, tree, at }) => ({
        command,
        exit_code: exitCode,
        passed,
        ledger_id: ledgerId,
        purpose,
        variant,
        duration_ms: durationMs,
        tree,
        at: iso(at),
      }),
    ),
    checkpoints: state.checkpoints.map(({ number, state: kind, tree, at, reason, missing }) => ({
      number,
      state: kind,
      tree,
      at: iso(at),
      reason,
      missing: missing.map(({ path, why }) => ({ path, why })),
    })),
    usage: { tokens, cost_usd: costUsd, turns, cost_per_hour: costPerHour(state) },
    budget: {
      tokens: state.budget.tokens,
      cost_usd: state.budget.usd,
      turns: state.budget.turns,
      working_ms: state.budget.wallClockMs,
    },
    lessons_injected: [...new Set(state.attempts.flatMap(({ lessons }) => lessons.map(({ id }) => id)))],
    lessons_proposed: state.proposed,
    forgeries: state.forgeries.map(({ at, ...forgery }) => ({ at: iso(at), ...forgery })),
  };
}

export type RunJson = ReturnType<typeof runJson>;

export function sinkName(sink: SinkSpec): string {
  switch (sink.type) {
    case 'branch':
      return `branch:${sink.name}`;
    case 'none':
      return 'none';
    case 'directory':
      return `dir:${sink.path}`;
    case 'patch':
      return sink.file === '' ? 'patch' : `patch:${sink.file}`;
    case 'merge':
      return `merge:${sink.branch}`;
    case 'pull_request':
      return 'pr';
  }
}

function limitJson(limit: LimitAhead) {
  return 'until' in limit ? { ...limit, from: iso(limit.from), until: iso(limit.until) } : limit;
}

/** What was contained of the agent; null: none has started. */
function isolationJson({ attempts, options }: RunState) {
  const isolation = isolationOf(attempts);
  if (isolation === null) return null;
  const { processes, home, caches, open } = isolationWords(isolation);
  return {
    home_hidden: isolation.homeHidden,
    home_shown_because: attempts.find(({ homeShown }) => homeShown !== null)?.homeShown ?? null,
    container: isolation.level,
    as_root: isolation.asRoot,
    as_user: options.asUser ?? null,
    processes,
    home,
    caches,
    not_contained: open,
  };
}

function attemptJson(state: RunState, attempt: Attempt) {
  return {
    number: attempt.number,
    agent: attempt.agent.name,
    agent_version: attempt.agentVersion,
    agent_session: attempt.agentSession,
    resumed: attempt.resumed,
    started_at: iso(attempt.startedAt),
    ended_at: iso(attempt.endedAt),
    progress_at: iso(attempt.progressAt),
    /** When its work moved. A living attempt is not looked at more often than `looks_every_ms`: the time since then is not known. */
    moved: movedSpans(state, attempt).map(({ from, to }) => ({ from: iso(from), to: iso(to) })),
    looks_every_ms: state.policy.snapshot_every_ms,
    exit_code: attempt.exitCode,
    signal: attempt.signal,
    ended_by: attempt.endedBy,
    container: attempt.level,
    home_hidden: attempt.homeHidden,
    lessons: attempt.lessons,
    notes: attempt.told.flatMap(({ kind, text }) => (kind === 'note' ? [text] : [])),
    nudge:
      attempt.nudge === null
        ? null
        : {
            signal: attempt.nudge.signal,
            text: attempt.nudge.text,
            at: iso(attempt.nudge.decidedAt),
            heard_at: iso(attempt.nudge.heardAt),
          },
    signals: attempt.signals.map(({ type, severity, reason, suggestedAction, at }) => ({
      type,
      severity,
      reason,
      suggested_action: suggestedAction,
      at: iso(at),
    })),
  };
}

function incidentJson({ attempts }: RunState, incident: Incident) {
  const recovery = incident.recoveries.at(-1);
  const { diagnosis } = incident;
  return {
    id: incident.id,
    class: incident.class,
    category: diagnosis?.category ?? null,
    category_reason: diagnosis?.categoryReason ?? null,
    concern: diagnosis?.concern ?? null,
    detected_at: iso(incident.detectedAt),
    diagnosed_at: iso(incident.diagnosedAt),
    decided_at: iso(incident.decidedAt),
    resumed_at: iso(incident.resumedAt),
    verified_at: iso(incident.verifiedAt),
    phase: recovery?.phase ?? null,
    strategy: recovery?.strategy ?? null,
    return_to: recovery?.returnTo ?? diagnosis?.returnTo ?? null,
    root_cause: diagnosis?.rootCause ?? null,
    evidence: diagnosis?.evidence.map(({ text }) => text) ?? [],
    hypotheses: incident.rootCauses.hypotheses.map(({ cause, test, state, evidence }) => ({
      cause,
      test,
      state,
      evidence,
    })),
    fingerprint: diagnosis?.fingerprint ?? null,
    decisions: incident.recoveries.map(({ phase, strategy, reason, notBefore }) => ({
      phase,
      strategy,
      reason,
      not_before: iso(notBefore),
    })),
    outcome: incident.outcome,
    proof: incident.proof,
    // As it was when the attempt of this incident had ended; null while that is not known.
    partial_work:
      attempts.find(({ number }) => number === incident.attempt)?.examination?.partialWork ?? null,
  };
}
