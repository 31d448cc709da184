/** `mayday answer QUESTION OPTION [--note]`: a person's decision, recorded, and the run goes on. */
import { answerCall, lacksWords } from '../core/question.ts';
import { openQuestion, type RunState } from '../core/run-state.ts';
import { runJson } from '../core/view/run-json.ts';
import { usageError } from '../platform/mayday-error.ts';
import type { RunRecord } from '../record/contract.ts';
import { assertPerson } from '../supervise/assert-person.ts';
import { loadState } from '../supervise/run-journal.ts';
import type { Invocation } from './command.ts';
import { follow, userName } from './follow.ts';
import { liveView } from './render/live-view.ts';
import { finish } from './finish.ts';
import { speak } from './speak.ts';
import { withRecord } from './with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async (opened) => {
    const { record, home } = opened;
    const { args, options, env, json, stdout, stderr } = invocation;
    const [name = '', wanted = ''] = args;
    const state = await runOf(record, name);
    const question = openQuestion(state)?.question;
    if (question === undefined || (name !== question.id && name !== state.runId)) throw closed(name);
    const option = question.options.find(
      ({ id }, index) => id === wanted || String(index + 1) === wanted,
    )?.id;
    if (option === undefined) {
      throw usageError(
        'UNKNOWN_OPTION',
        `${question.id} has no option ${JSON.stringify(wanted)}`,
        question.options.map(({ id, label }, index) => [`${index + 1} ${id}`, label] as const),
      );
    }
    await assertPerson(opened, '`mayday answer`');
    const note = typeof options['note'] === 'string' ? options['note'] : '';
    if (lacksWords(question, option, note))
      throw usageError('NOTE_MISSING', `${option} needs your own words: nobody else may say them for you`, [
        ['do', answerCall(question, option)],
        ['the answer', 'was not recorded and nothing was changed'],
      ]);
    const after = await speak(
      opened,
      state.runId,
      { type: 'question_answered', question: question.id, option, note, by: userName(env) },
      env,
    );
    const answered = after.questions.find((asked) => asked.question.id === question.id);
    if (answered?.answer?.option !== option) throw closed(name);
    if (options['follow'] !== true) {
      stdout.write(
        json
          ? `${JSON.stringify(runJson(after))}\n`
          : `answered ${question.id}: ${option}; ${nowOf(after)}\n`,
      );
      return 0;
    }
    const view = liveView(json ? stderr : stdout, env);
    const end = await follow({
      home,
      record,
      runId: state.runId,
      env,
      maxWaitMs: null,
      afterSeq: state.seq,
      onEvent: view.event,
      onIdle: view.idle,
    });
    view.close();
    return finish(end, invocation);
  });
}

/** What the run does now, by its state: an answer may end it. */
function nowOf({ runId, life, abandonAsked }: RunState): string {
  if (life.type === 'ended') return `run ${runId} has ended: ${life.state} (mayday show ${runId})`;
  if (abandonAsked !== null) return `run ${runId} ends; its work is kept (mayday show ${runId})`;
  if (life.type === 'delivering') return `run ${runId} is being delivered (mayday watch ${runId})`;
  if (life.type === 'waiting') return `run ${runId} waits: ${life.reason} (mayday show ${runId})`;
  return `run ${runId} goes on (mayday watch ${runId})`;
}

async function runOf(record: RunRecord, name: string): Promise<RunState> {
  const runId = name.replace(/-q\d+$/, '');
  if ((await record.row(runId)) === null)
    throw usageError('UNKNOWN_QUESTION', `there is no question ${JSON.stringify(name.slice(0, 80))}`, [
      ['do', 'mayday inbox lists what waits for you'],
    ]);
  return await loadState(record, runId);
}

function closed(name: string) {
  return usageError(
    'QUESTION_CLOSED',
    `${JSON.stringify(name.slice(0, 80))} is not open: it was answered, withdrawn, or replaced by a newer one`,
    [
      ['do', 'mayday inbox lists what waits for you'],
      ['the answer', 'was not recorded and nothing was changed'],
    ],
  );
}
