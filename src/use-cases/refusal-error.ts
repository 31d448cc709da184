/** `refusalError`, `granted`: the error for a refusal of a use-case, with code and advice: the same words at every door. */
import { readableQuotes } from '../core/text/quote-fenced.ts';
import { answerCall } from '../core/vocabulary/questions/question.ts';
import { MaydayError, usageError } from '../platform/mayday-error.ts';
import type { AskedOfEnded, Refusal, Refused } from './refusal.ts';

const UNTOUCHED = ['did', 'nothing: the run was not touched'] as const;
const NOT_ANSWERED = ['did', 'nothing: the answer was not recorded'] as const;
const NOT_SAID = ['did', 'nothing: your word was not recorded'] as const;

/** The result, unless it is a refusal: that is thrown as its error. */
export function granted<R extends { readonly type: string }>(
  result: R | Refusal,
): Exclude<R, { readonly type: 'refused' }> {
  if (result.type === 'refused') throw refusalError(result as Refusal);
  return result as Exclude<R, { readonly type: 'refused' }>;
}

export function refusalError(refusal: Refusal): MaydayError {
  switch (refusal.because) {
    case 'run_ended':
      return usageError('RUN_ENDED', `run ${refusal.runId} has ended${howEnded(refusal)}`, [
        ['do', AFTER_END[refusal.asked](refusal.runId)],
      ]);
    case 'run_not_ended': {
      const { runId } = refusal;
      return usageError('RUN_NOT_ENDED', `run ${runId} has not ended: only an ended run can be removed`, [
        UNTOUCHED,
        ['do', `mayday abandon ${runId}, then mayday rm ${runId}`],
      ]);
    }
    case 'not_working':
      return usageError(
        'NOT_WORKING',
        `run ${refusal.runId} is not working now, so there is nothing to stop`,
        [
          ['did', 'nothing: the flag was not raised'],
          ['do', `mayday show ${refusal.runId}`],
        ],
      );
    case 'already_working': {
      const { runId, isKept } = refusal;
      const why = isKept
        ? 'it goes on by itself'
        : 'its keeper is gone, and nothing would tell its agent the note';
      return usageError('ALREADY_WORKING', `run ${runId} does not wait, so it takes no resume`, [
        ['happened', why],
        UNTOUCHED,
        [
          'do',
          `mayday watch ${runId}; mayday resume ${runId} without --note takes it up where its keeper is gone`,
        ],
        ['do', `mayday flag ${runId} --reason "what is wrong" stops its agent`],
      ]);
    }
    case 'not_rescued':
      return usageError('NO_RESCUE', `run ${refusal.runId} could not be rescued now`, [
        ['do', `mayday show ${refusal.runId}`],
      ]);
    case 'no_workspace':
      return usageError('NO_WORKSPACE', `run ${refusal.runId} has no workspace yet`, [
        ['do', `mayday show ${refusal.runId}`],
      ]);
    case 'flag_needs_reason':
      return usageError('NO_REASON', 'a flag needs its reason', [
        ['do', 'mayday flag RUN --reason "what is wrong"'],
      ]);
    case 'no_checkpoint':
      return usageError(
        'NO_CHECKPOINT',
        `run ${refusal.runId} has no checkpoint ${JSON.stringify(refusal.wanted)}`,
        [['do', `mayday checkpoints ${refusal.runId}`]],
      );
    case 'unknown_hold':
      return usageError('UNKNOWN_HOLD', `there is no hold ${quoted(refusal.id)}`, [
        ['did', 'nothing: no hold was released'],
        [
          'do',
          refusal.active.length === 0
            ? 'nothing is held; mayday ps says what each run waits for'
            : `say which: ${refusal.active.join(', ')}`,
        ],
      ]);
    case 'unknown_question':
    case 'question_closed':
    case 'unknown_option':
    case 'answer_needs_note':
      return answerError(refusal);
    case 'accept_needs_note':
    case 'nothing_to_deliver':
      return acceptError(refusal);
    case 'work_in_worktree':
    case 'work_not_saved':
      return removeError(refusal);
    case 'rescue_file_unusable':
    case 'rescue_under_way':
    case 'unknown_mission':
    case 'mission_under_way':
    case 'mission_closed':
    case 'mission_owes':
    case 'lesson_not_approved':
      return missionError(refusal);
  }
}

function howEnded({ asked, life }: Refused<'run_ended'>): string {
  if (asked === 'restore') return '; its worktree is gone';
  if (asked === 'checkpoint') return '; its checkpoints are kept';
  return `: ${asked === 'rescue' ? life.reason : life.state}`;
}

const AFTER_END: Readonly<Record<AskedOfEnded, (runId: string) => string>> = {
  resume: (runId) => `mayday show ${runId}; start a new run for more work`,
  accept: (runId) => `mayday show ${runId}`,
  abandon: (runId) => `mayday show ${runId}; mayday rm ${runId} takes it from the list`,
  rescue: () => 'mayday run starts a new one',
  restore: (runId) => `mayday diff ${runId} shows the work; git merge delivers it`,
  checkpoint: (runId) => `mayday checkpoints ${runId}`,
};

function answerError(
  refusal: Refused<'unknown_question' | 'question_closed' | 'unknown_option' | 'answer_needs_note'>,
): MaydayError {
  switch (refusal.because) {
    case 'unknown_question':
      return usageError('UNKNOWN_QUESTION', `there is no question ${quoted(refusal.name)}`, [
        ['do', 'mayday inbox lists what waits for you'],
      ]);
    case 'question_closed':
      return usageError(
        'QUESTION_CLOSED',
        `${quoted(refusal.name)} is not open: it was answered, withdrawn, or replaced by a newer one`,
        [NOT_ANSWERED, ['do', 'mayday inbox lists what waits for you']],
      );
    case 'unknown_option': {
      const { question, wanted } = refusal;
      return usageError(
        'UNKNOWN_OPTION',
        `${question.id} has no option ${JSON.stringify(wanted)}`,
        question.options.map(
          ({ id, label }, index) => ['do', `${index + 1} ${id}: ${readableQuotes(label)}`] as const,
        ),
      );
    }
    case 'answer_needs_note': {
      const { question, option } = refusal;
      return usageError('NOTE_MISSING', `${option} needs your own words`, [
        NOT_ANSWERED,
        ['do', answerCall(question, option)],
      ]);
    }
  }
}

function acceptError(refusal: Refused<'accept_needs_note' | 'nothing_to_deliver'>): MaydayError {
  const { runId } = refusal;
  if (refusal.because === 'accept_needs_note')
    return usageError(
      'NOTE_MISSING',
      `no check proves the work of run ${runId}: your word for it needs your own words`,
      [NOT_SAID, ['do', `mayday accept ${runId} --note "YOUR WORDS"`]],
    );
  const { waivable } = refusal;
  const instead =
    waivable === null
      ? `mayday resume ${runId}, or mayday abandon ${runId}`
      : `${answerCall(waivable, 'waive_with_reason')} if nothing has to change`;
  return usageError('NOTHING_TO_DELIVER', `run ${runId} has changed no file: there is nothing to deliver`, [
    NOT_SAID,
    ['do', instead],
  ]);
}

function removeError(refusal: Refused<'work_in_worktree' | 'work_not_saved'>): MaydayError {
  if (refusal.because === 'work_not_saved')
    return new MaydayError('WORK_NOT_SAVED', `${refusal.path} is in no checkpoint: ${refusal.why}`, [
      ['did', 'deleted nothing that is not saved'],
      ['do', 'look at it, remove it yourself if it may go, then call this again'],
    ]);
  const { runId, path } = refusal;
  return usageError('WORK_IN_WORKTREE', `the work of run ${runId} was delivered nowhere but to ${path}`, [
    UNTOUCHED,
    ['do', `take it from there, then mayday rm ${runId} --discard-worktree (its last checkpoint stays)`],
  ]);
}

function missionError(
  refusal: Refused<
    | 'rescue_file_unusable'
    | 'rescue_under_way'
    | 'unknown_mission'
    | 'mission_under_way'
    | 'mission_closed'
    | 'mission_owes'
    | 'lesson_not_approved'
  >,
): MaydayError {
  switch (refusal.because) {
    case 'rescue_file_unusable':
      return usageError('RESCUE_FILE_UNUSABLE', `${quoted(refusal.path)} ${refusal.why}`, [
        ['did', 'nothing: the mission was not started'],
        [
          'do',
          'name a file that exists; a lesson or a text goes into --inject or mayday missions close --spec',
        ],
      ]);
    case 'rescue_under_way':
      return usageError('RESCUE_UNDER_WAY', `${refusal.mission} by ${refusal.owner} is under way`, [
        ['do', `mayday show ${refusal.runId}`],
      ]);
    case 'unknown_mission':
      return usageError('UNKNOWN_MISSION', `there is no mission ${quoted(refusal.mission)}`, [
        ['do', 'mayday missions lists them'],
      ]);
    case 'mission_under_way':
      return usageError('MISSION_UNDER_WAY', `${refusal.mission} by ${refusal.owner} has no outcome yet`, [
        ['do', 'let the run go on; a mission closes after its outcome'],
      ]);
    case 'mission_closed':
      return usageError('MISSION_CLOSED', `${refusal.mission} is closed already`, [
        ['do', 'mayday missions'],
      ]);
    case 'mission_owes':
      return usageError('MISSION_OWES', `${refusal.mission} closes only with what was learned`, [
        ['did', 'the mission stays open; mayday sync lists it'],
        ['do', 'say one of --lesson ID, --spec TEXT, or --reason TEXT why there was nothing to learn'],
      ]);
    case 'lesson_not_approved':
      return usageError('LESSON_NOT_APPROVED', `${refusal.lesson} is ${refusal.status}: ${refusal.why}`, [
        ['do', `mayday context approve ${refusal.lesson}`],
      ]);
  }
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}
