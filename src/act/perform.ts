/** `perform`: calls the act of a command. A new kind of command needs one file, and one line here. */
import type { Command } from '../core/vocabulary/events/command.ts';
import type { Fact } from '../core/vocabulary/events/event.ts';
import type { Act, ActContext } from './act.ts';
import { deliverAct } from './deliver.ts';
import { examineAttempt } from './attempt/examine-attempt.ts';
import { nudgeAttempt } from './attempt/stop-attempt.ts';
import { prepareWorkspace } from './prepare-workspace.ts';
import { rebaseWork } from './rebase-work.ts';
import { releaseAct } from './release.ts';
import { runChecksAct } from './run-checks.ts';
import { splitWork } from './split-work.ts';
import { startAttempt } from './attempt/start-attempt.ts';
import { stopAttempt } from './attempt/stop-attempt.ts';

const ACTS: { readonly [Type in Command['type']]: Act<Type> } = {
  prepare_workspace: prepareWorkspace,
  run_checks: runChecksAct,
  start_attempt: startAttempt,
  stop_attempt: stopAttempt,
  nudge_attempt: nudgeAttempt,
  examine_attempt: examineAttempt,
  split_work: splitWork,
  rebase_work: rebaseWork,
  deliver: deliverAct,
  release: releaseAct,
};

export function perform(context: ActContext, command: Command): Promise<readonly Fact[]> {
  return (ACTS[command.type] as Act<Command['type']>)(context, command);
}
