/**
 * `classOfName`, `classOfErrno`: the class that the name of an exception tells, and the one that an error of the operating system tells, by
 * its name, its number in Python's and Rust's words, or its text. A program that no recogniser knows still says `ENOSPC` or names its
 * errors like others (RateLimitError, ThrottlingException, TooManyRequests). The first row that fits counts.
 */
import type { FailureClass } from '../vocabulary/classes/failure-class.ts';

/** `CLASS i PATTERN` (in any case) or `CLASS c PATTERN`, one in a line. */
function rows(text: string): readonly (readonly [FailureClass, RegExp])[] {
  return [...text.matchAll(/^ {2}(\w+) ([ic]) (.+)$/gm)].map(([, failureClass, flag, source = '']) => [
    failureClass as FailureClass,
    new RegExp(source, flag === 'i' ? 'i' : ''),
  ]);
}

const ERRORS = rows(String.raw`
  permission_denied i \b(?:EACCES|EPERM|EROFS)\b|(?:\[Errno |os error )(?:1|13|30)\b|\bread-only file system\b
  permission_denied i \b(?:permission denied|operation not permitted)\b(?! \()
  resource_exhausted c \bE(?:NOSPC|MFILE|NFILE|NOMEM|DQUOT|FBIG)\b|(?:\[Errno |os error )(?:12|23|24|27|28|122)\b
  resource_exhausted i \b(?:no space left on device|too many open files|cannot allocate memory|file too large)\b
  resource_exhausted i \b(?:disk quota exceeded|memory allocation of \d+ bytes failed|bad_alloc)\b
  network_failure c \bE(?:CONNREFUSED|CONNRESET|CONNABORTED|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN|PIPE)\b
  network_failure i (?:\[Errno |os error )(?:10[1-4]|11[13])\b|\bconnection (?:refused|reset by peer)\b
  network_failure i \b(?:no route to host|network is unreachable|name or service not known)\b
  timeout c \bE(?:TIMEDOUT|SOCKETTIMEDOUT)\b|(?:\[Errno |os error )110\b
  environment c \bE(?:ADDRINUSE|ADDRNOTAVAIL|NOEXEC)\b|(?:\[Errno |os error )(?:8|98|99)\b
  environment i \b(?:address already in use|exec format error)\b
  runtime_error c : \d{1,9} (?:Aborted|Segmentation fault|Bus error|Illegal instruction|Floating point exception)\b
  interrupted c (?:: |\] )(?:\d{1,9} )?(?:Interrupt|Terminated|Hangup)(?:$| )
  missing_dependency c \bspawn \S{1,200} ENOENT\b|\brequired file not found\b
`);

export function classOfErrno(message: string): FailureClass | null {
  return ERRORS.find(([, says]) => says.test(message))?.[0] ?? null;
}
