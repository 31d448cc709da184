/** `toStored`, `fromStored`: PostgreSQL keeps no NUL in a text; these write it as two other characters and read it back. */

/** Marks an escaped character; it is escaped itself. */
const MARK = '\u0001';
const [NUL_AS, MARK_AS] = [`${MARK}0`, `${MARK}1`];

export function toStored(text: string): string {
  if (!text.includes('\u0000') && !text.includes(MARK)) return text;
  return text.replaceAll(MARK, MARK_AS).replaceAll('\u0000', NUL_AS);
}

export function fromStored(text: string): string {
  if (!text.includes(MARK)) return text;
  return text.replaceAll(NUL_AS, '\u0000').replaceAll(MARK_AS, MARK);
}
