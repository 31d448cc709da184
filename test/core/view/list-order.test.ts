import { expect, it } from 'vitest';
import { inListOrder } from '../../../src/core/view/list-order.ts';
import type { LineWord } from '../../../src/core/view/state-word.ts';

it('a list has first what needs a person, then what moves, oldest first, then what is over, latest first', () => {
  const at = (minute: number) => `2026-01-01T00:0${minute}:00Z`;
  const run = (word: LineWord, made: number, changed = made) =>
    ({ word, created_at: at(made), updated_at: at(changed) }) as const;
  const lines = [
    run('delivered', 1, 5),
    run('working', 2),
    run('abandoned', 1, 8),
    run('working', 1),
    run('waiting', 6),
    run('needs_you', 7),
    run('rescuing', 6),
  ];
  expect(inListOrder(lines).map(({ word, created_at }) => `${word} ${created_at.slice(15, 16)}`)).toEqual([
    'needs_you 7',
    'rescuing 6',
    'waiting 6',
    'working 1',
    'working 2',
    'abandoned 1',
    'delivered 1',
  ]);
});
