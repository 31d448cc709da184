/** `Refusal`: why a use-case did nothing, as data. Nothing was recorded or changed; each door words it itself. */
import type { Question } from '../core/vocabulary/questions/question.ts';
import type { RunState } from '../core/state/run-state.ts';
import type { IndexedLesson } from '../supervise/lessons/lesson-index.ts';

interface OfRun {
  readonly runId: string;
}

interface OfMission {
  readonly mission: string;
}

/** Every reason with what it is about. */
interface Refusals {
  run_ended: OfRun & {
    readonly asked: AskedOfEnded;
    readonly life: Extract<RunState['life'], { type: 'ended' }>;
  };
  run_not_ended: OfRun;
  not_working: OfRun;
  /** `isKept`: false: its keeper is gone, and the words of a person came with the resume. */
  already_working: OfRun & { readonly isKept: boolean };
  not_rescued: OfRun;
  no_workspace: OfRun;
  no_checkpoint: OfRun & { readonly wanted: string };
  flag_needs_reason: OfRun;
  accept_needs_note: OfRun;
  /** `waivable`: the open question in which a person can say that nothing has to change. */
  nothing_to_deliver: OfRun & { readonly waivable: Question | null };
  work_in_worktree: OfRun & { readonly path: string };
  work_not_saved: { readonly path: string; readonly why: string };
  unknown_question: { readonly name: string };
  /** `asks`: the question that is open instead. `goesOnInMs`: how long the run still waits by itself. */
  question_closed: OfRun & {
    readonly name: string;
    readonly asks: string | null;
    readonly goesOnInMs: number | null;
  };
  unknown_option: { readonly question: Question; readonly wanted: string };
  answer_needs_note: { readonly question: Question; readonly option: string };
  rescue_file_unusable: { readonly path: string; readonly why: string };
  rescue_under_way: OfRun & OfMission & { readonly owner: string };
  unknown_mission: OfMission;
  mission_under_way: OfMission & { readonly owner: string };
  mission_closed: OfMission;
  mission_owes: OfMission;
  lesson_not_approved: {
    readonly lesson: string;
    readonly status: IndexedLesson['standing']['status'];
    readonly why: string;
  };
  unknown_hold: { readonly id: string; readonly active: readonly string[] };
}

/** What can be asked of a run only while it has not ended. */
export type AskedOfEnded = 'resume' | 'accept' | 'abandon' | 'rescue' | 'restore' | 'checkpoint';

export type Refused<B extends keyof Refusals> = {
  [K in B]: { readonly type: 'refused'; readonly because: K } & Refusals[K];
}[B];

export type Refusal = Refused<keyof Refusals>;

export function runEnded(asked: AskedOfEnded, { runId, life }: RunState): Refused<'run_ended'> | null {
  return life.type === 'ended' ? { type: 'refused', because: 'run_ended', runId, asked, life } : null;
}
