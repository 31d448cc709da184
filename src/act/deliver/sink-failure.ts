/**
 * `sinkFailure`: turns a failed write to a sink into a blocker: a place that cannot be written, or a failure to try again. Errors in the
 * code are thrown again.
 */
import { oneOf } from '../../core/text/one-of.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { blockedDelivery, type DeliveryResult } from './delivery.ts';

const NOT_WRITABLE = oneOf(
  /[Nn]o space left|quota|[Rr]ead-only|[Pp]ermission|unable to (?:create|write)|may not be written|EACCES|EROFS|ENOSPC/,
  /EDQUOT|EPERM|ENOTDIR|EISDIR|ELOOP|ENOENT|ENAMETOOLONG|EINVAL|EIO/,
);

export function sinkFailure(error: unknown, signal: AbortSignal | undefined): DeliveryResult {
  signal?.throwIfAborted();
  const isSystem = error instanceof Error && 'syscall' in error;
  if (!(error instanceof MaydayError) && !isSystem) throw error;
  const { message } = error;
  const said = /[.?!]$/.test(message) ? message : `${message}.`;
  return blockedDelivery(NOT_WRITABLE.test(message) ? 'sink_not_writable' : 'delivery_failed', [said]);
}
