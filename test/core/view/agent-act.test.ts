import { expect, it } from 'vitest';
import { moneyNote } from '../../../src/core/view/agent-act.ts';

it('money is called played only where a script played every agent that it counts', () => {
  expect(moneyNote(['rehearsal', 'rehearsal'])).toBe('played');
  expect(moneyNote(['rehearsal', 'claude'])).toBe('');
  expect(moneyNote([])).toBe('');
});
