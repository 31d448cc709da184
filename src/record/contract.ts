/**
 * `RunRecord`: everything Mayday must not forget, behind one asynchronous contract of small parts. SQLite implements it on one machine,
 * PostgreSQL for fleets; both pass test/contracts/record.ts.
 *
 * Rules every store keeps:
 * - `commit` is one transaction: events, commands, timers, ledger, bus, read model, mailbox acknowledgements; all or nothing.
 * - A commit carries the fence of its writer and the sequence number it builds on; a stale commit is refused as a whole.
 * - The store's clock decides what is expired or due. Callers never pass the time, so that no host's wrong clock steals a lease.
 * - A store that does not answer throws `RecordUnavailable` (nothing was written) or `CommitUnknown` (read back by sequence).
 * - Every text is redacted inside the store before it is written. Without a secret, bodies are kept byte for byte.
 * - A reader that does not know an event type still returns the event.
 */
import type { BusRecord } from './contract/bus.ts';
import type { FleetRecord } from './contract/fleet.ts';
import type { HostsRecord } from './contract/hosts.ts';
import type { JournalRecord } from './contract/journal.ts';
import type { LeaseRecord } from './contract/lease.ts';
import type { LedgerRecord } from './contract/ledger.ts';
import type { LessonRecord } from './contract/lessons.ts';
import type { MetricsRecord } from './contract/metrics.ts';
import type { OutboxRecord } from './contract/outbox.ts';

export interface RunRecord
  extends JournalRecord,
    LeaseRecord,
    OutboxRecord,
    BusRecord,
    FleetRecord,
    LedgerRecord,
    LessonRecord,
    MetricsRecord {
  /** Null: the record is on one machine, and no other host can take its runs. */
  readonly hosts: HostsRecord | null;
  /** The value as the store would keep it, without secrets: for writers that sign or hash before they write. */
  redacted<T>(value: T): T;
  /** Checks sequence numbers, chains, anchors and the integrity of the store itself. Empty when all holds. */
  verify(): Promise<readonly { readonly runId: string | null; readonly problem: string }[]>;
  close(): Promise<void>;
}
