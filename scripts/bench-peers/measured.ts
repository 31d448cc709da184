/** `median`, `measured`, `howMeasured`: the middle of several runs, and how many there were on how busy a machine. */
import type { PeerCell } from './peer-cell.ts';

/** A claim about a median needs as many. */
const WANTED_TIMES = 3;

export type Figure =
  | 'acted_s'
  | 'noticed_s'
  | 'noticed_requests'
  | 'seconds'
  | 'lost_files'
  | 'false_stops'
  | 'tokens'
  | 'processes_left';

/** Null when not one of them has this figure. */
export function median(cells: readonly PeerCell[], figure: Figure): number | null {
  const values = cells.map((cell) => cell[figure]).filter((value) => value !== null);
  // Where most did not notice, the median is that it was not noticed.
  return values.length * 2 < cells.length ? null : middleOf(values);
}

/** The column of a row: its runs, and the load of the machine when they began. */
export function measured(cells: readonly PeerCell[]): string {
  const loads = cells.map(({ load }) => load);
  if (cells.length === 1) return `one run, load ${loads[0]}${isLoaded(cells) ? ' (loaded)' : ''}`;
  const most = Math.max(...loads);
  return `${cells.length} runs, load ${middleOf(loads)}, at most ${most}${isLoaded(cells) ? ' (loaded)' : ''}`;
}

/** For the top of the page: what the figures of its rows are worth. */
export function howMeasured(cells: readonly PeerCell[]): string {
  const rows = Object.values(
    Object.groupBy(cells, ({ agent, contestant, trouble }) => `${agent} ${contestant} ${trouble}`),
  ).filter((row) => row !== undefined);
  const few = rows.filter((row) => row.length < WANTED_TIMES).length;
  const loaded = rows.filter(isLoaded).length;
  const loads = cells.map(({ load }) => load);
  const cores = [...new Set(cells.map((cell) => cell.cores))].join(' or ');
  return [
    `The figures are medians over the runs of a row; its last column says how many, and the load of the machine (${cores} cores) when they began: the median, and the most.`,
    `Over all runs the load was ${middleOf(loads)} in the middle and at most ${Math.max(...loads)}.`,
    ...(few === 0
      ? []
      : [
          `${few} of ${rows.length} rows have fewer than ${WANTED_TIMES} runs: they are a first look, which shows what happened, not how fast it is.`,
        ]),
    ...(loaded === 0
      ? []
      : [
          `${loaded} of ${rows.length} rows are marked "loaded": more processes wanted to run than the machine has cores, so their times are too long.`,
        ]),
  ].join('\n');
}

function isLoaded(cells: readonly PeerCell[]): boolean {
  return cells.some(({ load, cores }) => load > cores);
}

function middleOf(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] =
    sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : sorted.slice(middle - 1);
  return Math.round(((low + high) / 2) * 10) / 10;
}
