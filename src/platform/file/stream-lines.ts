/** `streamLines`: yields the lines of a stream in bounded memory. A longer line is cut one character after the limit, so that it shows. */
import type { Readable } from 'node:stream';

export async function* streamLines(input: Readable, maxChars: number): AsyncGenerator<string> {
  let kept = '';
  const keep = (part: string): void => {
    kept += part.slice(0, Math.max(0, maxChars + 1 - kept.length));
  };
  for await (const chunk of input.setEncoding('utf8') as AsyncIterable<string>) {
    let begin = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', begin)) {
      keep(chunk.slice(begin, end));
      yield kept;
      kept = '';
      begin = end + 1;
    }
    keep(chunk.slice(begin));
  }
  if (kept !== '') yield kept;
}
