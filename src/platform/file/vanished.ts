/**
 * Processes, control groups and their files end while they are looked at. The kernel says so in several ways, and every reader of
 * /proc and of control groups asks here which of them it was.
 */

/**
 * ENOENT: its name is gone. ESRCH: the process ended while its file was open, or before a signal reached it.
 * ENODEV: the control group was removed while its file was open.
 */
const VANISHED: ReadonlySet<unknown> = new Set(['ENOENT', 'ESRCH', 'ENODEV']);

/** This process has no room to look. That says nothing about what it wanted to look at. */
const CANNOT_LOOK: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EIO']);

export function hasVanished(error: unknown): boolean {
  return VANISHED.has(codeOf(error));
}

/** Null where it has vanished, is on its way out (EACCES, EINVAL) or belongs to another user. Throws where we could not look at all. */
export function lookOrNull<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    if (CANNOT_LOOK.has(codeOf(error))) throw error;
    return null;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
