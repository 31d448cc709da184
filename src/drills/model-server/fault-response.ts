/** `respondWithFault`: answers a request in one of the ways in which a model server fails. */
import type { ServerResponse } from 'node:http';
import { messageEvents } from './message-events.ts';
import type { ScriptFault } from './script.ts';

const ERROR_TYPES: Readonly<Record<number, readonly [type: string, message: string]>> = {
  400: ['invalid_request_error', 'prompt is too long: 215000 tokens > 200000 maximum'],
  401: ['authentication_error', 'invalid x-api-key'],
  403: ['permission_error', 'Your API key does not have permission to use the specified resource'],
  429: ['rate_limit_error', 'Number of requests has exceeded your rate limit'],
  500: ['api_error', 'Internal server error'],
  529: ['overloaded_error', 'Overloaded'],
};
const STREAM_HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };

export function respondWithFault(response: ServerResponse, fault: ScriptFault, number: number): void {
  switch (fault.type) {
    case 'status':
      respondWithStatus(response, fault, number);
      return;
    case 'silence':
      return;
    case 'stall':
      writeBeginning(response, fault.text ?? '', number);
      return;
    case 'drop':
      if (fault.text === undefined) response.destroy();
      else writeBeginning(response, fault.text, number, () => response.destroy());
      return;
    case 'malformed':
      respondMalformed(response, fault.kind, number);
      return;
  }
}

function respondWithStatus(
  response: ServerResponse,
  fault: Extract<ScriptFault, { type: 'status' }>,
  number: number,
): void {
  const [type, message] = ERROR_TYPES[fault.status] ?? ['api_error', `Status ${fault.status}`];
  const document = {
    type: 'error',
    error: { type: fault.error_type ?? type, message: fault.message ?? message },
    request_id: `req_${number}`,
  };
  response.writeHead(fault.status, {
    'content-type': 'application/json',
    'request-id': `req_${number}`,
    ...fault.headers,
  });
  response.end(fault.body ?? JSON.stringify(document));
}

/** The stream up to the middle of a message: as far as a model gets before the line goes quiet. */
function writeBeginning(response: ServerResponse, text: string, number: number, then?: () => void): void {
  response.writeHead(200, STREAM_HEADERS);
  const events = messageEvents({ text: `${text} ` }, 'scripted', number);
  const cut = events.findIndex(({ event }) => event === 'content_block_stop');
  response.write(events.slice(0, cut).map(sse).join(''), then);
}

function respondMalformed(
  response: ServerResponse,
  kind: Extract<ScriptFault, { type: 'malformed' }>['kind'],
  number: number,
): void {
  const events = messageEvents({ text: 'This stream breaks.' }, 'scripted', number);
  switch (kind) {
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<html><body>Sign in to the hotel network</body></html>');
      return;
    case 'empty':
      response.writeHead(200, STREAM_HEADERS);
      response.end();
      return;
    case 'json':
      response.writeHead(200, STREAM_HEADERS);
      response.end(
        `${events.slice(0, 3).map(sse).join('')}event: content_block_delta\ndata: {"type": oops\n\n`,
      );
      return;
    case 'truncated':
      response.writeHead(200, STREAM_HEADERS);
      response.end(events.slice(0, 3).map(sse).join('').slice(0, -20));
      return;
  }
}

export function sse(event: { readonly event: string; readonly data: unknown }): string {
  return `event: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`;
}
