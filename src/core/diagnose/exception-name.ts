/**
 * `classOfName`, `classOfErrno`: the class that the name of an exception tells, and the one that an error of the operating system tells, by
 * its name, its number in Python's and Rust's words, or its text. A program that no recogniser knows still says `ENOSPC` or names its
 * errors like others (RateLimitError, ThrottlingException, TooManyRequests). The first row that fits counts.
 */
import type { FailureClass } from '../vocabulary/classes/failure-class.ts';

const WORDS: readonly (readonly [FailureClass, RegExp])[] = [
  [
    'context_overflow',
    /Context(?:Window|Length|Overflow|Size|Limit)|PromptTooLong|TokenLimit|RequestTooLarge/,
  ],
  ['budget_exhausted', /Quota|Billing|Credits?(?=[A-Z]|$)|PaymentRequired|Budget|SpendLimit/],
  ['rate_limited', /RateLimit|TooManyRequests|Throttl|SlowDown/],
  ['overloaded', /Overloaded|ServiceUnavailable|InternalServer|BadGateway|GatewayTime|ServerBusy/],
  ['timeout', /Time[oO]ut|TimedOut|Deadline/],
  [
    'auth_failure',
    /Unauthori[sz]ed|Unauthenticated|Authenticat|Authori[sz]ation|Forbidden|Credential|ApiKey|APIKey|AuthError|Login/,
  ],
  ['permission_denied', /Permission|AccessDenied|ReadOnly|NotPermitted/],
  ['git_conflict', /MergeConflict|UnmergedEntries/],
  ['git_error', /Git(?=[A-Z])/],
  ['missing_dependency', /ModuleNotFound|MissingModule|MissingDependency|PackageNotFound|DependencyNotFound/],
  ['resource_exhausted', /OutOfMemory|MemoryError|DiskFull|ResourceExhausted|StorageFull|TooManyConnections/],
  [
    'network_failure',
    /Connect(?:ion)?(?!String|or[A-Z]?ts)|Network|Socket|Disconnected|Unreachable|HostNotFound|Dns|DNS|Ssl|SSL|Tls|TLS|Transport/,
  ],
  ['environment', /Config(?:uration)?(?=[A-Z]|Error|Exception|$)|ImproperlyConfigured|MissingEnv|EnvVar/],
  [
    'build_failure',
    /Syntax|Indentation|^Tab(?=Error)|Pars(?:e|er|ing)(?=[A-Z]|$)|Lex(?:er)?(?=[A-Z])|Compil|Rollup|Webpack|Transform/,
  ],
  ['tool_protocol_error', /Json|JSON|Protocol|Decod(?:e|ing)|InvalidResponse|MalformedResponse|ToolCall/],
  ['interrupted', /Interrupt|Cancel/],
];

/** The last part of a dotted name is the class; the parts before it are modules. */
export function classOfName(name: string): FailureClass | null {
  const own = name.split(/[.:\\/]+/).at(-1) ?? '';
  if (own === '' || /^(?:Error|Exception)$/.test(own)) return null;
  return WORDS.find(([, words]) => words.test(own))?.[0] ?? null;
}

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
  // How a shell tells which signal ended a program.
  [
    'runtime_error',
    /: \d{1,9} (?:Aborted|Segmentation fault|Bus error|Illegal instruction|Floating point exception)\b/,
  ],
  ['interrupted', /(?:: |\] )(?:\d{1,9} )?(?:Interrupt|Terminated|Hangup)(?:$| )/],
  ['missing_dependency', /\bspawn \S{1,200} ENOENT\b|\brequired file not found\b/],
];

export function classOfErrno(message: string): FailureClass | null {
  return ERRORS.find(([, says]) => says.test(message))?.[0] ?? null;
}
