/**
 * `SqlText`: a statement that is put together piece by piece, with its values. The pieces are constants of the source. What the same pieces
 * make is put together once: the statement of a turn is long, and the next turn is mostly made of the same.
 */
import type { RedactedText } from '../redaction/redacted.ts';
import type { Bound } from './connection.ts';

/** Of a value in a statement. */
class Place {
  readonly number: number;

  constructor(number: number) {
    this.number = number;
  }
}

interface Text {
  readonly sql: string;
  /** What it becomes by one more piece. */
  readonly next: Map<readonly string[], Text>;
}

const NOTHING: Text = { sql: '', next: new Map() };

/** Rows of a statement, made of items. */
export interface Rows<Item> {
  readonly one: readonly string[];
  readonly many: readonly string[];
  readonly of: readonly ((item: Item) => RedactedText | number)[];
}

type Column<Item> = readonly [name: string, type: string, of: Rows<Item>['of'][number]];

/** The items as rows of a table, each with its `place` from 1 on. One item, as most turns have, costs less outside of arrays. */
export function rowsOf<Item>(name: string, columns: readonly Column<Item>[]): Rows<Item> {
  const as = `AS ${name} (${columns.map(([column]) => column).join(', ')}, place)`;
  return {
    one: `(VALUES (${columns.map(([, type]) => `?::${type}`).join(', ')}, 1)) ${as}`.split('?'),
    many: `unnest(${columns.map(([, type]) => `?::${type}[]`).join(', ')}) WITH ORDINALITY ${as}`.split('?'),
    of: columns.map(([, , of]) => of),
  };
}

export class SqlText {
  readonly values: Bound[] = [];
  #text = NOTHING;

  get sql(): string {
    return this.#text.sql;
  }

  /** The place of the last value: with it, a later piece names that value again. */
  get lastPlace(): Place {
    return new Place(this.values.length);
  }

  /** Used as a tag of a template, or with a constant: a value stands between each two strings of the piece. */
  add(piece: readonly string[], ...values: readonly (Bound | Place)[]): void {
    const places = values.map((value) => (value instanceof Place ? value.number : this.values.push(value)));
    let text = this.#text.next.get(piece);
    if (text === undefined) {
      const sql = piece
        .map((words, index) => (index === 0 ? words : `$${places[index - 1]}${words}`))
        .join('');
      text = { sql: this.sql + sql, next: new Map() };
      this.#text.next.set(piece, text);
    }
    this.#text = text;
  }

  addRows<Item>({ one, many, of }: Rows<Item>, items: readonly Item[]): void {
    const [only] = items;
    if (only !== undefined && items.length === 1) this.add(one, ...of.map((each) => each(only)));
    else this.add(many, ...of.map((each) => items.map(each)));
  }
}
