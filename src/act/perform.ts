/** `perform`: calls the act of a command. A new kind of command needs one file, and one line here. */
import type { Command } from '../core/vocabulary/events/command.ts';
import type { Fact } from '../core/vocabulary/events/event.ts';
import type { ActContext } from './act.ts';
import { deliverAct } from './deliver.ts';
import { examineAttempt } from './attempt/examine-attempt.ts';
import { nudgeAttempt } from './attempt/nudge-attempt.ts';
import { prepareWorkspace } from './prepare-workspace.ts';
import { rebaseWork } from './rebase-work.ts';
import { releaseAct } from './release.ts';
import { runChecksAct } from './run-checks.ts';
import { splitWork } from './split-work.ts';
import { startAttempt } from './attempt/start-attempt.ts';
import { stopAttempt } from './attempt/stop-attempt.ts';

export function perform(context: ActContext, command: Command): Promise<readonly Fact[]> {
  switch (command.type) {
    case 'prepare_workspace':
      return prepareWorkspace(context, command);
    case 'run_checks':
      return runChecksAct(context, command);
    case 'start_attempt':
      return startAttempt(context, command);
    case 'stop_attempt':
      return stopAttempt(context, command);
    case 'nudge_attempt':
      return nudgeAttempt(context, command);
    case 'examine_attempt':
      return examineAttempt(context, command);
    case 'split_work':
      return splitWork(context, command);
    case 'rebase_work':
      return rebaseWork(context, command);
    case 'deliver':
      return deliverAct(context, command);
    case 'release':
      return releaseAct(context, command);
  }
}
