/** `recordedPeerCells`, `cellsOfPasses`, `withPasses`: the measured cells as data that is kept, and the passes that renew them. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PeerCell } from './peer-cell.ts';

export const DATA = join(resolve(import.meta.dirname, '../..'), 'bench/peers.jsonl');
/** In the folder of every pass. */
export const PASS_FILE = 'cells.jsonl';

export function recordedPeerCells(): readonly PeerCell[] {
  return existsSync(DATA) ? cellsIn(DATA) : [];
}

/** A folder without cells fails: it is a name typed wrong. */
export function cellsOfPasses(folders: readonly string[]): readonly PeerCell[] {
  return folders.flatMap((folder) => cellsIn(join(resolve(folder), PASS_FILE)));
}

/**
 * What was measured now takes the place of all older runs of the same contestant, trouble and agent: a median over runs of two programs is the
 * median of neither. Of two runs with the same number, the newer counts.
 */
export function withPasses(
  recorded: readonly PeerCell[],
  measured: readonly PeerCell[],
): readonly PeerCell[] {
  const renewed = new Set(measured.map(placeOf));
  const kept = recorded.filter((cell) => !renewed.has(placeOf(cell)));
  const runs = [...kept, ...measured].toSorted((one, other) => one.at.localeCompare(other.at));
  const all = new Map(runs.map((cell) => [runOf(cell), cell]));
  return [...all.values()].toSorted((one, other) => runOf(one).localeCompare(runOf(other)));
}

const placeOf = ({ agent, contestant, trouble }: PeerCell): string => `${trouble} ${agent} ${contestant}`;
const runOf = (cell: PeerCell): string => `${placeOf(cell)} ${cell.time}`;

function cellsIn(file: string): readonly PeerCell[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => PeerCell.parse(JSON.parse(line)));
}
