/**
 * `sinkFailure`: turns a failed write to a sink into a blocker: a place that cannot be written, or a failure to try again. Errors in the
 * code are thrown again.
 */
import { MaydayError } from '../../platform/mayday-error.ts';
import { codeOf } from '../../platform/file/file-kind.ts';
import { blockedDelivery, type DeliveryResult } from './delivery.ts';

// biome-ignore format: words stand together
const NOT_WRITABLE: ReadonlySet<string> = new Set([
  'DISK_FULL', 'STORE_READ_ONLY', 'TEMPORARY_FOLDER', 'EACCES', 'EROFS', 'ENOSPC', 'EDQUOT', 'EPERM', 'ENOTDIR', 'EISDIR',
  'ELOOP', 'ENOENT', 'ENAMETOOLONG', 'EINVAL', 'EIO',
]);
/** The words of git, which has no codes. */
const GIT_CANNOT_WRITE = /[Rr]ead-only|[Pp]ermission|unable to (?:create|write)/;

export function sinkFailure(error: unknown, signal: AbortSignal | undefined): DeliveryResult {
  signal?.throwIfAborted();
  const isSystem = error instanceof Error && 'syscall' in error;
  if (!(error instanceof MaydayError) && !isSystem) throw error;
  const { message } = error;
  const code = codeOf(error);
  const isPlace = NOT_WRITABLE.has(code) || (code === 'GIT_FAILED' && GIT_CANNOT_WRITE.test(message));
  const said = /[.?!]$/.test(message) ? message : `${message}.`;
  return blockedDelivery(isPlace ? 'sink_not_writable' : 'delivery_failed', [said]);
}
