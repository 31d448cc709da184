/**
 * `HTTP_STATUS`, `HTTP_REQUEST`: an HTTP status counts only in context ("status code 503", "HTTP/1.1 401", "E429"), never as a bare
 * number. `withStatus`: finds it, whatever its form.
 */
import { inOrder } from '../../text/in-order.ts';
import { oneOf } from '../../text/one-of.ts';
import { recogniser as r } from '../recogniser.ts';

/** What stands before a status. */
const CONTEXT = oneOf(
  /HTTP(?:\/[\d.]{1,3})?|HTTP Error|HTTP status|HTTP code|status|status[ _]?code|statusCode|Error code|error/i,
  /API Error|response|response code|returned|server returned|replied|answered|answers|responded|Failed|got/i,
  /ERROR|code|responded with|failed with/i,
);
/** A number of something is no status. */
const NO_COUNT = /(?![.,]?\d|:\d| ?(?:ms|s|bytes|kB|MB|tests?|files?|errors?|lines?|packages?)\b)/i;
/** What stands behind a status. */
const PHRASE = oneOf(
  /Client Error|Server Error|Unauthorized|Forbidden|Proxy Authentication|Payment Required|Too Many/i,
  /Service (?:Temporarily )?Unavailable|Bad Gateway|Gateway Time-?out|Internal (?:Server )?Error|Request Time-?out/i,
  /Not Found|Bad Request|Unprocessable|Overloaded|Conflict|Site is overloaded/i,
);

/** The codes that mean something here. */
const CODE = { code: /4(?:0[0-9]|1[035]|22|29)|5(?:0[0234789]|2[0-79]|30)/ } as const;
const FORMS: readonly RegExp[] = [
  inOrder([CONTEXT], /["']?(?: ?[:=(]| -| was| is| of)?[ "']{0,2}/, CODE, /\b/, NO_COUNT),
  inOrder(/(?:^|[^\w.:/-])/i, CODE, / /, [PHRASE]),
  inOrder(/^(?:[\w.$:]{1,80}(?:Error|Exception|Exited): )\(?/, CODE, /\)?(?: |:|$)/),
  inOrder(/\bE/, CODE, /\b/),
  inOrder(/\(/, CODE, /\)(?: |$|\.)/),
  inOrder(/^[*✖✗] .{0,60}: /, CODE, / /),
];

/** A text with a status in any form is read as if it ended with `HTTP 503`. */
export function withStatus(text: string): string {
  if (!/[45]\d\d/.test(text)) return text;
  for (const form of FORMS) {
    const code = form.exec(text)?.groups?.['code'];
    if (code !== undefined) return `${text} HTTP ${code}`;
  }
  return text;
}

function status(codes: RegExp): RegExp {
  return inOrder(/ HTTP /, [codes], /$/);
}

export const HTTP_STATUS = [
  r('http.auth', 'auth_failure', {
    says: [status(/401|403|407/), /^(?:\w{0,60}(?:Error|Exception): )?(?:Unauthorized|Forbidden)\.?$/],
    alone: 0.6,
    cause: 'The service answers that this login may not do it: {message}',
  }),
  r('http.payment', 'budget_exhausted', {
    says: status(/402/),
    alone: 0.6,
    cause: 'The account has to pay first: {message}',
  }),
  r('http.too-many', 'rate_limited', {
    says: status(/429/),
    alone: 0.6,
    cause: 'The service limits how often this account may call it',
  }),
  r('http.timeout', 'timeout', {
    says: status(/408/),
    alone: 0.6,
    cause: 'The service gave up waiting for the request',
  }),
  r('http.server', 'overloaded', {
    says: [
      status(/5\d\d/),
      inOrder(
        /^(?:\w{0,60}(?:Error|Exception): )?/i,
        /(?:Bad Gateway|Service (?:Temporarily )?Unavailable|Gateway Time-?out|Internal Server Error)\.?$/i,
      ),
    ],
    alone: 0.6,
    cause: 'The service is overloaded or down: {message}',
  }),
];

export const HTTP_REQUEST = [
  r('dependency.absent', 'missing_dependency', {
    says: status(/404|410/),
    alone: 0.3,
    roles: ['install'],
    cause: 'The registry does not have it: {message}',
    fix: 'Correct the name, version or registry of {thing|what it names} where it is asked for',
  }),
  r('http.too-large', 'context_overflow', {
    says: status(/413/),
    alone: 0.4,
    cause: 'The request is too large for the service',
  }),
  r('http.bad-request', 'tool_protocol_error', {
    says: status(/400|405|406|409|415|422/),
    alone: 0.4,
    cause: 'The service does not accept the shape of the request: {message}',
  }),
  r('http.not-found', 'environment', {
    says: status(/404|410/),
    alone: 0.3,
    cause: 'The address does not exist: {message}',
  }),
];
