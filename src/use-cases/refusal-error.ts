/** `refusalError`, `granted`: the error for a refusal of a use-case, with code and advice: the same words at every door. */
import { minutes } from '../core/text/minutes.ts';
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
  return (ERRORS[refusal.because] as (refusal: Refusal) => MaydayError)(refusal);
}

const ERRORS: { readonly [B in Refusal['because']]: (refusal: Refused<B>) => MaydayError } = {
  run_ended: (refusal) =>
    usageError('RUN_ENDED', `run ${refusal.runId} has ended${howEnded(refusal)}`, [
      ['do', AFTER_END[refusal.asked](refusal.runId)],
    ]),
  run_not_ended: ({ runId }) =>
    usageError('RUN_NOT_ENDED', `run ${runId} has not ended: only an ended run can be removed`, [
      UNTOUCHED,
      ['do', `mayday abandon ${runId}, then mayday rm ${runId}`],
    ]),
  not_working: ({ runId }) =>
    usageError('NOT_WORKING', `run ${runId} is not working now, so there is nothing to stop`, [
      ['did', 'nothing: the flag was not raised'],
      ['do', `mayday show ${runId}`],
    ]),
  already_working: ({ runId, isKept }) =>
    usageError('ALREADY_WORKING', `run ${runId} does not wait, so it takes no resume`, [
      [
        'happened',
        isKept ? 'it goes on by itself' : 'its keeper is gone, and nothing would tell its agent the note',
      ],
      UNTOUCHED,
      [
        'do',
        `mayday watch ${runId}; mayday resume ${runId} without --note takes it up where its keeper is gone`,
      ],
      ['do', `mayday flag ${runId} --reason "what is wrong" stops its agent`],
    ]),
  not_rescued: ({ runId }) =>
    usageError('NO_RESCUE', `run ${runId} could not be rescued now`, [['do', `mayday show ${runId}`]]),
  no_workspace: ({ runId }) =>
    usageError('NO_WORKSPACE', `run ${runId} has no workspace yet`, [['do', `mayday show ${runId}`]]),
  no_checkpoint: ({ runId, wanted }) =>
    usageError('NO_CHECKPOINT', `run ${runId} has no checkpoint ${JSON.stringify(wanted)}`, [
      ['do', `mayday checkpoints ${runId}`],
    ]),
  flag_needs_reason: ({ runId }) =>
    usageError('NO_REASON', 'a flag needs its reason', [
      ['do', `mayday flag ${runId} --reason "what is wrong"`],
    ]),
  answer_needs_note: ({ question, option }) => {
    const label = question.options.find(({ id }) => id === option)?.label ?? option;
    return usageError('NOTE_MISSING', `“${readableQuotes(label)}” needs your own words`, [
      NOT_ANSWERED,
      ['do', answerCall(question, option, 'number')],
    ]);
  },
  accept_needs_note: ({ runId }) =>
    usageError(
      'NOTE_MISSING',
      `no check proves the work of run ${runId}: your word for it needs your own words`,
      [NOT_SAID, ['do', `mayday accept ${runId} --note "YOUR WORDS"`]],
    ),
  nothing_to_deliver: ({ runId, waivable }) => {
    const instead =
      waivable === null
        ? `mayday resume ${runId}, or mayday abandon ${runId}`
        : `${answerCall(waivable, 'waive_with_reason', 'number')} if nothing has to change`;
    return usageError('NOTHING_TO_DELIVER', `run ${runId} has changed no file: there is nothing to deliver`, [
      NOT_SAID,
      ['do', instead],
    ]);
  },
  work_in_worktree: ({ runId, path }) =>
    usageError('WORK_IN_WORKTREE', `the work of run ${runId} was delivered nowhere but to ${path}`, [
      UNTOUCHED,
      ['do', `take it from there, then mayday rm ${runId} --discard-worktree (its last checkpoint stays)`],
    ]),
  work_not_saved: ({ path, why }) =>
    new MaydayError('WORK_NOT_SAVED', `${path} is in no checkpoint: ${why}`, [
      ['did', 'deleted nothing that is not saved'],
      ['do', 'look at it, remove it yourself if it may go, then call this again'],
    ]),
  unknown_question: ({ name }) =>
    usageError('UNKNOWN_QUESTION', `there is no question ${quoted(name)}`, [
      ['do', 'mayday inbox lists what waits for you'],
    ]),
  question_closed: ({ name, runId, asks, goesOnInMs }) => {
    const later = goesOnInMs === null ? '' : `; it goes on by itself in ${minutes(goesOnInMs)}`;
    if (name === runId)
      return usageError('QUESTION_CLOSED', `run ${runId} asks nothing now${later}`, [
        NOT_ANSWERED,
        ['do', `mayday status ${runId}`],
      ]);
    return usageError(
      'QUESTION_CLOSED',
      `${quoted(name)} is not open: it was answered, withdrawn, replaced by a newer one, or never asked`,
      [
        NOT_ANSWERED,
        ...(asks === null ? [] : [['do', `mayday answer ${asks} is what it asks now`] as const]),
        ['do', 'mayday inbox lists what waits for you'],
      ],
    );
  },
  unknown_option: ({ question: { id: name, options }, wanted }) =>
    usageError('UNKNOWN_OPTION', `${name} has no option ${JSON.stringify(wanted)}`, [
      NOT_ANSWERED,
      ...options.map(
        ({ label }, at) => ['do', `mayday answer ${name} ${at + 1}   ${readableQuotes(label)}`] as const,
      ),
    ]),
  rescue_file_unusable: ({ path, why }) =>
    usageError('RESCUE_FILE_UNUSABLE', `${quoted(path)} ${why}`, [
      ['did', 'nothing: the mission was not started'],
      [
        'do',
        'name a file that exists; a lesson or a text goes into --inject or mayday missions close --spec',
      ],
    ]),
  rescue_under_way: ({ runId, mission, owner }) =>
    usageError('RESCUE_UNDER_WAY', `${mission} by ${owner} is under way`, [['do', `mayday show ${runId}`]]),
  unknown_mission: ({ mission }) =>
    usageError('UNKNOWN_MISSION', `there is no mission ${quoted(mission)}`, [
      ['do', 'mayday missions lists them'],
    ]),
  mission_under_way: ({ mission, owner }) =>
    usageError('MISSION_UNDER_WAY', `${mission} by ${owner} has no outcome yet`, [
      ['do', 'let the run go on; a mission closes after its outcome'],
    ]),
  mission_closed: ({ mission }) =>
    usageError('MISSION_CLOSED', `${mission} is closed already`, [['do', 'mayday missions']]),
  mission_owes: ({ mission }) =>
    usageError('MISSION_OWES', `${mission} closes only with what was learned`, [
      ['did', 'the mission stays open; mayday sync lists it'],
      ['do', 'say one of --lesson ID, --spec TEXT, or --reason TEXT why there was nothing to learn'],
    ]),
  lesson_not_approved: ({ lesson, status, why }) =>
    usageError('LESSON_NOT_APPROVED', `${lesson} is ${status}: ${why}`, [
      ['do', `mayday context approve ${lesson}`],
    ]),
  unknown_hold: ({ id, active }) => {
    const which =
      active.length === 0
        ? 'nothing is held; mayday ps says what each run waits for'
        : `say which: ${active.join(', ')}`;
    return usageError('UNKNOWN_HOLD', `there is no hold ${quoted(id)}`, [
      ['did', 'nothing: no hold was released'],
      ['do', which],
    ]);
  },
};

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

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}
