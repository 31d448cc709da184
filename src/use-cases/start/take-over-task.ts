/**
 * `takeOverTask`: a run does the failed task of an external agent again, where the task names a command and the ladder of the failure has
 * a rung. From then on the run speaks for the task; restarts, fallbacks and questions are those of any run.
 */
import type { TaskStatus, TaskUpdate } from '../../core/bus/bus-message.ts';
import type { BusTask } from '../../core/bus/bus-task.ts';
import { incidentClassOf } from '../../core/decide/recovery/classify.ts';
import { isWaitedFor, rungs } from '../../core/decide/recovery/ladder.ts';
import { quoteFenced } from '../../core/text/quote-fenced.ts';
import { newChance } from '../../supervise/new-chance.ts';
import { diagnose } from '../../core/diagnose/diagnose.ts';
import type { Caller } from '../caller.ts';
import { type Planner, planRun } from './plan-run.ts';
import { startRun } from './start-run.ts';

/** The error of an agent may be a whole log; its beginning is enough for the one that does it again. */
const MAX_ERROR_CHARS = 1_000;

interface FailedTaskOf {
  readonly agentId: string;
  readonly taskId: string;
  /** Where the agent worked. The run has a worktree of its own, with what the agent left there. */
  readonly cwd: string;
}

/** Returns the run; null: only a person can go on, or somebody else does the task by now. */
export async function takeOverTask(
  caller: Caller,
  planner: Planner,
  { agentId, taskId, cwd }: FailedTaskOf,
): Promise<string | null> {
  const { record } = caller;
  const task = await record.busTask(agentId, taskId);
  if (task === null || !task.command || !hasRung(task)) return null;
  const plan = await planRun(planner, {
    task: [
      `Task ${taskId} of ${agentId}, done again after it failed: ${task.command}`,
      `What its agent said when it failed, as data: ${quoteFenced(task.error ?? '', newChance(), MAX_ERROR_CHARS)}`,
    ].join('\n\n'),
    cwd,
    command: ['sh', '-c', task.command],
    commandName: agentId,
    checks: task.checks ?? [],
    fallbacks: task.fallback ?? [],
    includeDirty: true,
  });
  const say = async (status: TaskStatus, change: Pick<TaskUpdate, 'run_id' | 'error'>, unless?: BusTask) => {
    const at = Date.now();
    const said: TaskUpdate = {
      type: 'TASK_UPDATE',
      agent_id: agentId,
      task_id: taskId,
      status,
      started_at: new Date(at).toISOString(),
      completed_at: null,
      result_status: null,
      scoring: null,
      ...change,
    };
    return await record.publish([{ at, source: 'monitor', body: JSON.stringify(said) }], unless);
  };
  // Said before it is done: of several processes that see the failure, one starts the run.
  if ((await say('RUNNING', { error: null, run_id: plan.runId }, task)) === null) return null;
  const { runId } = await startRun(caller, plan).catch(async (error: unknown) => {
    await say('FAILED', { error: `no run could take it over: ${String(error)}`, run_id: plan.runId });
    throw error;
  });
  if (runId !== plan.runId) await say('RUNNING', { error: null, run_id: runId });
  return runId;
}

/** A class without rungs goes to a person at once, also here. */
function hasRung({ status, error, runId }: BusTask): boolean {
  if (status !== 'FAILED' || runId) return false;
  const diagnosis = diagnose({ output: error ?? '', exitCode: 1 });
  const failure = { class: incidentClassOf(diagnosis) ?? 'crashed', diagnosis } as const;
  // What passes by itself has no rungs: the run waits for it as any run does.
  return (isWaitedFor(failure.class) && diagnosis.recoverable) || rungs(failure).length > 0;
}
