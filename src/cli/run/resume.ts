/** `mayday resume RUN`: continues a run from its checkpoint, also after a crash or reboot. */
import { resumeRun } from '../../use-cases/steer/resume-run.ts';
import type { Invocation } from '../command.ts';
import { followToEnd } from '../follow-to-end.ts';
import { textOf } from '../option-values.ts';
import { refusalError } from '../../use-cases/refusal-error.ts';
import { findRun, withRecord } from '../with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async (caller) => {
    const { stdout, json, options } = invocation;
    const runId = await findRun(caller.record, invocation.args[0] ?? '');
    const result = await resumeRun(caller, {
      runId,
      note: textOf(invocation, 'note') ?? '',
      agentGone: options['agent-gone'] === true,
    });
    if (result.type === 'refused') throw refusalError(result);
    if (options['detach'] !== true) return await followToEnd(invocation, caller, result.before);
    stdout.write(json ? `${JSON.stringify({ run_id: runId })}\n` : `run ${runId} goes on\n`);
    return 0;
  });
}
