/** `readFileLines`: the lines of a file from a byte offset on, in bounded memory. A missing file has no lines. */
import { type FileHandle, open } from 'node:fs/promises';

interface Line {
  readonly text: string;
  /** Where the line begins, in bytes. */
  readonly offset: number;
  /** Where the next one begins. */
  readonly end: number;
  /** False for a last line whose newline is not there (yet). */
  readonly whole: boolean;
}

const CHUNK_BYTES = 64 * 1024;
/** Our own files hold no longer lines; the rest of one that is longer is passed over. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;
const NEW_LINE = 0x0a;

export async function* readFileLines(path: string, from = 0): AsyncGenerator<Line> {
  const file = await openIfPresent(path);
  if (file === null) return;
  try {
    let offset = from;
    let position = from;
    let parts: Buffer[] = [];
    let kept = 0;
    const keep = (part: Buffer): void => {
      const room = part.subarray(0, MAX_LINE_BYTES - kept);
      if (room.length > 0) parts.push(room);
      kept += room.length;
    };
    const line = (end: number, whole: boolean): Line => {
      const text = (parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)).toString();
      const result = { text, offset, end, whole };
      parts = [];
      kept = 0;
      offset = end;
      return result;
    };
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, position);
      if (bytesRead === 0) break;
      let begin = 0;
      for (;;) {
        const newLine = chunk.subarray(0, bytesRead).indexOf(NEW_LINE, begin);
        keep(chunk.subarray(begin, newLine === -1 ? bytesRead : newLine));
        if (newLine === -1) break;
        begin = newLine + 1;
        yield line(position + begin, true);
      }
      position += bytesRead;
    }
    if (position > offset) yield line(position, false);
  } finally {
    await file.close();
  }
}

async function openIfPresent(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
