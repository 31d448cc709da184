/** `ClassRule`: everything that Mayday knows about one class of failures. The rows stand in `classes/`. */
import type { HoldKind } from './hold.ts';
import type { Question } from './question.ts';
import type { OptionWords } from './resolution.ts';

export type Strategy = 'wait' | 'resume' | 'restart' | 'reassign' | 'escalate';
export type Phase = 1 | 2 | 3 | 4;
export type Stage = 'explore' | 'build' | 'compose' | 'materialize';
/** Who else is hit by the same cause: it decides whether one run is held or many. */
export type FailureScope = 'session' | 'agent' | 'account' | 'host';
export type Category =
  | 'missing_context'
  | 'ambiguous_spec'
  | 'constraint_conflict'
  | 'capability_gap'
  | 'environment';
export type Concern = 'code' | 'scope' | 'policy' | 'verification' | 'judgment' | 'sink' | 'environment';

/** `retry`: as it was; `hint`: resumed with what failed; `fresh`: a new agent session with a brief. */
export const RUNG_NAMES = ['retry', 'hint', 'fresh'] as const;
export type RungName = (typeof RUNG_NAMES)[number];

/** Of the classic recovery report; always shown, also at zero, in this order. */
export const REPORT_REASONS = [
  'Interrupted (SIGINT)',
  'Timeout',
  'Model API error',
  'Git/forge error',
  'Permission error',
  'Unknown',
] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

export interface ClassRule {
  /** What it looks like, for the reference. */
  readonly sign: string;
  readonly transient: boolean;
  /** Recoverable without a person. */
  readonly recoverable: boolean;
  readonly firstPhase: Phase;
  readonly strategy: Strategy;
  readonly returnTo: Stage | null;
  readonly scope: FailureScope;
  readonly category: Category;
  readonly concern: Concern;
  /** Tried before a person is asked, one per failed attempt of the same incident; empty: a person is asked at once. */
  readonly rungs: readonly RungName[];
  /** What a person is asked when the rungs are used up. */
  readonly question: ClassWords | ((about: FailureAsked) => OwnQuestion | ClassWords);
  /** What to do now. */
  readonly advice: (named: Named) => Advice;
  /** What such failures often hide, each with the test that would confirm it. `{host}`: who did not answer. */
  readonly hypotheses: readonly (readonly [cause: string, test: string])[];
  /** Told to the agent in place of the advice. */
  readonly hint?: string;
  /** Where it is counted in the classic report; absent: under its own name. */
  readonly reason?: ReportReason;
  /** Nobody's fault in this run: waited for, never counted, and every run with the same far end waits along. */
  readonly hold?: HoldKind;
  /** Holds that are over where this happens: only a run that got past their cause can fail like this. */
  readonly disproves?: readonly HoldKind[];
  /** Deaths and broken surroundings can be shared with other runs; what an agent wrote or claims is its own. */
  readonly isShareable?: true;
  /** Caused by the machine or by a signal from outside: another agent would meet the same. */
  readonly meetsEveryAgent?: true;
  /** The agent was stopped because nothing came from it any more. */
  readonly isSilence?: true;
  /** Only Mayday itself can observe it; a model cannot claim it. */
  readonly isObserved?: true;
  /** It explains a failing test, build or program from outside it. */
  readonly isOutside?: true;
  /** A message of a compiler or linter can mean it; the words of other classes may be quoted code. */
  readonly inDiagnostics?: true;
  /** It can be why a package could not be fetched. */
  readonly stopsDownloads?: true;
  /** Its text may tell when it ends. */
  readonly tellsReset?: true;
  /** It stays recoverable however often it was tried. */
  readonly isPatient?: true;
}

/** What the failure names: each a phrase for a sentence, never empty. */
export interface Named {
  readonly where: string;
  readonly again: string;
  readonly host: string;
  readonly path: string;
  readonly message: string;
  readonly thing: string;
  /** ` NAME` of the failing test, or nothing. */
  readonly test: string;
  /** Files in conflict. */
  readonly conflicts: readonly string[];
}

/** The plan if it can be recovered, otherwise the steps for a person and why it is theirs. */
export interface Advice {
  readonly plan: string;
  readonly steps: readonly string[];
  readonly actions: readonly string[];
  readonly escalation: string;
}

export interface ClassWords {
  /** The decision, as a question. */
  readonly asks: string;
  readonly retry: OptionWords;
  readonly revise?: OptionWords;
  /** The machine or an account is at fault, and only a person can mend that. */
  readonly isTheirs?: boolean;
}

export type OwnQuestion = Pick<Question, 'kind' | 'text' | 'options' | 'recommended'>;

/** What a question may name of the run. */
export interface FailureAsked {
  readonly cause: string;
  /** Names of variables that the agent looks for, and that were not passed. */
  readonly withheld: readonly string[];
  readonly deniedTools: readonly string[];
  readonly budget: string;
}

const FROM_CHECKPOINT = 'a new attempt goes on from the checkpoint, with a fresh restart budget';
export const TOLD = 'the agent goes on from the checkpoint and is told so; say how with --note';
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

export function askToStart(asks: string): ClassWords {
  return { asks, retry: tryAgain('start it once more'), revise: otherwise };
}

/** For what the output does not explain. */
export const tryOnceMore: ClassRule['advice'] = ({ again }) => ({
  plan: 'Try once more and keep the whole output; then ask the recovery agent.',
  steps: ['Read the whole output.'],
  actions: [again],
  escalation: 'nothing in the output names a cause',
});

export const NOT_IN_OUTPUT: ClassRule['hypotheses'] = [
  ['the cause is not in this output', 'run it again with more verbose output'],
];
