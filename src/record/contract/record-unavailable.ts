/** `RecordUnavailable`, `CommitUnknown`: the two ways in which a store can fail while it works. `StaleWriter`: how it refuses a writer. */
import { MaydayError } from '../../platform/mayday-error.ts';

/** The store does not answer for now, and nothing was written: try again later. An agent goes on meanwhile. */
export class RecordUnavailable extends MaydayError {}

/** The store failed while it committed: the turn may be there or not. Read back by sequence; this is no stale writer. */
export class CommitUnknown extends MaydayError {}

/** The fence or sequence number of the writer is behind. It must read again and, if its lease is gone, stop acting. */
export class StaleWriter extends Error {
  readonly code = 'STALE_WRITER';
}
