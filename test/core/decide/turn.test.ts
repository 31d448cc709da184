/** One turn of the core: what is decided is seen by the next choice, and the last word about a timer counts. */
import { expect, it } from 'vitest';
import { Turn } from '../../../src/core/decide/turn.ts';
import { START, Story } from '../story.ts';

const { state } = new Story().prepared().started();

it('a decision is folded at once and carries the time of the turn', () => {
  const turn = new Turn(state, { at: START });
  turn.decide({ type: 'noted', text: 'seen' });
  expect(turn.decisions).toEqual([{ type: 'noted', text: 'seen', at: START }]);
  expect(turn.state.notes.at(-1)).toEqual({ text: 'seen', at: START });
});

it('commands of one turn have keys of their own, also two of one kind', () => {
  const turn = new Turn(state, { at: START });
  turn.command({ type: 'release' });
  turn.command({ type: 'release' });
  expect(turn.commands.map(({ key }) => key)).toEqual([
    `r1.${state.seq}.0.release`,
    `r1.${state.seq}.1.release`,
  ]);
});

it('of a timer that is set and cancelled the last word counts', () => {
  const turn = new Turn(state, { at: START });
  turn.timer('retry', 1);
  turn.cancel('retry');
  turn.cancel('question');
  turn.timer('question', 2);
  turn.timer('question', 3);
  expect(turn.timers).toEqual({ set: [{ name: 'question', dueAt: 3 }], cancel: ['retry'] });
});

it('marks quotations with the chance of its fact, and without one with the same letters each time', () => {
  const mark = (chance?: string) =>
    new Turn(state, { at: START, ...(chance === undefined ? {} : { chance }) }).mark;
  expect(mark('k7q')).toBe('k7q');
  expect(mark()).toBe(mark());
  expect(mark()).not.toBe('');
});
