/** `ringBell`: lets a command that stays open ring the bell of its terminal. Short commands end before, and load nothing for it. */
import type { RunRecord } from '../record/contract.ts';
import type { Terminal } from '../supervise/notify/bell.ts';

const OPEN_AFTER_MS = 500;

/** Returns what ends it, before the record is closed. */
export function ringBell(home: string, record: RunRecord, terminal: Terminal): () => Promise<void> {
  if (terminal.isTTY !== true) return async () => {};
  let opened: Promise<() => Promise<void>> | null = null;
  const open = async () => {
    const { ringWhileOpen } = await import('../supervise/notify/bell.ts');
    return ringWhileOpen(home, record, terminal);
  };
  const timer = setTimeout(() => {
    opened = open();
  }, OPEN_AFTER_MS).unref();
  return async () => {
    clearTimeout(timer);
    await (await opened)?.();
  };
}
