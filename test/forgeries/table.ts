/** `FORGERIES`: the rows of docs/explanation/forgeries.md, each with its defence and its proof. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');

export interface ForgeryRow {
  readonly forgery: string;
  readonly ends: string;
  /** A file of the source. */
  readonly defence: string;
  /** A file of tests, and the title of a test in it. */
  readonly file: string;
  readonly title: string;
}

const ROW =
  /^\| (?<forgery>[^|]+) \| (?<ends>[^|]+) \| `(?<defence>[^`]+)` \| `(?<file>[^`]+)`: (?<title>.+) \|$/;
const BROKEN = { ends: '', defence: '', file: '', title: '' };

export const FORGERIES: readonly ForgeryRow[] = readFileSync(
  join(ROOT, 'docs/explanation/forgeries.md'),
  'utf8',
)
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| forgery'))
  .map((line) => ({ ...BROKEN, forgery: line, ...ROW.exec(line)?.groups }));
