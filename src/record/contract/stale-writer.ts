/** A writer whose fence or sequence number is behind. It must reread and, if the lease is gone, stop acting. */
export class StaleWriter extends Error {
  readonly code = 'STALE_WRITER';
}
