/** `Page`: a page as data; it is rendered as text, Markdown or HTML. */

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
