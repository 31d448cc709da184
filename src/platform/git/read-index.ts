/**
 * `readIndex`: the entries of a git index, read without git: an index that an agent wrote starts no program. Null: it is damaged, or split
 * in two files.
 */
export interface IndexEntry {
  readonly rawPath: string;
  readonly mode: number;
  readonly id: string;
  /** More than 0: one side of a conflict. */
  readonly stage: number;
  readonly assumeUnchanged: boolean;
  readonly skipWorktree: boolean;
  /** The file as it was when git last looked. */
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

const HEADER_BYTES = 12;
const ID_AT = 40;
/** Version 4 leaves out what a path shares with the one before it. A forged index could make paths without end of it. */
const MAX_GROWTH = 8;

export function readIndex(bytes: Buffer): readonly IndexEntry[] | null {
  try {
    return entriesIn(bytes, 20) ?? entriesIn(bytes, 32);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function entriesIn(bytes: Buffer, idBytes: number): readonly IndexEntry[] | null {
  const version = bytes.readUInt32BE(4);
  const entries: IndexEntry[] = [];
  let [at, rawPath, characters] = [HEADER_BYTES, '', 0];
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const [start, idEnd] = [at, at + ID_AT + idBytes];
    const flags = bytes.readUInt16BE(idEnd);
    const isLong = (flags & 0x4000) !== 0;
    at = idEnd + (isLong ? 4 : 2);
    let cut = rawPath.length;
    if (version === 4) {
      cut = bytes.readUInt8(at) & 127;
      while (bytes.readUInt8(at++) & 128) cut = (cut + 1) * 128 + (bytes.readUInt8(at) & 127);
    }
    const end = bytes.indexOf(0, at);
    const kept = rawPath.slice(0, Math.max(0, rawPath.length - cut));
    rawPath = kept + bytes.toString('latin1', at, end);
    characters += rawPath.length;
    if (end < 0 || characters > MAX_GROWTH * bytes.length) return null;
    at = version === 4 ? end + 1 : start + ((end - start + 8) & ~7);
    entries.push({
      rawPath,
      mode: bytes.readUInt32BE(start + 24),
      id: bytes.toString('hex', start + ID_AT, idEnd),
      stage: (flags >> 12) & 3,
      assumeUnchanged: (flags & 0x8000) !== 0,
      skipWorktree: isLong && (bytes.readUInt16BE(idEnd + 2) & 0x4000) !== 0,
      size: bytes.readUInt32BE(start + 36),
      ctimeMs: timeAt(bytes, start),
      mtimeMs: timeAt(bytes, start + 8),
    });
  }
  // Extensions, each with its length, and a checksum end the file. `link` names the other half of a split index.
  for (const end = bytes.length - idBytes; at !== end; at += 8 + bytes.readUInt32BE(at + 4))
    if (at > end || bytes.toString('latin1', at, at + 4) === 'link') return null;
  return entries;
}

/** As Node counts the time of a file. */
function timeAt(bytes: Buffer, at: number): number {
  return bytes.readUInt32BE(at) * 1000 + bytes.readUInt32BE(at + 4) / 1e6;
}
