/**
 * `replyValue`: the one JSON object of a model's reply. `readForm`: a value of a closed form, or what is wrong with it. Nothing of a reply
 * is taken over that a form does not name.
 */
import { isJsonObject, jsonOrNull } from '../text/json.ts';
import { oneLine } from '../text/quote-fenced.ts';

/** Longer replies are not read: the form asks for a few sentences. */
const MAX_REPLY_CHARS = 32_000;

/** Models like to put an object between fences or words; two objects are no answer. */
export function replyValue(reply: string): unknown {
  if (reply.length > MAX_REPLY_CHARS) return null;
  const whole = jsonOrNull(reply.trim());
  if (whole !== null) return whole;
  const start = reply.indexOf('{');
  const end = reply.lastIndexOf('}');
  return start === -1 || end < start ? null : jsonOrNull(reply.slice(start, end + 1));
}

/** Returns undefined where the value is not of the field's kind. */
export type Field<Value> = (value: unknown) => Value | undefined;
export type Form<Answer> = { readonly [Key in keyof Answer]-?: Field<Answer[Key]> };

export function readForm<Answer>(value: unknown, form: Form<Answer>): Answer | string {
  if (!isJsonObject(value)) return 'the answer is not one JSON object';
  const unknown = Object.keys(value).find((key) => !Object.hasOwn(form, key));
  if (unknown !== undefined)
    return `the answer has a key that was not asked for: ${oneLine(unknown).slice(0, 40)}`;
  const read: Partial<Answer> = {};
  for (const key of Object.keys(form) as (keyof Answer & string)[]) {
    const field = form[key](value[key]);
    if (field === undefined) return `the answer's ${key} is missing or not of its form`;
    read[key] = field;
  }
  return read as Answer;
}

/** A sentence or two, on one line, without what a person cannot see. */
export function sentence(most: number): Field<string> {
  return (value) =>
    typeof value === 'string' && value.length <= most * 4 ? oneLine(value).slice(0, most) : undefined;
}

/** Verbatim: a quotation is compared as it is. */
export function verbatim(most: number): Field<string> {
  return (value) =>
    typeof value === 'string' && value.trim() !== '' && value.length <= most ? value : undefined;
}

export function choice<Value extends string>(values: readonly Value[]): Field<Value> {
  return (value) => values.find((each) => each === value);
}

export const share: Field<number> = (value) =>
  typeof value === 'number' && value >= 0 && value <= 1 ? value : undefined;

export const wholeNumber: Field<number> = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

export const truth: Field<boolean> = (value) => (typeof value === 'boolean' ? value : undefined);

export function manyOf<Value>(field: Field<Value>, most: number, least = 0): Field<readonly Value[]> {
  return (value) => {
    if (!Array.isArray(value) || value.length > most || value.length < least) return undefined;
    const read = value.map(field);
    return read.includes(undefined) ? undefined : (read as Value[]);
  };
}

export function formed<Value>(form: Form<Value>): Field<Value> {
  return (value) => {
    const read = readForm(value, form);
    return typeof read === 'string' ? undefined : read;
  };
}

export function orNull<Value>(field: Field<Value>): Field<Value | null> {
  return (value) => (value === null ? null : field(value));
}
