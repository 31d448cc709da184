/** Loaded at first use: `mayday ps` only reads, and half of the time it may take is Node's own start. */
let crc32: ((text: string) => number) | undefined;

/**
 * Notices damage (a flipped byte on disk), not malice: the ledger's chain is for that.
 * The separator cannot be confused with content because the number of fields is fixed per table.
 */
export function checksum(...fields: readonly (string | number | null)[]): number {
  crc32 ??= process.getBuiltinModule('node:zlib').crc32;
  return crc32(fields.join('\u0000'));
}
