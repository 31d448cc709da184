import { crc32 } from 'node:zlib';

/**
 * Notices damage (a flipped byte on disk), not malice: the ledger's chain is for that.
 * The separator cannot be confused with content because the number of fields is fixed per table.
 */
export function checksum(...fields: readonly (string | number | null)[]): number {
  return crc32(fields.join('\u0000'));
}
