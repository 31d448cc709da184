/** `mayday resume RUN`: go on from the checkpoint, also after a crash or reboot. */
import { usageError } from '../platform/mayday-error.ts';
import { assertPerson } from '../supervise/assert-person.ts';
import { loadState } from '../supervise/run-journal.ts';
import { isKept, startKeeper } from '../supervise/start-keeper.ts';
import { unseenAttempt, unseenError } from '../supervise/unseen-attempt.ts';
import type { Invocation } from './command.ts';
import { follow, userName } from './follow.ts';
import { liveView } from './render/live-view.ts';
import { finish } from './finish.ts';
import { speak } from './speak.ts';
import { findRun, type Opened, withRecord } from './with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async (opened) => {
    const { env, stdout, stderr, json, options } = invocation;
    const { record, home } = opened;
    const runId = await findRun(record, invocation.args[0] ?? '');
    const state = await loadState(record, runId);
    if (state.life.type === 'ended')
      throw usageError('RUN_ENDED', `run ${runId} has ended: ${state.life.state}`, [
        ['do', `mayday show ${runId}; start a new run for more work`],
      ]);
    await assertPerson(opened, '`mayday resume`');
    const note = typeof options['note'] === 'string' ? options['note'] : '';
    if (options['agent-gone'] === true) await declareGone(opened, runId, note, env);
    if (state.life.type === 'waiting' || state.life.type === 'queued')
      await speak(opened, runId, { type: 'resume_requested', by: userName(env), note }, env);
    else if (!(await isKept(record, runId))) {
      const unseen = await unseenAttempt(home, record, runId);
      if (unseen !== null) throw unseenError(unseen);
      startKeeper(home, runId, env);
    }
    if (options['detach'] === true) {
      stdout.write(json ? `${JSON.stringify({ run_id: runId })}\n` : `run ${runId} goes on\n`);
      return 0;
    }
    const view = liveView(json ? stderr : stdout, env);
    const end = await follow({
      home,
      record,
      runId,
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

/** Only about an agent that nothing here can see: what can be looked at is looked at, whatever is said about it. */
async function declareGone(
  opened: Opened,
  runId: string,
  note: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const unseen = (await isKept(opened.record, runId))
    ? null
    : await unseenAttempt(opened.home, opened.record, runId);
  if (unseen === null) return;
  if (unseen.lives) throw unseenError(unseen);
  await speak(
    opened,
    runId,
    { type: 'agent_declared_gone', attempt: unseen.attempt, by: userName(env), note },
    env,
  );
}
