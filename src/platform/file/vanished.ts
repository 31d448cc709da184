/**
 * `hasVanished`, `lookOrNull`: tell whether a process, a control group or a file of them ended while it was read. The kernel reports that
 * with several error codes; every reader of /proc and of control groups uses these functions.
 */
import { codeOf } from './file-kind.ts';

/**
 * ENOENT: the file is gone. ESRCH: the process ended while its file was open, or before a signal reached it.
 * ENODEV: the control group was removed while its file was open.
 */
const VANISHED: ReadonlySet<string> = new Set(['ENOENT', 'ESRCH', 'ENODEV']);

/** This process has run out of files or memory, or the disk failed. That says nothing about what it wanted to read. */
const CANNOT_LOOK: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EIO']);

export function hasVanished(error: unknown): boolean {
  return VANISHED.has(codeOf(error));
}

/** Null where the thing has vanished, is just ending (EACCES, EINVAL) or belongs to another user. Throws where reading was impossible. */
export function lookOrNull<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    if (CANNOT_LOOK.has(codeOf(error))) throw error;
    return null;
  }
}
