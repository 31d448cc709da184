/** `respondWithFault`: answers a request in one of the ways in which a model server fails. */
import type { ServerResponse } from 'node:http';
import type { ScriptFault } from './script.ts';
import type { ModelWire, StatusFault } from './wire.ts';

const STREAM_HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };
/** A stream that breaks has begun. */
const BEFORE_BREAK = 3;

export function respondWithFault(
  response: ServerResponse,
  fault: ScriptFault,
  wire: ModelWire,
  number: number,
): void {
  switch (fault.type) {
    case 'status':
      respondWithStatus(response, fault, wire, number);
      return;
    case 'silence':
      return;
    case 'stall':
      writeBeginning(response, fault.text ?? '', wire, number);
      return;
    case 'drop':
      if (fault.text === undefined) response.destroy();
      else writeBeginning(response, fault.text, wire, number, () => response.destroy());
      return;
    case 'malformed':
      respondMalformed(response, fault.kind, wire, number);
      return;
  }
}

function respondWithStatus(
  response: ServerResponse,
  fault: StatusFault,
  wire: ModelWire,
  number: number,
): void {
  response.writeHead(fault.status, {
    'content-type': 'application/json',
    'request-id': `req_${number}`,
    ...fault.headers,
  });
  response.end(fault.body ?? JSON.stringify(wire.errorDocument(fault, number)));
}

/** The stream up to the middle of a message: as far as a model gets before the line goes quiet. */
function writeBeginning(
  response: ServerResponse,
  text: string,
  wire: ModelWire,
  number: number,
  then?: () => void,
): void {
  response.writeHead(200, STREAM_HEADERS);
  const frames = wire.frames({ text: `${text} ` }, 'scripted', number);
  response.write(
    textOf(
      frames.slice(
        0,
        frames.findIndex(({ closes }) => closes),
      ),
    ),
    then,
  );
}

function respondMalformed(
  response: ServerResponse,
  kind: Extract<ScriptFault, { type: 'malformed' }>['kind'],
  wire: ModelWire,
  number: number,
): void {
  const begun = textOf(
    wire.frames({ text: 'This stream breaks in its middle.' }, 'scripted', number).slice(0, BEFORE_BREAK),
  );
  if (kind === 'html') {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<html><body>Sign in to the hotel network</body></html>');
    return;
  }
  response.writeHead(200, STREAM_HEADERS);
  if (kind === 'empty') response.end();
  else response.end(kind === 'json' ? `${begun}data: {"type": oops\n\n` : begun.slice(0, -20));
}

function textOf(frames: readonly { readonly text: string }[]): string {
  return frames.map(({ text }) => text).join('');
}
