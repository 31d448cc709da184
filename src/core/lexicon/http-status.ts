/** `withStatus`: finds an HTTP status, which counts only in context ("status code 503", "HTTP/1.1 401", "E429"), never as a bare number. */
import { inLines } from '../text/in-lines.ts';
import { inOrder } from '../text/in-order.ts';

/** What stands before a status. */
const CONTEXT = inLines('i')`
  HTTP(?:\/[\d.]{1,3})?|HTTP Error|HTTP status|HTTP code|status|status[ _]?code|statusCode|Error code|error|API Error|response|
  response code|returned|server returned|replied|answered|answers|responded|Failed|got|ERROR|code|responded with|failed with`;
/** A number of something is no status. */
const NO_COUNT = /(?![.,]?\d|:\d| ?(?:ms|s|bytes|kB|MB|tests?|files?|errors?|lines?|packages?)\b)/i;
/** What stands behind a status. */
const PHRASE = inLines('i')`
  Client Error|Server Error|Unauthorized|Forbidden|Proxy Authentication|Payment Required|Too Many|Service (?:Temporarily )?Unavailable|
  Bad Gateway|Gateway Time-?out|Internal (?:Server )?Error|Request Time-?out|Not Found|Bad Request|Unprocessable|Overloaded|Conflict|
  Site is overloaded`;

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
