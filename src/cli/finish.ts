/**
 * `finish`: prints the last lines and the document of a followed run, and returns the exit code. Not in `run.ts`, so that `answer` loads
 * fast.
 */
import { lastCheckpoint } from '../core/state/last-tree.ts';
import { openQuestion, type RunState } from '../core/state/run-state.ts';
import { questionJson, runJson } from '../core/view/run-json.ts';
import type { Invocation } from './command.ts';
import type { FollowEnd } from './follow.ts';
import { renderQuestion } from './render/question.ts';
import { ending } from './render/story.ts';

export function finish({ type, state, asker }: FollowEnd, { json, stdout, stderr }: Invocation): number {
  const others = asker === undefined ? undefined : openQuestion(asker);
  if (json) {
    const waits_for_question =
      asker === undefined || others === undefined
        ? null
        : { run_id: asker.runId, ...questionJson(asker, others) };
    stdout.write(
      `${JSON.stringify({ ...runJson(state), ...(waits_for_question && { waits_for_question }) })}\n`,
    );
  }
  const out = json ? stderr : stdout;
  const question = openQuestion(state)?.question;
  switch (type) {
    case 'interrupted':
    case 'stopped':
      out.write(
        [
          `\nstopped    run ${state.runId} is safe`,
          checkpointOf(state) === null ? '' : ` at checkpoint ${checkpointOf(state)}`,
          `; nothing is running\n           mayday resume ${state.runId}\n`,
        ].join(''),
      );
      return 130;
    case 'detached':
      out.write(
        `\ndetached   run ${state.runId} goes on without this view\n           mayday watch ${state.runId}\n`,
      );
      return 0;
    case 'question':
      if (asker !== undefined && others !== undefined)
        out.write(
          [
            `\n${renderQuestion(asker.runId, others.question, checkpointOf(asker))}`,
            `           run ${state.runId} waits for this answer too and goes on by itself after it: `,
            `mayday watch ${state.runId}\n`,
          ].join(''),
        );
      else if (question !== undefined)
        out.write(`\n${renderQuestion(state.runId, question, checkpointOf(state))}`);
      return 3;
    case 'waited':
      out.write(
        [
          `\nwaiting    run ${state.runId} still waits`,
          state.life.type === 'waiting' && state.life.until !== null
            ? ` until ${new Date(state.life.until).toISOString()}`
            : '',
          `; its keeper goes on\n           mayday show ${state.runId}\n`,
        ].join(''),
      );
      return 3;
    case 'ended':
      out.write(`${ending(state).join('\n')}\n`);
      return exitCodeOf(state);
  }
}

function exitCodeOf({ life }: RunState): number {
  if (life.type !== 'ended') return 1;
  return { delivered: 0, unverified: 5, abandoned: 4 }[life.state];
}

function checkpointOf(state: RunState): number | null {
  return lastCheckpoint(state)?.number ?? null;
}
