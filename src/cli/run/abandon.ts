/** `mayday abandon RUN...`, `mayday abandon --all`: ends runs for good; their work is kept. */
import { openQuestion, type RunState } from '../../core/state/run-state.ts';
import { runJson } from '../../core/view/run-json.ts';
import { abandonRun } from '../../use-cases/steer/abandon-run.ts';
import type { Invocation } from '../command.ts';
import { follow } from '../follow.ts';
import { textOf } from '../option-values.ts';
import { renderQuestion } from '../render/question.ts';
import { granted } from '../../use-cases/refusal-error.ts';
import { ending } from '../render/story.ts';
import { overRuns } from './over-runs.ts';

export function run(invocation: Invocation): Promise<number> {
  const { env } = invocation;
  const reason = textOf(invocation, 'reason') ?? '';
  return overRuns(invocation, {
    name: 'abandon',
    all: { ended: false },
    begin: async (caller, runId) => {
      const { record, home } = caller;
      granted(await abandonRun(caller, { runId, reason }));
      return async () => {
        const { state } = await follow({ home, record, runId, env });
        const [first = ''] = said(state).split('\n');
        return {
          document: runJson(state),
          text: `${said(state)}\n`,
          inList: `${runId}  ${first}\n`,
          exitCode: exitCode(state),
        };
      };
    },
  });
}

/** Not 0 when the delivery was already under way, or when a process cannot be killed and a question about it is open. */
function exitCode({ life }: RunState): number {
  if (life.type !== 'ended') return 3;
  return life.state === 'abandoned' ? 0 : 1;
}

function said(state: RunState): string {
  const question = openQuestion(state)?.question;
  if (question !== undefined) return renderQuestion(state.runId, question, null);
  return ending(state).join('\n').trim();
}
