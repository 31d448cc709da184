/** `Decisions`: what the core decided, journaled with the fact that caused it. Add entries, never rename one. */
import type { AgentChoice } from '../run-options.ts';
import type { Blocker } from '../blockers/blocker-rule.ts';
import type { IncidentClass } from '../classes/incident-class.ts';
import type { Changes } from '../questions/consequence.ts';
import type { Diagnosis } from '../diagnosis.ts';
import type { EndedBy } from './examination.ts';
import type { Phase, Stage, Strategy } from '../classes/class-rule.ts';
import type { Life } from '../life.ts';
import type { Mission } from '../mission.ts';
import type { Question } from '../questions/question.ts';
import type { ShownLesson } from '../lesson.ts';
import type { SignalType } from '../signal.ts';
import type { SinkSpec } from '../task.ts';

export interface Recovery {
  readonly strategy: Strategy;
  readonly phase: Phase;
  readonly returnTo: Stage | null;
  /** In words that a person can read. */
  readonly reason: string;
  /** Milliseconds since the epoch at which the next attempt may start; null: at once. */
  readonly notBefore: number | null;
  /** Whether it counts against the restart budget. Waiting for a shared cause never counts. */
  readonly counted: boolean;
  /** Start in a new agent session although the old one could be resumed. */
  readonly freshSession: boolean;
  readonly hint: string | null;
  readonly agent: AgentChoice | null;
}

/** What confirms or refutes a hypothesis about the cause of an incident, known by its id. */
export interface HypothesisVerdict {
  readonly id: string;
  readonly evidence: string;
}

export interface Decisions {
  incident_opened: {
    readonly incident: string;
    readonly class: IncidentClass;
    readonly detectedAt: number;
    readonly attempt: number;
  };
  incident_diagnosed: {
    readonly incident: string;
    readonly diagnosis: Diagnosis;
    /** The hypothesis that it refutes; absent in older journals. */
    readonly refutes?: HypothesisVerdict | null;
  };
  recovery_decided: { readonly incident: string; readonly recovery: Recovery };
  attempt_planned: {
    readonly attempt: number;
    readonly incident: string | null;
    readonly agent: AgentChoice;
    readonly resume: boolean;
    readonly brief: string;
    readonly counted: boolean;
    /** The lessons in the brief; absent in journals from before lessons. */
    readonly lessons?: readonly ShownLesson[];
  };
  incident_resolved: {
    readonly incident: string;
    readonly outcome: 'resolved' | 're-escalated' | 'abandoned';
    readonly proof: string;
    /** The hypothesis that it confirms; absent in older journals. */
    readonly confirms?: HypothesisVerdict | null;
  };
  blocked: { readonly blockers: readonly Blocker[] };
  gate_asked: { readonly tree: string };
  delivery_decided: {
    readonly sink: SinkSpec;
    readonly tree: string;
    readonly unverified: boolean;
    readonly salvage: string | null;
    /** The ledger ids of the approvals that this delivery uses. */
    readonly approvals?: readonly string[];
    /** The commit of the target branch that the gate saw; absent if no gate ran. */
    readonly target?: string;
  };
  gate_passed: {
    readonly stage: Stage;
    readonly tree: string;
    readonly reason: string;
    readonly approvals?: readonly string[];
    /** A person waived a missing proof. */
    readonly waived?: boolean;
    /** What a policy confirmed in a person's place. */
    readonly changes?: Changes;
  };
  question_asked: { readonly question: Question; readonly incident: string | null };
  /** The new values that an answer gives the run. An answer that changes no value has no such line. */
  answer_applied: { readonly question: string; readonly option: string; readonly changes: Changes };
  /** `cause`: the reason for which Mayday stops the attempt; absent for a person's stop and in journals of older versions. */
  stop_decided: {
    readonly attempt: number;
    readonly why: string;
    readonly by: EndedBy;
    readonly cause?: { readonly class: IncidentClass; readonly reason: string };
    readonly withinMs?: number;
  };
  /** The agent is told what it does; it is stopped only if it goes on like that. */
  nudge_decided: { readonly attempt: number; readonly signal: SignalType; readonly text: string };
  /**
   * A person stopped the run; it waits for `resume`. `question`: the open question that was put aside. `reason`: a sentence that also
   * names the person.
   */
  stopped: { readonly by: string; readonly reason: string; readonly question: string | null };
  waiting: { readonly for: 'time' | 'host'; readonly until: number | null; readonly reason: string };
  ended: { readonly state: 'delivered' | 'unverified' | 'abandoned'; readonly reason: string };
  noted: { readonly text: string };
  /** An attempt that was planned and parked may start now. */
  attempt_released: { readonly attempt: number; readonly why: string };
  /** Asks again for a command that failed because of the machine. */
  command_retried: { readonly command: string; readonly life: Life };
  mission_started: Pick<Mission, 'incident' | 'owner' | 'plan' | 'detectedAt'> & { readonly mission: string };
  mission_closed: {
    readonly mission: string;
    readonly outcome: 'resolved' | 're-escalated' | 'abandoned';
  };
}
