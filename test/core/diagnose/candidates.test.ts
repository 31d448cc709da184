import { expect, it } from 'vitest';
import { diagnose } from '../../../src/core/diagnose/diagnose.ts';
import { candidatesOf, judged } from '../../../src/core/diagnose/judged-output.ts';
import { readLines } from '../../../src/core/diagnose/lines/read-lines.ts';

const OUTPUT = [
  '$ make lint',
  'a.md:3: error: Line longer than 80 characters.',
  'Error: connect ECONNREFUSED 127.0.0.1:5432',
  'The command "make lint" exited with 1.',
].join('\n');

it('the candidates stand verbatim in the judged step, the cause of the rules first, each with its class', () => {
  const output = judged(readLines(OUTPUT), {});
  const candidates = candidatesOf(output);
  expect(output.step).toMatchObject({ name: 'make lint', exitCode: 1 });
  expect(candidates[0]?.text).toBe(diagnose({ output: OUTPUT }).evidence[0]?.text);
  expect(candidates.map(({ failureType }) => failureType).toSorted()).toEqual([
    'build_failure',
    'network_failure',
  ]);
  for (const { text, line } of candidates) expect(OUTPUT.split('\n')[line - 1]).toBe(text);
});

it('a verdict that was picked out of a log of many steps never claims nine times in ten', () => {
  expect(diagnose({ output: OUTPUT }).confidence).toBeLessThan(0.9);
});
