/** `trimSpool`: frees the disk space of the part of a spool that was read, while an agent still writes to the spool. */
import { systemProgram } from '../process/system-program.ts';
import { execFile } from 'node:child_process';
import { renameSync, truncateSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { readPlainJson } from '../file/plain-file.ts';

/**
 * How far a spool was trimmed. Linux can free blocks in the middle of a file: size and offsets stay the same, and nothing that is
 * written meanwhile is lost. Elsewhere the whole file is truncated, which can lose what arrives at that moment; so it is done only when
 * everything was read.
 *
 * The mark is written beside the spool *before* the spool is trimmed, so that after a crash no reader takes the hole for zero bytes.
 */
export interface SpoolMark {
  /** Everything before this offset has been freed. */
  readonly trimmedBytes: number;
  /** How often the file was truncated; an offset is valid within one epoch only. */
  readonly epoch: number;
}

/** Only whole blocks are freed; a part of a block would only be filled with zeros. */
const BLOCK_BYTES = 4_096;
/** More than enough for a mark of two numbers. */
const MARK_BYTES = 1_000;
const PUNCH_TIMEOUT_MS = 30_000;

let canPunch: boolean = process.platform === 'linux';

export function readSpoolMark(path: string): SpoolMark {
  const mark = readPlainJson(markPath(path), MARK_BYTES) as Partial<Record<keyof SpoolMark, unknown>> | null;
  const { trimmedBytes, epoch } = mark ?? {};
  return isCount(trimmedBytes) && isCount(epoch) ? { trimmedBytes, epoch } : { trimmedBytes: 0, epoch: 0 };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Returns the new mark; it is unchanged if this machine cannot punch holes and not everything was read. */
export async function trimSpool(
  path: string,
  mark: SpoolMark,
  consumedBytes: number,
  sizeNow: () => number,
): Promise<SpoolMark> {
  const end = consumedBytes - (consumedBytes % BLOCK_BYTES);
  if (canPunch && end > mark.trimmedBytes) {
    const next = { trimmedBytes: end, epoch: mark.epoch };
    writeMark(path, next);
    if (await punch(path, mark.trimmedBytes, end - mark.trimmedBytes)) return next;
    canPunch = false;
  }
  if (canPunch || sizeNow() !== consumedBytes) return mark;
  const next = { trimmedBytes: 0, epoch: mark.epoch + 1 };
  writeMark(path, next);
  truncateSync(path, 0);
  return next;
}

async function punch(path: string, offset: number, length: number): Promise<boolean> {
  try {
    const args = ['--punch-hole', '--offset', String(offset), '--length', String(length), path];
    await promisify(execFile)(systemProgram('fallocate'), args, { timeout: PUNCH_TIMEOUT_MS });
    return true;
  } catch {
    return false;
  }
}

function writeMark(path: string, mark: SpoolMark): void {
  const temporary = `${markPath(path)}.new`;
  writeFileSync(temporary, JSON.stringify(mark), { mode: 0o600 });
  renameSync(temporary, markPath(path));
}

function markPath(path: string): string {
  return `${path}.trimmed`;
}
