/**
 * `ringWhileOpen`: rings the bell of the terminal at which a command stays open, for the notices that `notify: - bell: true` of
 * `mayday.yaml` names. A bell that rings later tells nothing, so that it has no outbox: it rings where a person has Mayday open.
 */
import { noticesOf } from '../../core/view/notices.ts';
import { readView } from '../../core/view/read-view.ts';
import type { RunRecord } from '../../record/contract.ts';
import { configOrNothing } from '../request/config.ts';
import { onlyOfTheMachine } from './notifier.ts';

/** A person feels a second. */
const LOOK_EVERY_MS = 1_000;
const PAGE = 200;
const BELL = '\u0007';

export interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Returns what ends it; a look that is under way ends first. */
export function ringWhileOpen(home: string, record: RunRecord, terminal: Terminal): () => Promise<void> {
  if (terminal.isTTY !== true) return async () => {};
  const openedAt = Date.now();
  const rung = new Set<string>();
  let after: number | null = null;
  let looking = Promise.resolve();
  const look = async () => {
    const { notify = [] } = await configOrNothing(home);
    const events = notify.flatMap((one) => ('bell' in one ? one.events : []));
    if (events.length === 0) return;
    after ??= await record.lastChange();
    const changes = await record.changes(after, PAGE);
    const rows = await Promise.all(changes.map(({ runId }) => record.row(runId)));
    after = changes.at(-1)?.change ?? after;
    const fresh = rows
      .flatMap((row) => (row === null ? [] : noticesOf(readView(row))))
      .filter(({ id, type, at }) => events.includes(type) && Date.parse(at) >= openedAt && !rung.has(id));
    for (const { id } of fresh) rung.add(id);
    if (fresh.length > 0) terminal.write(BELL);
  };
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    looking = look()
      .catch(onlyOfTheMachine)
      .finally(() => (busy = false));
  }, LOOK_EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    await looking;
  };
}
