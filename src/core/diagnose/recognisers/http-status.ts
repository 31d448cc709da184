/**
 * `HTTP_STATUS`, `HTTP_REQUEST`: an HTTP status counts only in context ("status code 503", "HTTP/1.1 401", "E429"), never as a bare
 * number.
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

function status(codes: RegExp): readonly RegExp[] {
  return [
    inOrder([CONTEXT], /["']?(?: ?[:=(]| -| was| is| of)?[ "']{0,2}/, [codes], /\b/, NO_COUNT),
    inOrder(/(?:^|[^\w.:/-])/i, [codes], / /, [PHRASE]),
    inOrder(/^(?:[\w.$:]{1,80}(?:Error|Exception|Exited): )/, [inOrder(/\(?/, [codes], /\)?/)], /(?: |:|$)/),
    oneOf(
      inOrder(/\bE/, [codes], /\b/),
      inOrder(/\(/, [codes], /\)(?: |$|\.)/),
      inOrder(/^[*✖✗] .{0,60}: /, [codes], / /),
    ),
  ];
}

export const HTTP_STATUS = [
  r(
    'http.auth',
    'auth_failure',
    [...status(/401|403|407/), /^(?:\w{0,60}(?:Error|Exception): )?(?:Unauthorized|Forbidden)\.?$/],
    {
      alone: 0.6,
      cause: 'The service answers that this login may not do it: {message}',
      examples: [
        'AxiosError: Request failed with status code 401',
        '< HTTP/1.1 403 Forbidden',
        'urllib.error.HTTPError: HTTP Error 401: Unauthorized',
      ],
    },
  ),
  r('http.payment', 'budget_exhausted', status(/402/), {
    alone: 0.6,
    cause: 'The account has to pay first: {message}',
    examples: ['APIError: 402 status code (no body)'],
  }),
  r('http.too-many', 'rate_limited', status(/429/), {
    alone: 0.6,
    cause: 'The service limits how often this account may call it',
    examples: ["fatal: unable to access 'https://x.example/': The requested URL returned error: 429"],
  }),
  r('http.timeout', 'timeout', status(/408/), {
    alone: 0.6,
    cause: 'The service gave up waiting for the request',
    examples: ['Request failed with status code 408'],
  }),
  r(
    'http.server',
    'overloaded',
    [
      ...status(/500|502|503|504|507|508|509|520|521|522|523|524|525|526|527|529|530/),
      inOrder(
        /^(?:\w{0,60}(?:Error|Exception): )?/i,
        /(?:Bad Gateway|Service (?:Temporarily )?Unavailable|Gateway Time-?out|Internal Server Error)\.?$/i,
      ),
    ],
    {
      alone: 0.6,
      cause: 'The service is overloaded or down: {message}',
      examples: [
        'Request failed with status code 503',
        'error: RPC failed; HTTP 502 curl 22 The requested URL returned error: 502',
        'HTTP/1.1 504 Gateway Time-out',
        '<html><head><title>502 Bad Gateway</title></head>',
      ],
    },
  ),
];

export const HTTP_REQUEST = [
  r('http.too-large', 'context_overflow', status(/413/), {
    alone: 0.4,
    cause: 'The request is too large for the service',
    examples: ['Request failed with status code 413'],
  }),
  r('http.bad-request', 'tool_protocol_error', status(/400|405|406|409|415|422/), {
    alone: 0.4,
    cause: 'The service does not accept the shape of the request: {message}',
    examples: ['Request failed with status code 422'],
  }),
  r('http.not-found', 'environment', status(/404|410/), {
    alone: 0.3,
    cause: 'The address does not exist: {message}',
    examples: ['Request failed with status code 404'],
  }),
];
