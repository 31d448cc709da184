/**
 * The state of a run: the fold of its journal and nothing else.
 *
 *   queued -> preparing -> working <-> stopping -> examining -> checking -> delivering -> delivered | unverified
 *                             ^                        |            |            |
 *                             +---- waiting (time, host, person) <--+------------+      any -> abandoned
 *
 * `preparing` covers workspace and baseline; `working` begins when an attempt is planned, before its process exists.
 */
import type { Blocker } from '../vocabulary/blocker-rule.ts';
import type { Diagnosis } from '../vocabulary/diagnosis.ts';
import type { RootCauseLog } from './root-cause-log.ts';
import type {
  AgentChoice,
  CheckpointFact,
  CheckResult,
  EndedBy,
  Examination,
  IncidentClass,
  PartialWork,
  Recovery,
  RunOptions,
} from '../vocabulary/event.ts';
import type { Stage } from '../vocabulary/class-rule.ts';
import type { MatchedLesson, ShownLesson } from '../vocabulary/lesson.ts';
import type { Approval } from '../vocabulary/approval.ts';
import type { Proposal } from '../vocabulary/examination.ts';
import type { RepositoryRules } from '../vocabulary/rules.ts';
import type { HoldNotice } from '../vocabulary/hold.ts';
import type { Life } from '../vocabulary/life.ts';
import type { Mission } from '../vocabulary/mission.ts';
import type { Policy } from '../vocabulary/policy.ts';
import type { Answer, Question } from '../vocabulary/question.ts';
import type { Signal } from '../vocabulary/signal.ts';
import type { Budget, SinkSpec, Task } from '../vocabulary/task.ts';
import type { Usage } from '../vocabulary/transcript.ts';
import type { Forgery } from '../vocabulary/word.ts';

export interface Attempt {
  readonly number: number;
  readonly agent: AgentChoice;
  readonly incident: string | null;
  readonly resumed: boolean;
  readonly counted: boolean;
  readonly plannedAt: number;
  readonly brief: string;
  readonly lessons: readonly ShownLesson[];
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** Time in its life that passed for nobody: the machine slept, or its clock was moved. */
  readonly lostMs: number;
  /** When the journal last heard of the run before another keeper took it over; null: no keeper did in this life. */
  readonly heardAt: number | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly endedBy: EndedBy | null;
  /** What Mayday itself stopped it for. */
  readonly stoppedFor: { readonly class: IncidentClass; readonly reason: string } | null;
  readonly outOfMemory: boolean;
  readonly exitedAt: number | null;
  readonly agentVersion: string | null;
  readonly agentSession: string | null;
  readonly level: string | null;
  readonly homeHidden: boolean;
  readonly homeShown: string | null;
  readonly asRoot: boolean;
  readonly handle: unknown;
  /** A person said that its processes are gone where Mayday could not see them. */
  readonly declaredGone?: { readonly by: string; readonly at: number };
  /** The flag that stopped it. */
  readonly flagged: { readonly by: string; readonly reason: string; readonly at: number } | null;
  readonly signals: readonly Signal[];
  readonly usage: Usage | null;
  readonly progressAt: number | null;
  readonly examination: Examination | null;
}

export interface Incident {
  readonly id: string;
  readonly class: IncidentClass;
  readonly attempt: number;
  readonly detectedAt: number;
  readonly diagnosedAt: number | null;
  readonly decidedAt: number | null;
  /** An incident may outlast several attempts; the first decision is `decidedAt`. */
  readonly lastDecidedAt: number | null;
  readonly resumedAt: number | null;
  readonly verifiedAt: number | null;
  readonly diagnosis: Diagnosis | null;
  readonly rootCauses: RootCauseLog;
  /** Every decision taken in it, oldest first. */
  readonly recoveries: readonly Recovery[];
  readonly outcome: 'resolved' | 're-escalated' | 'abandoned' | null;
  readonly proof: string | null;
}

export interface AskedQuestion {
  readonly question: Question;
  readonly incident: string | null;
  readonly answer: Answer | null;
}

export interface Workspace {
  readonly kind: 'worktree' | 'in-place' | 'plain';
  readonly path: string;
  readonly baseCommit: string | null;
  /** The base is the person's uncommitted work on top of the branch. */
  readonly includesDirty?: boolean;
  readonly baseTree: string;
  readonly branch: string | null;
  readonly warnings: readonly string[];
  readonly configHash: string;
}

export interface RecordedCheck extends CheckResult {
  readonly ledgerId: string;
  readonly at: number;
  readonly purpose: 'baseline' | 'gate';
}

/** The work on its way through the gates to the sink. A new attempt makes other work: it begins with `NO_DELIVERY`. */
export interface Delivery {
  /** What stands in the way now. */
  readonly blockers: readonly Blocker[];
  /** A part of the work that stands for the whole. */
  readonly split: { readonly tree: string; readonly left: readonly string[] } | null;
  /** What passed every gate and may go to the sink. */
  readonly passed: {
    readonly tree: string;
    readonly unverified: boolean;
    /** Of the approvals that this delivery uses. */
    readonly approvals?: readonly string[];
    readonly decidedAt: number;
    /** Commit of the target branch that the gate saw. */
    readonly target?: string;
  } | null;
  /** Failed deliveries since the last answer. */
  readonly tries: number;
  /** By a person, as it is. */
  readonly accepted: { readonly by: string; readonly note: string } | null;
}

export const NO_DELIVERY: Delivery = { blockers: [], split: null, passed: null, tries: 0, accepted: null };

/** What a person asked of the run and is not done yet. */
export interface Asked {
  /** It could not be stopped at once. */
  readonly stop: { readonly by: string; readonly reason: string } | null;
  /** The run ends for good as soon as nothing of it lives. */
  readonly abandon: { readonly by: string; readonly reason: string } | null;
}

export const NOTHING_ASKED: Asked = { stop: null, abandon: null };

export interface RunState {
  readonly runId: string;
  readonly task: Task;
  readonly policy: Policy;
  readonly agent: AgentChoice;
  readonly options: RunOptions;
  readonly repository: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly seq: number;
  readonly stage: Stage;
  readonly life: Life;
  readonly workspace: Workspace | null;
  readonly attempts: readonly Attempt[];
  readonly incidents: readonly Incident[];
  readonly checkpoints: readonly (CheckpointFact & { readonly at: number })[];
  readonly checks: readonly RecordedCheck[];
  readonly questions: readonly AskedQuestion[];
  readonly scope: { readonly allowed: readonly string[]; readonly by: string };
  readonly partialWork: PartialWork;
  readonly delivered: {
    readonly ref: string | null;
    readonly files: readonly string[];
    readonly commit?: string | null;
    readonly warnings?: readonly string[];
    readonly notes?: readonly string[];
  } | null;
  /** Where the work goes: the task's sink, unless an answer chose another. */
  readonly sink: SinkSpec;
  readonly approvals: readonly Approval[];
  /** Tree of a checkpoint that a person brought back, until something newer is saved. */
  readonly restored: string | null;
  /** Commits that deliveries of this run put on a branch. */
  readonly deliveries: readonly string[];
  readonly delivery: Delivery;
  readonly rules: RepositoryRules;
  readonly staleScope: readonly string[];
  /** `looking`: the agent explores; `proposed`: a person or policy must confirm. */
  readonly explore: 'off' | 'looking' | 'proposed' | 'confirmed';
  readonly proposal: Proposal | null;
  /** Decisions taken during the run, by a person. */
  readonly judgments: readonly { readonly question: string; readonly answer: string; readonly by: string }[];
  readonly asked: Asked;
  /** What keeps this run from starting agents and is not its fault. */
  readonly holds: readonly HoldNotice[];
  /** Holds older than this do not concern the run: a person said "go on" in spite of them. */
  readonly holdsOverruledAt: number;
  readonly missions: readonly Mission[];
  /** Restarts before this moment are forgiven by a person's answer. */
  readonly forgivenAt: number;
  readonly budget: Budget;
  readonly progressAt: number;
  readonly notes: readonly { readonly at: number; readonly text: string }[];
  /** Approved lessons that fit now. */
  readonly lessons: readonly MatchedLesson[];
  /** Ids of the lessons that this run proposed. */
  readonly proposed: readonly string[];
  /** Of letters that were heard, also of those that came too late. */
  readonly nonces: readonly string[];
  /** Words and rows that were refused because they had no proof. */
  readonly forgeries: readonly (Forgery & { readonly at: number })[];
}

export function currentAttempt(state: RunState): Attempt | undefined {
  return state.attempts.at(-1);
}

/** A process of the run exists as far as anybody saw. */
export function liveAttempt(state: RunState): Attempt | undefined {
  const attempt = state.attempts.at(-1);
  return attempt !== undefined && attempt.startedAt !== null && attempt.endedAt === null
    ? attempt
    : undefined;
}

/** Planned, but parked before its process came to be. */
export function parkedAttempt(state: RunState): Attempt | undefined {
  const attempt = state.attempts.at(-1);
  return attempt !== undefined &&
    attempt.startedAt === null &&
    attempt.endedAt === null &&
    state.life.type === 'waiting' &&
    state.life.failed === null
    ? attempt
    : undefined;
}

/** Parked, and nobody is asked anything: it may start as soon as nothing holds it. */
export function readyAttempt(state: RunState): Attempt | undefined {
  return state.life.type === 'waiting' && state.life.for !== 'person' ? parkedAttempt(state) : undefined;
}

/** Stopped by a person and waiting for their `resume`; nothing is asked. */
export function isStopped({ life }: RunState): boolean {
  return life.type === 'waiting' && life.stopped !== undefined;
}

export function openMission(state: RunState): Mission | undefined {
  return state.missions.findLast((mission) => mission.outcome === null);
}

export function openIncident(state: RunState): Incident | undefined {
  return state.incidents.findLast((incident) => incident.outcome === null);
}

export function openQuestion({ life, questions }: RunState): AskedQuestion | undefined {
  const open = life.type === 'waiting' ? life.question : null;
  return open === null ? undefined : questions.findLast(({ question }) => question.id === open);
}
