import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const LONGEST = 140;
/** Tables, sentences and patterns that no formatter wraps. Lower it with every line that you shorten; never raise it. */
const STILL_LONGER = 38;

it(`at most ${STILL_LONGER} lines of the source are longer than ${LONGEST} characters`, () => {
  const long = globSync('src/**/*.ts').flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line, index) => (line.length > LONGEST ? [`${path}:${index + 1}`] : [])),
  );
  expect(
    long.length,
    `a long pattern is a list (oneOf, inOrder), a long sentence too:\n${long.join('\n')}`,
  ).toBeLessThanOrEqual(STILL_LONGER);
});
