/** `StaleWriter`: the fence or sequence number of the writer is behind. It must read again and, if its lease is gone, stop acting. */
export class StaleWriter extends Error {
  readonly code = 'STALE_WRITER';
}
