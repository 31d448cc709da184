/** `Facts`: what comes from outside the core. Journals are kept for ever: add entries, never rename one. */
import type { Isolation } from '../isolation.ts';
import type { AgentChoice, RunOptions } from '../run-options.ts';
import type { Blocker } from '../blockers/blocker-rule.ts';
import type { CheckResult, CheckpointFact } from '../work.ts';
import type { ComposeFacts } from './compose-facts.ts';
import type { Examination, ExitFacts, Told } from './examination.ts';
import type { HoldNotice } from '../hold.ts';
import type { MatchedLesson } from '../lesson.ts';
import type { MissionPlan } from '../mission.ts';
import type { GivenOpinion } from '../opinion.ts';
import type { Policy } from '../policy.ts';
import type { ChangedJudge, FileProof, UnrelatedFile } from '../proof.ts';
import type { RepositoryRules } from '../rules.ts';
import type { Signal } from '../signal.ts';
import type { Task } from '../task.ts';
import type { Usage } from '../transcript.ts';
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
    /** The policies and decisions of the repository, at the base. */
    readonly rules?: RepositoryRules;
    /** What the scope names although the base no longer has it. */
    readonly staleScope?: readonly string[];
  };
  checks_finished: {
    readonly purpose: 'baseline' | 'gate';
    readonly tree: string;
    readonly results: readonly CheckResult[];
    readonly changed: readonly string[];
    readonly compose?: ComposeFacts;
    /** At the gate: the changed files that judge, and how far the checks prove each changed file. Absent in older journals. */
    readonly judges?: readonly ChangedJudge[];
    readonly fileProof?: readonly FileProof[];
    /** At the gate: the changed files that the task does not explain, in the opinion of a model. */
    readonly unrelated?: readonly UnrelatedFile[];
  };
  attempt_started: Partial<Omit<Isolation, 'level'>> & {
    readonly attempt: number;
    readonly agent: string;
    readonly agentVersion: string | null;
    readonly agentSession: string | null;
    /** What contains its processes: control group, process namespace, or process group. */
    readonly level: string;
    /** The container handle as plain data. Only the platform reads it. */
    readonly handle: unknown;
    /** Why they could see Mayday's home, in the words of the machine. */
    readonly homeShown?: string;
    /** The agent can be told something while it works. */
    readonly takesNudges?: true;
    /** The earlier conversation was damaged. `isKept`: the agent goes on with a mended copy; otherwise it starts anew. */
    readonly damage?: { readonly isKept: boolean; readonly why: string };
  };
  attempt_ended: { readonly attempt: number; readonly exit: ExitFacts };
  attempt_examined: { readonly attempt: number; readonly examination: Examination };
  /** A person declares that processes are gone which the keeper cannot see from this machine. */
  agent_declared_gone: Proven & { readonly attempt: number; readonly by: string; readonly note: string };
  attempt_unkillable: { readonly attempt: number; readonly evidence: readonly string[] };
  signal_raised: { readonly attempt: number; readonly signal: Signal };
  /** The agent took the nudge that was left for it. */
  nudge_heard: { readonly attempt: number };
  usage_reported: { readonly attempt: number; readonly usage: Usage };
  /** `changedAt`: when it came about; absent in older journals. */
  progress_observed: {
    readonly attempt: number;
    readonly kind: string;
    readonly detail: string;
    readonly changedAt?: number;
  };
  /** The agent told something while it worked. It is a claim. `line`: its place in the notes of the attempt. */
  agent_told: { readonly attempt: number } & Told;
  checkpoint_taken: Proven & { readonly attempt: number; readonly checkpoint: CheckpointFact };
  /** `restored`: how many files were written. `kept`: newer files that no checkpoint has. */
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
    /** What happened to the agent's own commits, and which hooks were not run. */
    readonly notes?: readonly string[];
    readonly tree?: string;
  };
  /** A host that lost the run came back, and kept what only its disk had on a branch. */
  work_salvaged: Proven & { readonly host: string; readonly ref: string; readonly repository: string };
  /** The part of the work inside the scope, as a tree of its own. The rest stays in the checkpoint. */
  work_split: { readonly from: string; readonly tree: string; readonly left: readonly string[] };
  /** The work is now based on the current target. Files in conflict have markers in the workspace. */
  work_rebased: {
    readonly baseCommit: string;
    readonly baseTree: string;
    readonly conflicts: readonly string[];
    readonly checkpoint: CheckpointFact;
  };
  delivery_blocked: {
    readonly blocker: Blocker;
    /** The commit that is on the run's branch although a later step of the sink failed. */
    readonly commit?: string;
    /** The target moved after the gate saw it. */
    readonly targetMoved?: true;
  };
  /** A command failed because of the machine. */
  command_failed: {
    readonly command: string;
    readonly code: string;
    readonly message: string;
    readonly advice: readonly (readonly [string, string])[];
  };
  timer_fired: { readonly name: string };
  /** A hold keeps this run from starting agents. `attempt`: the attempt that was not started because of it. */
  held: { readonly hold: HoldNotice; readonly attempt: number | null };
  hold_lifted: { readonly key: string; readonly why: string };
  /** This run noticed that several runs fail alike. It asks one question for all of them. */
  shared_cause_found: {
    readonly key: string;
    readonly runs: readonly string[];
    readonly cause: string;
    /** The run that asked about it before and ended without an answer. */
    readonly asker?: string;
  };
  /** The machine slept or its clock was changed. That time counts against no run. */
  clock_jumped: { readonly sleptMs: number; readonly jumpedMs: number };
  /** A person, or the policy at a question's deadline, takes the run over into phase 4. */
  rescue_requested: Proven & { readonly by: string; readonly plan: MissionPlan };
  /** The owner of a mission recorded a lesson, or the reason why there is none. */
  mission_enriched: Proven & {
    readonly mission: string;
    readonly contextUpdates: readonly string[];
    readonly reason: string | null;
    readonly by: string;
  };
  /** A worker took the run from the queue. */
  work_begun: { readonly by: string };
  /** Another keeper keeps the run now. `from`: the one before. */
  taken_over: {
    readonly from: string;
    readonly why: string;
    /** The run came from this host of the fleet. `isLost`: it was not heard any more while it held the run. */
    readonly host?: { readonly id: string; readonly name: string; readonly isLost: boolean };
  };
  /** `withinMs`: the agent is killed if it has not ended by then. Absent: the policy says how long it has. */
  stop_requested: Proven & { readonly by: string; readonly reason: string; readonly withinMs?: number };
  resume_requested: Proven & { readonly by: string; readonly note: string };
  flag_raised: Proven & { readonly by: string; readonly reason: string };
  accept_requested: Proven & { readonly by: string; readonly note: string };
  /** The run is off the lists. Its worktree and raw output are gone; its story, evidence and checkpoints stay. */
  run_removed: Proven & { readonly by: string };
  abandon_requested: Proven & { readonly by: string; readonly reason: string };
  question_answered: Proven & {
    readonly question: string;
    readonly option: string;
    readonly note: string;
    readonly by: string;
    /** The reader of old journals sets it: no `answer_applied` follows, so the changes are computed again. */
    readonly version?: 1;
  };
  /** The approved lessons that fit what the run is about to decide. Each fact carries the whole list. */
  lessons_matched: { readonly lessons: readonly MatchedLesson[] };
  /** A lesson from a rescued incident. It waits for a person's approval. */
  lesson_proposed: { readonly lesson: string; readonly title: string; readonly incident: string | null };
  /** A model was asked, and this came of it. It decides nothing. */
  opinion_given: Omit<GivenOpinion, 'at'> & { readonly version: 1 };
  /** A person's request no longer fits the run. It is kept so that the same letter is not accepted later. */
  word_came_late: { readonly word: string; readonly by: string; readonly nonce: string };
  /** A process wrote a row of the record that only Mayday or a person may write. Mayday did not act on it. */
  forgery_refused: Forgery;
  /** The command `release` is done: the ended run needs its workspace no more. */
  released: Record<never, never>;
}
