/** `mayday diff RUN`: shows the work so far, also of a run whose agent died. */
import { diffWork } from '../../act/diff-work.ts';
import { usageError } from '../../platform/mayday-error.ts';
import { diffFromAfar, placeElsewhere } from '../../supervise/hosts/read-from-afar.ts';
import { loadState } from '../../supervise/load-state.ts';
import type { Invocation } from '../command.ts';
import { plain } from '../render/plain.ts';
import { writeText } from '../write-text.ts';
import { withRun } from '../with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRun(invocation, async ({ home, record }, runId) => {
    const state = await loadState(record, runId);
    if (state.workspace === null) throw usageError('NO_WORKSPACE', `run ${runId} has no workspace yet`);
    const stat = invocation.options['stat'] === true;
    const elsewhere = await placeElsewhere(home, record, runId);
    const patch =
      elsewhere === null ? await diffWork(home, state, stat) : await diffFromAfar(record, state, stat);
    if (patch === null)
      throw usageError(
        'FILES_ELSEWHERE',
        `the files of run ${runId} are on host ${elsewhere}; run mayday diff there`,
      );
    const { json, stdout } = invocation;
    // Lines of code stay as they are at every width; what works on a terminal is for programs only.
    const shown = stdout.isTTY === true ? plain(patch) : patch;
    stdout.write(json ? `${JSON.stringify({ run_id: runId, ...state.partialWork, patch })}\n` : shown);
    if (!json && patch === '') writeText(invocation.stderr, `run ${runId} has changed nothing\n`);
    return 0;
  });
}
