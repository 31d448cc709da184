/** `mayday inbox [RUN]`: lists the open questions, of all runs or of one. */
import { openQuestion } from '../../core/state/run-state.ts';
import { questionJson } from '../../core/view/question-json.ts';
import { type FailedTask, failedTasks } from '../../supervise/bus/failed-tasks.ts';
import { activeHolds } from '../../supervise/active-holds.ts';
import { loadState } from '../../supervise/load-state.ts';
import { findRun } from '../../use-cases/find-run.ts';
import type { Invocation } from '../command.ts';
import { renderHold } from '../render/hold.ts';
import { printJson } from '../print.ts';
import { plainLine } from '../render/plain.ts';
import { renderForAll } from '../render/question.ts';
import { withRecord } from '../with-record.ts';
import { writeText } from '../write-text.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async ({ record }) => {
    // As `ps` and `watch` have them: what waits longest first.
    const [name] = invocation.args;
    const only = name === undefined ? null : await findRun(record, name);
    const rows = (await record.rows({ needsPerson: true }))
      .filter(({ runId }) => only === null || runId === only)
      .toSorted((a, b) => a.createdAt - b.createdAt);
    const states = await Promise.all(rows.map(({ runId }) => loadState(record, runId)));
    const { stdout, json } = invocation;
    const waiting = states.flatMap((state) => {
      const asked = openQuestion(state);
      return asked === undefined ? [] : [{ state, asked }];
    });
    const failed = only === null ? await failedTasks(record) : [];
    if (json) {
      const questions = waiting.map(({ state, asked }) => ({
        run_id: state.runId,
        ...questionJson(state, asked),
      }));
      // Nobody can answer them with an option: `id` is null.
      const external = failed.map((task) => ({
        run_id: null,
        id: null,
        kind: 'external_failure',
        text: task.root_cause,
        options: [],
        state: 'open',
        ...task,
      }));
      printJson(stdout, [...questions, ...external]);
    } else {
      const now = Date.now();
      const holds = (await activeHolds(record, now))
        .filter(({ waiting: held }) => only === null || held.includes(only))
        .map((hold) => renderHold(hold, now));
      if (waiting.length + failed.length === 0)
        writeText(stdout, only === null ? 'nothing needs you\n' : `run ${only} asks nothing now\n`);
      const questions = await Promise.all(
        waiting.map(({ state, asked }) => renderForAll(record, state, asked.question)),
      );
      writeText(stdout, questions.join('\n'));
      writeText(stdout, failed.map(externalFailure).join(''));
      writeText(stdout, holds.map((hold) => `\n${hold}`).join(''));
    }
    return 0;
  });
}

function externalFailure(failed: FailedTask): string {
  const { agent_id, task_id, class: kind, root_cause, suggested_action } = failed;
  const cause = `${kind.replaceAll('_', ' ')}: ${plainLine(root_cause, 200)}`;
  return [
    `\nfailed     task ${plainLine(task_id, 60)} of ${plainLine(agent_id, 60)}: ${cause}`,
    `           ${plainLine(suggested_action, 200)}`,
    `           ends with its next RUNNING, or: mayday agents clear ${plainLine(agent_id, 60)}\n`,
  ].join('\n');
}
