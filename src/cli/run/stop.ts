/** `mayday stop RUN...`: takes a checkpoint and stops the runs; nothing is lost. */
import { lastCheckpoint } from '../../core/state/last-tree.ts';
import { openQuestion, type RunState } from '../../core/state/run-state.ts';
import { runJson } from '../../core/view/run-json.ts';
import { loadState } from '../../supervise/load-state.ts';
import { stopRun } from '../../use-cases/steer/stop-run.ts';
import type { Invocation } from '../command.ts';
import { follow } from '../follow.ts';
import { textOf } from '../option-values.ts';
import { overRuns } from './over-runs.ts';

export function run(invocation: Invocation): Promise<number> {
  const { env } = invocation;
  const reason = textOf(invocation, 'reason') ?? '';
  return overRuns(invocation, {
    name: 'stop',
    all: null,
    begin: async (caller, runId) => {
      const { record, home } = caller;
      const { type } = await stopRun(caller, { runId, reason });
      return async () => {
        if (type === 'stopping') await follow({ home, record, runId, env });
        const state = await loadState(record, runId);
        return { document: runJson(state), text: `${said(state)}\n`, exitCode: 0 };
      };
    },
  });
}

function said(state: RunState): string {
  const { runId, life, checkpoints } = state;
  if (life.type === 'ended') return `run ${runId} has ended: ${life.state}`;
  const open = openQuestion(state)?.question;
  if (open !== undefined) return `run ${runId} could not be stopped: ${open.text}\nmayday answer ${open.id}`;
  const where = lastCheckpoint({ checkpoints })?.number;
  const aside =
    life.type === 'waiting' && life.stopped?.question ? '; its question comes back when it goes on' : '';
  const next = `mayday resume ${runId} (--detach returns at once)`;
  return `run ${runId} is stopped${where === undefined ? '' : ` at checkpoint ${where}`}${aside}; ${next}`;
}
