/** `Page`, `pageSection`, `lineBlock`, `tableBlock`, `listBlock`: a page as data; it is rendered as text, Markdown or HTML. */

export type Block =
  | {
      readonly type: 'lines';
      /** `figure`: the runs behind it can be asked for by this name (`runsBehind`). */
      readonly lines: readonly (readonly [label: string, value: string, figure?: string])[];
    }
  | {
      readonly type: 'table';
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
      /** Of each row; null: no run is behind it. */
      readonly figures?: readonly (string | null)[];
    }
  | { readonly type: 'list'; readonly items: readonly string[]; readonly empty: string }
  | { readonly type: 'chart'; readonly chart: Chart };

export interface Chart {
  readonly title: string;
  /** What a bar is high in, e.g. `minutes`. */
  readonly bars: readonly {
    readonly label: string;
    readonly value: number;
    readonly text: string;
  }[];
}

export interface Section {
  readonly title: string;
  readonly blocks: readonly Block[];
}

export interface Page {
  readonly title: string;
  readonly subtitle: string;
  readonly sections: readonly Section[];
}

type Of<Type extends Block['type']> = Extract<Block, { readonly type: Type }>;

export function pageSection(title: string, ...blocks: readonly Block[]): Section {
  return { title, blocks };
}

export function lineBlock(...all: Of<'lines'>['lines']): Block {
  return { type: 'lines', lines: all };
}

export function tableBlock(
  head: Of<'table'>['head'],
  rows: Of<'table'>['rows'],
  figures?: Of<'table'>['figures'],
): Block {
  return { type: 'table', head, rows, ...(figures && { figures }) };
}

export function listBlock(items: readonly string[], empty: string): Block {
  return { type: 'list', items, empty };
}

/** The whole list is in the JSON. */
export const MAX_ROWS = 12;

export function shortened(items: readonly string[]): string[] {
  const more = items.length - MAX_ROWS;
  return more > 0 ? [...items.slice(0, MAX_ROWS), `and ${more} more`] : [...items];
}
