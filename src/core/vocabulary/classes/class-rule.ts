/** `ClassRule`, `ruleColumns`: everything that Mayday knows about one failure class. The rows are in `classes/`. */
import type { HoldKind } from '../hold.ts';
import type { Question } from '../questions/question.ts';
import type { OptionId, OptionWords } from '../questions/resolution.ts';

export type Strategy = 'wait' | 'resume' | 'restart' | 'reassign' | 'escalate';
export type Phase = 1 | 2 | 3 | 4;
export type Stage = 'explore' | 'build' | 'compose' | 'materialize';
/** What else the same cause affects. It decides whether one run is held or many. */
export type FailureScope = 'session' | 'agent' | 'account' | 'host';
export type Category =
  | 'missing_context'
  | 'ambiguous_spec'
  | 'constraint_conflict'
  | 'capability_gap'
  | 'environment';
/** Where nothing speaks for one of the five, that is said. */
export type DiagnosedCategory = Category | 'unknown';
export type Concern = 'code' | 'scope' | 'policy' | 'verification' | 'judgment' | 'sink' | 'environment';

/** `retry`: goes on unchanged. `hint`: goes on and is told what failed. `fresh`: a new agent session with a brief. */
export const RUNG_NAMES = ['retry', 'hint', 'fresh'] as const;
export type RungName = (typeof RUNG_NAMES)[number];

/** The reasons of the classic recovery report. It always shows all of them in this order, also those with a count of zero. */
export const REPORT_REASONS = [
  'Interrupted (SIGINT)',
  'Timeout',
  'Model API error',
  'Git/forge error',
  'Permission error',
  'Unknown',
] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

/** What a diagnosis takes over from the rule of its class. */
export function ruleColumns({ transient, category, concern, returnTo, scope }: ClassRule) {
  return { transient, category, concern, returnTo, scope };
}

export interface ClassRule {
  /** What it looks like, for the reference pages. */
  readonly sign: string;
  /** What belongs to it, in one line, for a model that is asked. Absent: only Mayday can observe it. */
  readonly definition?: string;
  readonly transient: boolean;
  /** Recoverable without a person. */
  readonly recoverable: boolean;
  readonly firstPhase: Phase;
  readonly strategy: Strategy;
  readonly returnTo: Stage | null;
  readonly scope: FailureScope;
  readonly category: Category;
  readonly concern: Concern;
  /**
   * The rungs that are tried before a person is asked, one per failed attempt of the same incident. If empty, a person is asked at once.
   */
  readonly rungs: readonly RungName[];
  /** What a person is asked when the rungs are used up. */
  readonly question: ClassWords | ((about: FailureAsked) => OwnQuestion | ClassWords);
  /** What the agent or a person should do now. If absent, the output does not explain the failure: it is tried once more. */
  readonly advice?: (named: Named) => Advice;
  /** Frequent causes of such failures, each with the test that would confirm it. `{host}`: the host that did not answer. */
  readonly hypotheses: readonly (readonly [cause: string, test: string])[];
  /** The agent is told this instead of the advice. */
  readonly hint?: string;
  /** The reason under which the classic report counts it. If absent, the class is its own reason. */
  readonly reason?: ReportReason;
  /** The cause lies outside the run: the run waits, nothing is counted, and every run that needs the same service waits too. */
  readonly hold?: HoldKind;
  /** The holds that this failure ends: only a run for which their cause is gone can fail like this. */
  readonly disproves?: readonly HoldKind[];
  /** Several runs can share this failure (crashes, broken environments). What an agent wrote or claims concerns only its own run. */
  readonly isShareable?: true;
  /** Runs share it where it names the same path or thing of this machine: a person is asked once for all of them. */
  readonly isSharedByName?: true;
  /** The machine or a signal from outside causes it, so another agent would meet it too. */
  readonly meetsEveryAgent?: true;
  /** The agent was stopped because it gave no output any more. */
  readonly isSilence?: true;
  /** Only Mayday can observe it; a model cannot claim it. */
  readonly isObserved?: true;
  /** It lies outside the failing test, build or program, and explains the failure. */
  readonly isOutside?: true;
  /** A message of a compiler or linter can mean this class. The signs of other classes may be quoted code there. */
  readonly inDiagnostics?: true;
  /** It can be why a package could not be fetched. */
  readonly stopsDownloads?: true;
  /** Its text may tell when it ends. */
  readonly tellsReset?: true;
  /**
   * What proves that an incident is past: `progress` of a later attempt, or a `gate` that no longer says it. Absent: a later attempt that
   * made progress and did not end with it.
   */
  readonly pastBy?: 'progress' | 'gate';
  /** It stays recoverable however often it was tried. */
  readonly isPatient?: true;
}

/** The names that the failure contains, each as a phrase for a sentence, never empty. */
export interface Named {
  readonly where: string;
  /** `where` is a place in the code; otherwise it is a line of the output. */
  readonly isPlaced: boolean;
  readonly again: string;
  readonly host: string;
  /** The host is this machine: what listens there is started, a pause alone brings nothing up. */
  readonly isLocal: boolean;
  readonly path: string;
  readonly message: string;
  readonly thing: string;
  /** ` NAME` of the failing test, or nothing. */
  readonly test: string;
  /** Files in conflict. */
  readonly conflicts: readonly string[];
  /** It may pass by itself; a certificate that is not trusted does not. */
  readonly isTransient: boolean;
}

/** The plan if it is recoverable, otherwise the steps for a person and why a person must take them. */
export interface Advice {
  readonly plan: string;
  readonly steps: readonly string[];
  readonly actions: readonly string[];
  readonly escalation: string;
}

export interface ClassWords {
  /** Begins the question, before the cause. If absent: that the run stopped. */
  readonly opens?: string;
  /** The decision, as a question. */
  readonly asks: string;
  readonly retry: OptionWords;
  readonly revise?: OptionWords;
  /** The machine or an account causes the failure, and only a person can mend that. */
  readonly isTheirs?: boolean;
}

export interface OwnQuestion extends Pick<Question, 'kind' | 'text' | 'options'> {
  /** Recommended if it is safe; without it the first safe option is (`questions/recommended.ts`). */
  readonly preferred?: OptionId;
}

/** What a question may say about the run. */
export interface FailureAsked {
  readonly cause: string;
  /** Of the cause, what the program said itself; the cause where that is not known. */
  readonly said: string;
  /** The names of variables that the agent looks for and that were not passed. */
  readonly withheld: readonly string[];
  readonly deniedTools: readonly string[];
  readonly budget: string;
  /** An attempt of the run changed a file or made other progress. */
  readonly hasWorked: boolean;
}

const FROM_CHECKPOINT =
  'one attempt goes on from the checkpoint; if it fails in the same way without progress, you are asked again';
export const TOLD = 'the agent goes on from the checkpoint and is told so; say how in a note';
const otherwise: OptionWords = ['let the agent go about it another way', TOLD];

export function tryAgain(label: string): OptionWords {
  return [label, FROM_CHECKPOINT];
}

export function askTheAgent(asks: string): ClassWords {
  return { asks, retry: tryAgain('let the agent try once more'), revise: otherwise };
}

export function askToMend(asks: string, mended: string): ClassWords {
  return { asks, retry: tryAgain(mended), isTheirs: true };
}

export const START_AGAIN = 'Start it once more, let the agent go about it another way, or end it for good?';

export function askToStart(asks: string = START_AGAIN): ClassWords {
  return { asks, retry: tryAgain('start it once more'), revise: otherwise };
}

export const NOT_IN_OUTPUT: ClassRule['hypotheses'] = [
  ['the cause is not in this output', 'run it again with more verbose output'],
];
