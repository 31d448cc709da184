/** `PROTOCOL`: malformed JSON between model, tool and server; calls of the wrong shape. */
import { inOrder } from '../../text/in-order.ts';
import { oneOf } from '../../text/one-of.ts';
import { recogniser as r } from '../recogniser.ts';

/** A file of the repository does not parse; nothing answered. */
const NOT_ANSWERED = oneOf(
  /[\w-]\.jsonc?\b(?!\.)|\bEJSONPARSE\b|lockfile|config file|manifest|\byaml\b/i,
  /\.eslintrc|while parsing (?:near )?'\{/i,
);

export const PROTOCOL = [
  r('protocol.json', 'tool_protocol_error', {
    says: /json(?!5)/i,
    and: oneOf(
      /\b(?:pars\w{1,5}|decod\w{1,5}|unmarshal|unexpected|expect(?:ed|ing)|invalid|malformed|unterminated|syntax|trailing)\b/i,
      /\b(?:not valid|must be|at position \d|EOF|control character|missing field|unknown field)\b/i,
      /\w(?:Pars|Decode|Syntax|Mapping)\w{0,5}(?:Error|Exception)/i,
    ),
    alone: 0.55,
    unless: NOT_ANSWERED,
    cause: 'The JSON that came back is not valid',
  }),
  r('protocol.text', 'tool_protocol_error', {
    says: oneOf(
      /invalid character .{0,40}(?:looking for|after|in string|in literal)|MismatchedInputException|Yajl/i,
      /(?:Expecting|Expected) (?:value|property name|',' delimiter|':' delimiter).{0,40}(?:line \d{1,12} column|char \d{1,12})/i,
      /(?:key must be a string|expected value|EOF while parsing|trailing characters).{0,80}at line \d{1,12} column \d{1,12}/i,
      /(?:missing field|unknown field|invalid type: ).{0,80}at line \d{1,12} column \d{1,12}/i,
      /(?:failed to|could not) parse (?:the )?(?:tool|response|arguments|model)/i,
      /parse error: (?:Invalid|Unfinished|Expected|Cut|Objects|Extra)|jq: error.{0,30}parse/i,
    ),
    alone: 0.55,
    unless: NOT_ANSWERED,
    cause: 'The JSON that came back is not valid',
  }),
  r('protocol.call', 'tool_protocol_error', {
    says: oneOf(
      /-32(?!001)\d{3}\b|JSON-?RPC|JSONRPC|Method not found|tools?\/call|McpError/,
      /transport closed|MCP server .{0,60}(?:failed|exited|disconnected|closed|not connected|crashed)|Server transport closed/,
      /Connection closed before initialize|invalid_request_error/,
      /Invalid (?:tool|function) (?:call|arguments|input|parameters|use|name)/,
      /(?:tool|function) (?:call )?(?:arguments|input|parameters) (?:are |is |did not |failed|invalid)|[Uu]nknown tool/,
      /no such tool|no (?:tool|function) (?:named|called)|(?:tool|function)(?: call)? arguments (?:could not|cannot) be/,
      /tool (?:[\w"'`.-]{1,80} )?(?:not found|does not exist|not available)|InputValidationError|ToolInputParsing/,
      /InvalidToolCall|MalformedToolCall|MALFORMED_FUNCTION_CALL|malformed (?:tool|function|response|request)|tool_use_id/,
      /tool_result|tool_use(?:`| ids)|did not conform to|edit format|No (?:tool )?(?:call|output) found for/,
      /(?:tool|function|arguments?|params|input|output|response|request)\b.{0,40}schema validation (?:failed|error)/,
      /does not match (?:the )?(?:schema|expected schema)/,
      inOrder(
        /(?:data|instance|body|arguments|params)(?:\/\S{0,60})? must /,
        /(?:have required property|be (?:string|object|array|number|integer|boolean)|match|NOT have)/,
      ),
      /Input validation error|ValidationError.{0,40}(?:tool|schema|arguments)|String to replace not found|old_string/,
      /has been unexpectedly modified|has not been read yet|without a result|Tool result missing|Invalid API Response/,
      /unparsable response|empty or unpars|expected exactly one .{0,40}item|did not provide any assistant messages/,
      /empty (?:response|completion) from (?:the )?model|thinking blocks?\b.{0,60}(?:cannot be modified|must)/,
      /messages: (?:at least|roles must|final|text content)|Missing required parameter|missing_required_parameter/,
      /Unsupported parameter|unsupported_(?:value|parameter)|Unrecognized request argument|failed_generation|invalid_type/,
      /invalid_union|ZodError|unrecognized_keys|Unexpected message type|Invalid (?:request|params|Request)\b|INVALID_ARGUMENT/,
      /BadRequestError|UnprocessableEntity|422 Unprocessable|400 Bad Request|Error code: (?:400|422)|Content-Length header/,
      /unexpected content type|response validation|Unexpected (?:API )?[Rr]esponse|protocol version|unsupported protocol/,
    ),
    alone: 0.5,
    unless: /timed out|tool (?:go|chain)|context length|not found in PATH/i,
    cause: 'The call or the answer does not have the agreed shape',
  }),
];
