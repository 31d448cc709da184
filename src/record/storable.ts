/** `storable`: returns a text that can be kept byte for byte; throws with the reason for any other. */
import { MaydayError } from '../platform/mayday-error.ts';

/** A body is a fact about a run, not its output: transcripts hold the bulk. Larger ones are a mistake of the caller. */
const MAX_BODY_CHARS = 16 * 1024 * 1024;

export function storable<T extends string>(body: T): T {
  if (body.length > MAX_BODY_CHARS)
    throw new MaydayError(
      'RECORD_TOO_LARGE',
      `a record of ${body.length} characters is larger than ${MAX_BODY_CHARS}`,
      [
        ['did', 'wrote nothing of it'],
        ['do', 'shorten the text, or put it in a file and name the file'],
      ],
    );
  // JSON.stringify escapes lone surrogates; text that still has one would come back changed.
  if (!body.isWellFormed())
    throw new TypeError('A body must be well-formed Unicode to be kept byte for byte.');
  return body;
}
