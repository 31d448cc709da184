/**
 * `classOfErrno`: the class that an error of the operating system tells, by its name, its number in Python's and Rust's words, or its text.
 * The table is the standard's: a program that no recogniser knows still says `ENOSPC`.
 */
import type { FailureClass } from '../vocabulary/classes/failure-class.ts';

const ERRORS: readonly (readonly [FailureClass, RegExp])[] = [
  [
    'permission_denied',
    /\b(?:EACCES|EPERM|EROFS)\b|(?:\[Errno |os error )(?:1|13|30)\b|\bread-only file system\b/i,
  ],
  ['permission_denied', /\b(?:permission denied|operation not permitted)\b(?! \()/i],
  [
    'resource_exhausted',
    /\bE(?:NOSPC|MFILE|NFILE|NOMEM|DQUOT|FBIG)\b|(?:\[Errno |os error )(?:12|23|24|27|28|122)\b/,
  ],
  [
    'resource_exhausted',
    /\b(?:no space left on device|too many open files|cannot allocate memory|file too large)\b/i,
  ],
  ['resource_exhausted', /\b(?:disk quota exceeded|memory allocation of \d+ bytes failed|bad_alloc)\b/i],
  [
    'network_failure',
    /\bE(?:CONNREFUSED|CONNRESET|CONNABORTED|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN|PIPE)\b/,
  ],
  ['network_failure', /(?:\[Errno |os error )(?:10[1-4]|11[13])\b|\bconnection (?:refused|reset by peer)\b/i],
  ['network_failure', /\b(?:no route to host|network is unreachable|name or service not known)\b/i],
  ['timeout', /\bE(?:TIMEDOUT|SOCKETTIMEDOUT)\b|(?:\[Errno |os error )110\b/],
  ['environment', /\bE(?:ADDRINUSE|ADDRNOTAVAIL|NOEXEC)\b|(?:\[Errno |os error )(?:8|98|99)\b/],
  ['environment', /\b(?:address already in use|exec format error)\b/i],
  ['missing_dependency', /\bspawn \S{1,200} ENOENT\b|\brequired file not found\b/],
];

export function classOfErrno(message: string): FailureClass | null {
  return ERRORS.find(([, says]) => says.test(message))?.[0] ?? null;
}
