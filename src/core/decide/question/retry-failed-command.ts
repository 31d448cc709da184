/** `retryFailedCommand`: after a failure of the machine and a person's "try again", asks for the failed command again. */
import { deliverSame } from '../on-delivery.ts';
import { startGate } from '../on-gate.ts';
import type { Turn } from '../turn.ts';

/** Returns false if no such command failed: then going on means a new attempt. */
export function retryFailedCommand(turn: Turn): boolean {
  const { life: now, workspace } = turn.state;
  const failed = now.type === 'waiting' ? now.failed : null;
  if (failed === null) {
    if (workspace !== null) return false;
    turn.decide({ type: 'command_retried', command: 'prepare_workspace', life: { type: 'preparing' } });
    turn.command({ type: 'prepare_workspace' });
    return true;
  }
  const { command, life } = failed;
  switch (command) {
    case 'prepare_workspace':
      turn.decide({ type: 'command_retried', command, life: { type: 'preparing' } });
      turn.command({ type: 'prepare_workspace' });
      return true;
    case 'run_checks':
      if (life.type === 'checking' && turn.state.attempts.length > 0) startGate(turn);
      else {
        turn.decide({ type: 'command_retried', command, life: { type: 'preparing' } });
        turn.command({ type: 'run_checks', purpose: 'baseline', tree: workspace?.baseTree ?? '' });
      }
      return true;
    case 'split_work':
    case 'rebase_work':
      startGate(turn);
      return true;
    case 'examine_attempt':
      if (life.type !== 'examining') return false;
      turn.decide({ type: 'command_retried', command, life });
      turn.command({ type: 'examine_attempt', attempt: life.attempt, cause: null });
      return true;
    case 'deliver':
      if (life.type !== 'delivering') return false;
      deliverSame(turn, life);
      return true;
    default:
      return false;
  }
}
