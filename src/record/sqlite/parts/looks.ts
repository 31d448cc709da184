/** `looks`: what keepers look for, in SQLite. */
import type { LooksRecord } from '../../contract/looks.ts';
import type { Connection } from '../connection.ts';
import { mailbox } from './mailbox.ts';
import { outbox } from './outbox.ts';

export function looks(connection: Connection): LooksRecord {
  const parts = { ...outbox(connection), ...mailbox(connection) };
  return {
    look: async (runId) => {
      const [mail, timers] = [await parts.mailbox(runId), await parts.timers(runId)];
      const [command = null] = await parts.pendingCommands(runId, 1);
      return { mail, timers, command };
    },
  };
}
