/** `lifeCells`, `LIFE_LEGEND`: the line of life of a run in the cells of a terminal, by the same grammar as in the browser. */
import { isOverWord } from '../../core/view/list-order.ts';
import { type Piece, piecesOf } from '../../http/life-pieces.ts';
import type { LineDocument } from '../../http/line-document.ts';

export const LIFE_LEGEND = '━ work moves  ─ alive  ┄ checked  ░ waits  ! incident  ◆ needs you  · asked you';

/** Where several fall into one cell, the first of these is shown. */
const SIGNS: readonly (readonly [kind: Piece['kind'], sign: string])[] = [
  ['needs', '◆'],
  ['wait', '░'],
  ['asked', '·'],
  ['moved', '━'],
  ['alive', '─'],
  ['unseen', '─'],
  ['own', '┄'],
];

/** Any other end is a delivery that is not proven. */
const ENDS: Readonly<Partial<Record<LineDocument['word'], string>>> = { delivered: '✓', abandoned: '✗' };

export function lifeCells(line: LineDocument, from: number, now: number, cells: number): string {
  const width = (now - from) / cells;
  const pieces = piecesOf(line, now);
  const begun = new Set(line.incidents.map(({ detected_at }) => cellOf(detected_at)));
  const ended = isOverWord(line.word) ? cellOf(line.updated_at) : null;
  function cellOf(iso: string | null): number | null {
    return iso === null ? null : Math.min(Math.floor((Date.parse(iso) - from) / width), cells - 1);
  }
  return Array.from({ length: cells }, (_, cell) => {
    if (cell === ended) return ENDS[line.word] ?? '○';
    const [left, right] = [from + cell * width, from + (cell + 1) * width];
    const kinds = new Set(pieces.filter((one) => one.from < right && one.to > left).map(({ kind }) => kind));
    if (begun.has(cell) && !kinds.has('needs')) return '!';
    return SIGNS.find(([kind]) => kinds.has(kind))?.[1] ?? ' ';
  }).join('');
}
