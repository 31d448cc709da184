/**
 * `SessionRepair`, `repairLines`: mends the text of a session file that its CLI could not go on with: lines that are cut or broken, null
 * bytes, lone surrogates, images that no model takes, calls without a result. What differs between CLIs is a `SessionShape`. Nothing is
 * written here: the caller writes a copy under a new id.
 */
import { type JsonObject, objectOrNull } from '../../core/text/json.ts';

export type SessionRepair =
  | { readonly type: 'whole' }
  /** `mended`: what was done, one line each. */
  | { readonly type: 'repaired'; readonly text: string; readonly mended: readonly string[] }
  | { readonly type: 'refused'; readonly reason: string };

export interface SessionShape {
  /** The first record of every session; without it the CLI does not find the conversation. */
  readonly isHeader: (record: JsonObject) => boolean;
  /** Part of the conversation with the model. */
  readonly isSpoken: (record: JsonObject) => boolean;
  /** The characters of base64 in an image, or null where the part is no image. */
  readonly imageChars: (part: JsonObject) => number | null;
  /** Stands in place of an image. */
  readonly textPart: (text: string) => JsonObject;
  /** Answers calls that have no result, and leaves out results that have no call. */
  readonly closeCalls: (records: readonly JsonObject[]) => {
    readonly records: readonly JsonObject[];
    readonly mended: number;
  };
  /** Joins what is left after lines were lost. */
  readonly relink?: (records: readonly JsonObject[]) => readonly JsonObject[];
}

export const NO_RESULT =
  'No result was recorded: the agent ended while this ran. Whether it had an effect is not known.';

/** The strictest of the large model APIs refuses more than 5 MB, for ever. */
const MAX_IMAGE_CHARS = 5 * 1024 * 1024;
/** With fewer than half of its lines a conversation says something else than what happened. */
const MIN_KEPT = 0.5;

/**
 * `calls`: also what every CLI copes with by itself, because a kill leaves it behind: calls without a result. Asked for once the model
 * API has refused the conversation.
 */
export function repairLines(text: string, shape: SessionShape, calls: boolean): SessionRepair {
  const mended: string[] = [];
  const note = (count: number, what: string): void => {
    if (count > 0) mended.push(`${count} ${what}`);
  };
  const lines = text.split('\n').filter((line) => line.replaceAll('\0', '').trim() !== '');
  const withNulls = text.split('\0').length - 1;
  const parsed = lines.map((line) => objectOrNull(line.replaceAll('\0', '')));
  const kept = parsed.filter((record) => record !== null);
  if (kept.length === 0) return { type: 'refused', reason: 'no line of the session can be read' };
  if (!kept.some((record) => shape.isHeader(record)))
    return { type: 'refused', reason: 'the line that names the session cannot be read' };
  if (kept.length < parsed.length * MIN_KEPT)
    return {
      type: 'refused',
      reason: `${parsed.length - kept.length} of ${parsed.length} lines cannot be read`,
    };
  if (!kept.some((record) => shape.isSpoken(record)))
    return { type: 'refused', reason: 'nothing of the conversation can be read' };
  note(withNulls, 'null bytes taken out');
  note(parsed.length - kept.length, 'broken lines left out');
  const seen = { surrogates: 0, images: 0 };
  const cleaned = kept.map((record) => clean(record, shape, seen) as JsonObject);
  note(seen.surrogates, 'texts with half a character mended');
  note(seen.images, 'images larger than a model takes replaced by a note');
  if (mended.length === 0 && !calls) return { type: 'whole' };
  const closed = shape.closeCalls(shape.relink?.(cleaned) ?? cleaned);
  note(closed.mended, 'calls without their result, or results without their call, closed');
  if (mended.length === 0) return { type: 'whole' };
  return {
    type: 'repaired',
    text: `${closed.records.map((one) => JSON.stringify(one)).join('\n')}\n`,
    mended,
  };
}

function clean(value: unknown, shape: SessionShape, seen: { surrogates: number; images: number }): unknown {
  if (typeof value === 'string') {
    if (value.isWellFormed()) return value;
    seen.surrogates++;
    return value.toWellFormed();
  }
  if (Array.isArray(value)) return value.map((part) => clean(part, shape, seen));
  if (typeof value !== 'object' || value === null) return value;
  const part = value as JsonObject;
  const chars = shape.imageChars(part);
  if (chars !== null && chars > MAX_IMAGE_CHARS) {
    seen.images++;
    return shape.textPart(
      `[An image of ${Math.round((chars * 3) / 4 / 1024 ** 2)} MB was here. No model takes one that large.]`,
    );
  }
  return Object.fromEntries(Object.entries(part).map(([key, one]) => [key, clean(one, shape, seen)]));
}
