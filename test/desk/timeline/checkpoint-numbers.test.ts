import { expect, test } from 'vitest';
import { checkpointNumbers } from '../../../desk/timeline/checkpoint-numbers.ts';

const END = 1_000;

test('the number of a checkpoint stands after its tick, at the end of the line before it', () => {
  const placed = checkpointNumbers(
    [
      { number: 9, x: 500 },
      { number: 10, x: 996 },
    ],
    END,
  );
  expect(placed.get(9)?.from).toBe(504);
  expect(placed.get(10)?.to).toBe(992);
});

test('the first and the last have their number, however crowded the line is', () => {
  const ticks = Array.from({ length: 60 }, (_, at) => ({ number: at + 1, x: 700 + at * 5 }));
  const placed = checkpointNumbers(ticks, END);
  expect([...placed.keys()].toSorted((a, b) => a - b)).toEqual([1, 60]);
});
