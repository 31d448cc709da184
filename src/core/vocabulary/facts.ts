/** Facts: what comes from outside (the world, people, time, outcomes of commands). Journals are for ever: add, never rename. */
import type { AgentChoice, RunOptions } from './run-options.ts';
import type { Blocker } from './blocker-rule.ts';
import type { CheckResult, CheckpointFact } from './work.ts';
import type { ComposeFacts } from './compose-facts.ts';
import type { Examination, ExitFacts } from './examination.ts';
import type { HoldNotice } from './hold.ts';
import type { MatchedLesson } from './lesson.ts';
import type { MissionPlan } from './mission.ts';
import type { Policy } from './policy.ts';
import type { RepositoryRules } from './rules.ts';
import type { Signal } from './signal.ts';
import type { Task } from './task.ts';
import type { Usage } from './transcript.ts';
import type { Forgery, Proven } from './word.ts';

export interface Facts {
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
    /** The base is the person's uncommitted work on top of the branch. */
    readonly includesDirty?: boolean;
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
    /** Neither the agent nor checks of its work could see Mayday's home. */
    readonly homeHidden?: boolean;
    /** Why they could, in the machine's words. */
    readonly homeShown?: string;
    readonly asRoot?: boolean;
  };
  attempt_ended: { readonly attempt: number; readonly exit: ExitFacts };
  attempt_examined: { readonly attempt: number; readonly examination: Examination };
  /** A person's word about processes that cannot be seen from where the run should go on. */
  agent_declared_gone: Proven & { readonly attempt: number; readonly by: string; readonly note: string };
  attempt_unkillable: { readonly attempt: number; readonly evidence: readonly string[] };
  signal_raised: { readonly attempt: number; readonly signal: Signal };
  usage_reported: { readonly attempt: number; readonly usage: Usage };
  progress_observed: { readonly attempt: number; readonly kind: string; readonly detail: string };
  checkpoint_taken: Proven & { readonly attempt: number; readonly checkpoint: CheckpointFact };
  checkpoint_restored: Proven & {
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
    /** What became of the agent's own commits, and which hooks were not run. */
    readonly notes?: readonly string[];
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
  delivery_blocked: {
    readonly blocker: Blocker;
    /** Is on the run's branch although a later step of the sink failed. */
    readonly commit?: string;
    /** The target is not where the gate saw it. */
    readonly targetMoved?: true;
  };
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
  rescue_requested: Proven & { readonly by: string; readonly plan: MissionPlan };
  /** The duty of a mission is done: a lesson, or the reason why there is none. */
  mission_enriched: Proven & {
    readonly mission: string;
    readonly contextUpdates: readonly string[];
    readonly reason: string | null;
    readonly by: string;
  };
  /** A worker took the run from the queue. */
  work_begun: { readonly by: string };
  taken_over: { readonly from: string; readonly why: string };
  stop_requested: Proven & { readonly by: string; readonly reason: string };
  resume_requested: Proven & { readonly by: string; readonly note: string };
  flag_raised: Proven & { readonly by: string; readonly reason: string };
  accept_requested: Proven & { readonly by: string; readonly note: string };
  /** Off the lists: its worktree and raw output are gone; story, evidence and checkpoints stay. */
  run_removed: Proven & { readonly by: string };
  abandon_requested: Proven & { readonly by: string; readonly reason: string };
  question_answered: Proven & {
    readonly question: string;
    readonly option: string;
    readonly note: string;
    readonly by: string;
    /** Set by the reader of old journals: no `answer_applied` follows, what it changed is worked out again. */
    readonly version?: 1;
  };
  /** Approved lessons that fit what the run is about to decide; each time the whole list anew. */
  lessons_matched: { readonly lessons: readonly MatchedLesson[] };
  /** What a rescued incident taught, waiting for a person to approve it. */
  lesson_proposed: { readonly lesson: string; readonly title: string; readonly incident: string | null };
  /** A person's word did not fit the run any more. Kept so that the same letter is not heard later. */
  word_came_late: { readonly word: string; readonly by: string; readonly nonce: string };
  /** Somebody wrote a row of the record that only Mayday or a person may write; nothing was done on it. */
  forgery_refused: Forgery;
  released: Record<never, never>;
}
