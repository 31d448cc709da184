/**
 * `RunState`: the state of a run. It is the fold of its journal and nothing else.
 *
 *   queued -> preparing -> working <-> stopping -> examining -> checking -> delivering -> delivered | unverified
 *                             ^                        |            |            |
 *                             +---- waiting (time, host, person) <--+------------+      any -> abandoned
 *
 * `preparing` covers the workspace and the baseline; `working` begins when an attempt is planned, before its process exists.
 * `currentAttempt`, `liveAttempt`, `openIncident`, `openQuestion`: what of it is under way.
 */
import type { Isolation } from '../vocabulary/isolation.ts';
import type { Blocker } from '../vocabulary/blockers/blocker-rule.ts';
import type { Diagnosis } from '../vocabulary/diagnosis.ts';
import type { MovedSpan } from './moved-spans.ts';
import type { Wait } from './waits.ts';
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
} from '../vocabulary/events/event.ts';
import type { Stage } from '../vocabulary/classes/class-rule.ts';
import type { MatchedLesson, ShownLesson } from '../vocabulary/lesson.ts';
import type { Judgment } from '../vocabulary/questions/consequence.ts';
import type { Approval } from '../vocabulary/questions/approval.ts';
import type { Facts } from '../vocabulary/events/facts.ts';
import type { ExitFacts, Proposal, Told } from '../vocabulary/events/examination.ts';
import type { RepositoryRules } from '../vocabulary/rules.ts';
import type { HoldNotice } from '../vocabulary/hold.ts';
import type { Life } from '../vocabulary/life.ts';
import type { Mission } from '../vocabulary/mission.ts';
import type { GivenOpinion } from '../vocabulary/opinion.ts';
import type { Policy } from '../vocabulary/policy.ts';
import type { ChangedJudge, FileProof, UnrelatedFile } from '../vocabulary/proof.ts';
import type { Answer, Question } from '../vocabulary/questions/question.ts';
import type { Signal, SignalType } from '../vocabulary/signal.ts';
import type { Budget, SinkSpec, Task } from '../vocabulary/task.ts';
import type { Usage } from '../vocabulary/transcript.ts';
import type { Forgery } from '../vocabulary/events/word.ts';

export interface Attempt extends Isolation, Omit<ExitFacts, 'endedBy'> {
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
  /** The sleeps of the machine and the moves of its clock while the attempt lived; `lostMs` sums them. */
  readonly clockJumps: readonly ClockJump[];
  /** The time of the last journal line before another keeper took the run over; null if no keeper did during this attempt. */
  readonly heardAt: number | null;
  readonly endedBy: EndedBy | null;
  readonly stoppedFor: { readonly class: IncidentClass; readonly reason: string } | null;
  readonly agentVersion: string | null;
  readonly agentSession: string | null;
  readonly homeShown: string | null;
  readonly handle: unknown;
  /** A person declared that its processes are gone, because Mayday could not see them. */
  readonly declaredGone?: { readonly by: string; readonly at: number };
  /** The flag that stopped it. */
  readonly flagged: { readonly by: string; readonly reason: string; readonly at: number } | null;
  readonly signals: readonly Signal[];
  readonly takesNudges: boolean;
  /** What the agent was told before it would be stopped; `heardAt` is null until it took the message. */
  readonly nudge: Nudge | null;
  /** What the agent told while it worked, in order; claims. */
  readonly told: readonly Told[];
  readonly usage: Usage | null;
  readonly progressAt: number | null;
  /** When its work moved, oldest first. */
  readonly moved: readonly MovedSpan[];
  readonly examination: Examination | null;
}

export interface ClockJump {
  readonly sleptMs: number;
  readonly jumpedMs: number;
}

export interface Nudge {
  readonly signal: SignalType;
  readonly text: string;
  readonly decidedAt: number;
  readonly heardAt: number | null;
}

export interface Incident {
  readonly id: string;
  readonly class: IncidentClass;
  readonly attempt: number;
  readonly detectedAt: number;
  readonly diagnosedAt: number | null;
  readonly decidedAt: number | null;
  /** The time of the last decision. An incident can last several attempts; `decidedAt` is the first decision. */
  readonly lastDecidedAt: number | null;
  readonly resumedAt: number | null;
  readonly verifiedAt: number | null;
  readonly diagnosis: Diagnosis | null;
  readonly rootCauses: RootCauseLog;
  /** Every recovery decided in it, oldest first. */
  readonly recoveries: readonly Recovery[];
  readonly outcome: 'resolved' | 're-escalated' | 'abandoned' | null;
  readonly proof: string | null;
}

export interface AskedQuestion {
  readonly question: Question;
  readonly incident: string | null;
  readonly answer: Answer | null;
}

export type WorkspaceFacts = Omit<Facts['workspace_prepared'], 'setup' | 'rules' | 'staleScope'>;

export interface RecordedCheck extends CheckResult {
  readonly ledgerId: string;
  readonly at: number;
  readonly purpose: 'baseline' | 'gate';
}

/** The work between the gates and the sink. A new attempt makes other work, so it begins with `NO_DELIVERY`. */
export interface Delivery {
  readonly blockers: readonly Blocker[];
  /** The part of the work that is delivered instead of the whole. */
  readonly split: { readonly tree: string; readonly left: readonly string[] } | null;
  /** The work that passed every gate and may go to the sink. */
  readonly passed: {
    readonly tree: string;
    readonly unverified: boolean;
    /** The ids of the approvals that this delivery uses. */
    readonly approvals?: readonly string[];
    readonly decidedAt: number;
    /** The commit of the target branch that the gate saw. */
    readonly target?: string;
  } | null;
  /** The number of failed deliveries since the last answer. */
  readonly tries: number;
  readonly accepted: { readonly by: string; readonly note: string } | null;
}

export const NO_DELIVERY: Delivery = { blockers: [], split: null, passed: null, tries: 0, accepted: null };

/** What a person asked for and the run has not done yet. */
export interface Asked {
  /** A stop that could not happen at once. */
  readonly stop: { readonly by: string; readonly reason: string } | null;
  /** The run ends for good as soon as none of its processes lives. */
  readonly abandon: { readonly by: string; readonly reason: string } | null;
  /** A flag that was raised while no agent was at work: it is asked about before the next one starts. */
  readonly flag?: { readonly by: string; readonly reason: string; readonly at: number };
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
  readonly workspace: WorkspaceFacts | null;
  readonly attempts: readonly Attempt[];
  readonly incidents: readonly Incident[];
  readonly checkpoints: readonly (CheckpointFact & { readonly at: number })[];
  readonly checks: readonly RecordedCheck[];
  /** Of the last gate: the changed files that judge, how far the checks prove each changed file, and those that seem unrelated. */
  readonly judges: readonly ChangedJudge[];
  readonly proof: readonly FileProof[];
  readonly unrelated: readonly UnrelatedFile[];
  readonly questions: readonly AskedQuestion[];
  /** Oldest first. */
  readonly waits: readonly Wait[];
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
  /** The tree of the checkpoint that a person restored, until something newer is saved. */
  readonly restored: string | null;
  /** The commits that deliveries of this run put on a branch. */
  readonly deliveries: readonly string[];
  readonly delivery: Delivery;
  readonly rules: RepositoryRules;
  readonly staleScope: readonly string[];
  /** `looking`: the agent explores; `proposed`: a person or policy must confirm. */
  readonly explore: 'off' | 'looking' | 'proposed' | 'confirmed';
  readonly proposal: Proposal | null;
  readonly judgments: readonly Judgment[];
  readonly asked: Asked;
  /** The holds that keep this run from starting agents, for causes outside the run. */
  readonly holds: readonly HoldNotice[];
  /** Holds older than this do not concern the run: a person said "go on" in spite of them. */
  readonly holdsOverruledAt: number;
  /** When this run heard last that a refused login works again, or that nobody holds it any more. */
  readonly loginLiftedAt: number;
  readonly missions: readonly Mission[];
  /** Restarts before this moment are forgiven by a person's answer. */
  readonly forgivenAt: number;
  readonly budget: Budget;
  readonly progressAt: number;
  readonly notes: readonly { readonly at: number; readonly text: string }[];
  readonly lessons: readonly MatchedLesson[];
  /** The ids of the lessons that this run proposed. */
  readonly proposed: readonly string[];
  /** What models were asked about this run, oldest first. */
  readonly opinions: readonly GivenOpinion[];
  /** The nonces of the accepted letters, and of those that came too late. */
  readonly nonces: readonly string[];
  /** The letters and rows that were refused because they had no proof. */
  readonly forgeries: readonly (Forgery & { readonly at: number })[];
}

export function scopeLeft({ scope, staleScope }: RunState): readonly string[] {
  return scope.allowed.filter((glob) => !staleScope.includes(glob));
}

export function currentAttempt(state: RunState): Attempt | undefined {
  return state.attempts.at(-1);
}

/** The attempt that started and whose end was not seen yet: its process may live. */
export function liveAttempt(state: RunState): Attempt | undefined {
  const attempt = state.attempts.at(-1);
  return attempt !== undefined && attempt.startedAt !== null && attempt.endedAt === null
    ? attempt
    : undefined;
}

/** The attempt that is planned, but parked before its process was started. */
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

/** The parked attempt, if no question is open: it may start as soon as no hold keeps it. */
export function readyAttempt(state: RunState): Attempt | undefined {
  return state.life.type === 'waiting' && state.life.for !== 'person' ? parkedAttempt(state) : undefined;
}

/** True: a person stopped the run; it waits for `resume` and asks nothing. */
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
