/**
 * What can happen to a run: the lines of its journal. Two kinds share one union:
 *   facts      come from outside (the world, people, time, outcomes of commands); `step` is called with them
 *   decisions  are what the core chose; they are journaled with the fact that caused them and only folded on replay
 * so that a new version of the deciding code never rewrites what was decided before.
 */
import type { Blocker, BlockerCode } from './blocker.ts';
import type { AgentPolicies } from './detect/agent-limits.ts';
import type { ClassPolicies } from './class-policy.ts';
import type { Diagnosis } from './diagnosis.ts';
import type { ComposeFacts } from './gates/compose-facts.ts';
import type { Proposal } from './gates/proposal.ts';
import type { RepositoryRules } from './gates/rules.ts';
import type { TestCounts } from './gates/test-counts.ts';
import type { HoldNotice } from './fleet/hold.ts';
import type { MissionPlan } from './mission.ts';
import type { Life } from './run-state.ts';
import type { FailureClass, Phase, Stage, Strategy } from './failure-class.ts';
import type { MatchedLesson, ShownLesson } from './lesson.ts';
import type { Policy } from './policy.ts';
import type { Question } from './question.ts';
import type { Signal } from './signal.ts';
import type { SinkSpec, Task } from './task.ts';
import type { Usage } from './transcript.ts';

export const EVENT_VERSION = 1;

/** An incident is named by what happened, or by the blocker that stopped the work at a gate. */
export type IncidentClass = FailureClass | BlockerCode;

export interface AgentChoice {
  readonly name: string;
  /** The command line of a program that is not a known agent. */
  readonly command: readonly string[];
  readonly model: string | null;
}

export interface RunOptions {
  readonly inPlace: boolean;
  readonly includeDirty: boolean;
  readonly autoResume: boolean;
  readonly fallbacks: readonly AgentChoice[];
  /** Commands and tools the person allowed beyond the default, recorded. */
  readonly permissions: readonly string[];
  readonly setup: string | null;
  readonly ignoredToCopy: readonly string[];
  readonly nodeModules: 'link' | 'copy' | 'setup';
  /** Environment variables the task names, passed to the agent. */
  readonly environment: readonly string[];
  /** The rehearsal agent's script. */
  readonly script: string | null;
  /** The team's patterns as configured, checked at the border. */
  readonly patterns?: readonly unknown[];
  /** A model for what the rules cannot explain; its key or login stays where it is. */
  readonly recovery?:
    | {
        readonly provider: 'anthropic' | 'openai';
        readonly url: string;
        readonly model: string;
        readonly keyVariable: string;
      }
    | { readonly provider: 'claude'; readonly command: readonly string[]; readonly model: string | null };
  /** The agent looks first and proposes scope and checks. */
  readonly explore?: boolean;
  /** Nothing happens before a worker takes the run. */
  readonly queued?: boolean;
  /** What `mayday.yaml` says about single classes; absent in journals of older versions. */
  readonly classes?: ClassPolicies;
  /** What it says about the thresholds of single agents and models; absent in journals of older versions. */
  readonly agentPolicy?: AgentPolicies;
}

export interface PartialWork {
  readonly created: readonly string[];
  readonly changed: readonly string[];
  readonly deleted: readonly string[];
  readonly completed: readonly string[];
  readonly missing: readonly string[];
  readonly delivered: boolean;
}

export interface CheckResult {
  readonly command: string;
  readonly exitCode: number | null;
  readonly passed: boolean;
  readonly timedOut: boolean;
  readonly durationMs: number;
  readonly outputHash: string;
  readonly outputTail: string;
  /** Of the tree it ran in. */
  readonly tree: string;
  /** `base`: the candidate with the base's versions of test files the task does not own; `composed`: merged with the moved target. */
  readonly variant: 'candidate' | 'base' | 'composed';
  /** In the `base` variant: what is as before the work. */
  readonly asBefore?: readonly string[];
  /** Tests that ran, as the runner itself counts them; null or absent: it does not say. */
  readonly tests?: TestCounts | null;
  /** 1, 2, 3... where a failing check was run again; every run is kept. */
  readonly run?: number;
}

export interface CheckpointFact {
  readonly number: number;
  readonly state: 'complete' | 'partial' | 'failed';
  readonly tree: string;
  readonly commit: string;
  readonly missing: readonly { readonly path: string; readonly why: string }[];
  readonly reason: string;
}

export type EndedBy = 'itself' | 'mayday' | 'person' | 'unobserved';

/** How an attempt ended, from outside. */
export interface ExitFacts {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly outOfMemory: boolean;
  readonly endedBy: EndedBy;
  /** When the process really ended, by the attendant's note; it is noticed a moment later. */
  readonly exitedAt: number | null;
}

/** What was learned about an ended attempt before anybody decides. */
export interface Examination {
  readonly claimsDone: boolean;
  /** The agent's own last words, listed as a claim. */
  readonly claim: string | null;
  readonly diagnosis: Diagnosis | null;
  readonly partialWork: PartialWork;
  readonly checkpoint: CheckpointFact | null;
  readonly inFlight: string | null;
  /** Exact calls that were repeated or failed, for "do not repeat". */
  readonly repeated: readonly { readonly call: string; readonly times: number; readonly result: string }[];
  readonly deniedTools: readonly string[];
  readonly agentSession: string | null;
  readonly raised: {
    readonly reason: string;
    readonly code: string | null;
    readonly question: string | null;
    readonly options: readonly string[];
    /** What of a note that does not fit could be read. */
    readonly evidence?: readonly string[];
  } | null;
  readonly configChanged: readonly string[];
  readonly unknownLines: number;
  /** What an exploring attempt proposes. */
  readonly proposal?: Proposal | null;
}

export interface Recovery {
  readonly strategy: Strategy;
  readonly phase: Phase;
  readonly returnTo: Stage | null;
  /** In words that a person can read. */
  readonly reason: string;
  /** Milliseconds since the epoch at which the next attempt may start; null: at once. */
  readonly notBefore: number | null;
  /** Counts against the restart budget. Waiting for others never does. */
  readonly counted: boolean;
  /** Start in a new agent session although the old one could be resumed. */
  readonly freshSession: boolean;
  readonly hint: string | null;
  readonly agent: AgentChoice | null;
}

interface Facts {
  run_created: {
    readonly task: Task;
    readonly policy: Policy;
    readonly agent: AgentChoice;
    readonly options: RunOptions;
    readonly repository: string;
    readonly by: string;
  };
  workspace_prepared: {
    readonly kind: 'worktree' | 'in-place' | 'plain';
    readonly path: string;
    readonly baseCommit: string | null;
    readonly baseTree: string;
    readonly branch: string | null;
    readonly warnings: readonly string[];
    readonly setup: {
      readonly command: string;
      readonly exitCode: number | null;
      readonly durationMs: number;
      readonly outputTail: string;
    } | null;
    readonly configHash: string;
    /** Policies and decisions of the repository, at the base. */
    readonly rules?: RepositoryRules;
    /** What the scope names and the base no longer has. */
    readonly staleScope?: readonly string[];
  };
  checks_finished: {
    readonly purpose: 'baseline' | 'gate';
    readonly tree: string;
    readonly results: readonly CheckResult[];
    readonly changed: readonly string[];
    readonly compose?: ComposeFacts;
  };
  attempt_started: {
    readonly attempt: number;
    readonly agent: string;
    readonly agentVersion: string | null;
    readonly agentSession: string | null;
    readonly level: string;
    /** The container handle, as plain data of the platform; opaque here. */
    readonly handle: unknown;
  };
  attempt_ended: { readonly attempt: number; readonly exit: ExitFacts };
  attempt_examined: { readonly attempt: number; readonly examination: Examination };
  attempt_unkillable: { readonly attempt: number; readonly evidence: readonly string[] };
  signal_raised: { readonly attempt: number; readonly signal: Signal };
  usage_reported: { readonly attempt: number; readonly usage: Usage };
  progress_observed: { readonly attempt: number; readonly kind: string; readonly detail: string };
  checkpoint_taken: { readonly attempt: number; readonly checkpoint: CheckpointFact };
  checkpoint_restored: {
    readonly number: number;
    readonly restored: number;
    readonly kept: readonly string[];
    readonly by: string;
  };
  /** `salvage`: an abandoned run's work, kept on a branch of its own. */
  work_delivered: {
    readonly ref: string | null;
    readonly files: readonly string[];
    readonly salvage: boolean;
    readonly commit?: string | null;
    readonly warnings?: readonly string[];
    readonly tree?: string;
  };
  /** What lies inside the scope, as a tree of its own; the rest stays in the checkpoint. */
  work_split: { readonly from: string; readonly tree: string; readonly left: readonly string[] };
  /** The work stands on the current target now; conflicts carry markers in the workspace. */
  work_rebased: {
    readonly baseCommit: string;
    readonly baseTree: string;
    readonly conflicts: readonly string[];
    readonly checkpoint: CheckpointFact;
  };
  delivery_blocked: { readonly blocker: Blocker };
  /** A command could not be performed: the world failed us. */
  command_failed: {
    readonly command: string;
    readonly code: string;
    readonly message: string;
    readonly advice: readonly (readonly [string, string])[];
  };
  timer_fired: { readonly name: string };
  /** Something that is not this run's fault keeps it from starting agents. `attempt`: its start was not carried out for it. */
  held: { readonly hold: HoldNotice; readonly attempt: number | null };
  hold_lifted: { readonly key: string; readonly why: string };
  /** This run is the one that noticed that several fail alike, and asks for all of them. */
  shared_cause_found: {
    readonly key: string;
    readonly runs: readonly string[];
    readonly cause: string;
  };
  /** The machine slept or its clock was moved: that time counts against nobody. */
  clock_jumped: { readonly sleptMs: number; readonly jumpedMs: number };
  /** A person (or policy, at a question's deadline) takes the run over into phase 4. */
  rescue_requested: { readonly by: string; readonly plan: MissionPlan };
  /** The duty of a mission is done: a lesson, or the reason why there is none. */
  mission_enriched: {
    readonly mission: string;
    readonly contextUpdates: readonly string[];
    readonly reason: string | null;
    readonly by: string;
  };
  /** A worker took the run from the queue. */
  work_begun: { readonly by: string };
  taken_over: { readonly from: string; readonly why: string };
  stop_requested: { readonly by: string; readonly reason: string };
  resume_requested: { readonly by: string; readonly note: string };
  flag_raised: { readonly by: string; readonly reason: string };
  accept_requested: { readonly by: string; readonly note: string };
  abandon_requested: { readonly by: string; readonly reason: string };
  question_answered: {
    readonly question: string;
    readonly option: string;
    readonly note: string;
    readonly by: string;
  };
  /** Approved lessons that fit what the run is about to decide; each time the whole list anew. */
  lessons_matched: { readonly lessons: readonly MatchedLesson[] };
  /** What a rescued incident taught, waiting for a person to approve it. */
  lesson_proposed: { readonly lesson: string; readonly title: string; readonly incident: string | null };
  released: Record<never, never>;
}

interface Decisions {
  incident_opened: {
    readonly incident: string;
    readonly class: IncidentClass;
    readonly detectedAt: number;
    readonly attempt: number;
  };
  incident_diagnosed: { readonly incident: string; readonly diagnosis: Diagnosis };
  recovery_decided: { readonly incident: string; readonly recovery: Recovery };
  attempt_planned: {
    readonly attempt: number;
    readonly incident: string | null;
    readonly agent: AgentChoice;
    readonly resume: boolean;
    readonly brief: string;
    readonly counted: boolean;
    /** In the brief; absent in journals from before lessons. */
    readonly lessons?: readonly ShownLesson[];
  };
  incident_resolved: {
    readonly incident: string;
    readonly outcome: 'resolved' | 're-escalated' | 'abandoned';
    readonly proof: string;
  };
  blocked: { readonly blockers: readonly Blocker[] };
  gate_asked: { readonly tree: string };
  delivery_decided: {
    readonly sink: SinkSpec;
    readonly tree: string;
    readonly unverified: boolean;
    readonly salvage: string | null;
    /** Ledger ids of the approvals that this uses up. */
    readonly approvals?: readonly string[];
  };
  gate_passed: {
    readonly stage: Stage;
    readonly tree: string;
    readonly reason: string;
    readonly approvals?: readonly string[];
  };
  question_asked: { readonly question: Question; readonly incident: string | null };
  stop_decided: { readonly attempt: number; readonly why: string; readonly by: EndedBy };
  waiting: { readonly for: 'time' | 'host'; readonly until: number | null; readonly reason: string };
  ended: { readonly state: 'delivered' | 'unverified' | 'abandoned'; readonly reason: string };
  noted: { readonly text: string };
  /** An attempt that was planned and parked may start now. */
  attempt_released: { readonly attempt: number; readonly why: string };
  /** A command that the machine could not perform is asked for again. */
  command_retried: { readonly command: string; readonly life: Life };
  mission_started: {
    readonly mission: string;
    readonly incident: string | null;
    readonly owner: string;
    readonly plan: MissionPlan;
    readonly detectedAt: number;
  };
  mission_closed: {
    readonly mission: string;
    readonly outcome: 'resolved' | 're-escalated' | 'abandoned';
  };
}

type Union<T> = { [K in keyof T]: { readonly type: K; readonly at: number } & T[K] }[keyof T];
export type Fact = Union<Facts>;
export type Decision = Union<Decisions>;
export type RunEvent = Fact | Decision;
