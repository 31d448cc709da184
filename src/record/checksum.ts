/**
 * `checksum`: a CRC over the fields of a row. It finds damage (a flipped byte on disk); malice is found by the ledger's chain. The
 * separator cannot be confused with content because the number of fields is fixed per table.
 */
/** Loaded at first use: it would slow the start of `mayday ps`. */
let crc32: ((text: string) => number) | undefined;

export function checksum(...fields: readonly (string | number | null)[]): number {
  crc32 ??= process.getBuiltinModule('node:zlib').crc32;
  return crc32(fields.join('\u0000'));
}
