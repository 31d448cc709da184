/**
 * `classOfName`: the class that the name of an exception tells. Libraries name their errors alike (RateLimitError, ThrottlingException,
 * TooManyRequests), so a name that no recogniser knows is read word by word. The first row that fits counts.
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
  ['build_failure', /Syntax|Pars(?:e|er|ing)(?=[A-Z]|$)|Lex(?:er)?(?=[A-Z])|Compil|Rollup|Webpack|Transform/],
  ['tool_protocol_error', /Json|JSON|Protocol|Decod(?:e|ing)|InvalidResponse|MalformedResponse|ToolCall/],
  ['interrupted', /Interrupt|Cancel/],
];

/** The last part of a dotted name is the class; the parts before it are modules. */
export function classOfName(name: string): FailureClass | null {
  const own = name.split(/[.:\\/]+/).at(-1) ?? '';
  if (own === '' || /^(?:Error|Exception)$/.test(own)) return null;
  return WORDS.find(([, words]) => words.test(own))?.[0] ?? null;
}
