/** The list of forgeries says where each is proven: the defence is a file of the source, the proof a test of that name. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const ROW =
  /^\| (?<forgery>[^|]+) \| (?<ends>[^|]+) \| `(?<defence>[^`]+)` \| `(?<file>[^`]+)`: (?<title>.+) \|$/;

const rows = readFileSync(join(ROOT, 'docs/explanation/forgeries.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| forgery'))
  .map((line) => ROW.exec(line)?.groups ?? { forgery: line });

it('names at least twenty', () => {
  expect(rows.length).toBeGreaterThanOrEqual(20);
});

it.each(rows)('$forgery', ({ defence = '', file = '', title = '' }) => {
  expect(existsSync(join(ROOT, defence)), defence).toBe(true);
  const proof = readFileSync(join(ROOT, file), 'utf8').replaceAll("\\'", "'");
  expect(proof).toContain(title);
});
