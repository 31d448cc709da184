import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const LONGEST_LINE = 140;
const MOST_LINES = 300;

const SOURCES = globSync(['src/**/*.ts', 'desk/**/*.{ts,tsx}']).map((path) => ({
  path,
  lines: readFileSync(path, 'utf8').trimEnd().split('\n'),
}));

it(`no line of the source is longer than ${LONGEST_LINE} characters`, () => {
  expect(SOURCES.length).toBeGreaterThan(0);
  const long = SOURCES.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) => (line.length > LONGEST_LINE ? [`${path}:${index + 1}`] : [])),
  );
  expect(long, 'write a long pattern with oneOf or inOrder, a long sentence in parts').toEqual([]);
});

it(`no file of the source has more than ${MOST_LINES} lines`, () => {
  const tall = SOURCES.filter(({ lines }) => lines.length > MOST_LINES).map(({ path }) => path);
  expect(tall, 'split it along its meaning into files named after their main export').toEqual([]);
});
