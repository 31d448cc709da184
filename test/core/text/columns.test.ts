import { describe, expect, it } from 'vitest';
import { columns } from '../../../src/core/text/columns.ts';

describe('rows of a table', () => {
  it('have columns as wide as their widest cell, so that no cell runs into the next', () => {
    expect(
      columns([
        ['RUN', 'PROGRESS', 'COST'],
        ['pm3f', '1 m 12 s ago', '-'],
      ]),
    ).toBe('RUN   PROGRESS      COST\npm3f  1 m 12 s ago  -\n');
  });

  it('fit a terminal: the widest columns give way, as far as they still tell something', () => {
    const rows = [
      ['RUN', 'TASK', 'STATE'],
      ['k7f2', 'add passwordless login', 'working'],
    ];
    expect(columns(rows, 26)).toBe('RUN   TASK         STATE\nk7f2  add passwo…  working\n');
    expect(columns(rows, 5)).toContain('add pas…  working');
  });

  it('of a table whose columns differ in weight: those that give are cut before any other', () => {
    const rows = [
      ['RUN', 'TASK', 'STATE'],
      ['k7f2', 'add passwordless login', 'needs you: a-run-of-mine-q1'],
    ];
    expect(columns(rows, 48, [1])).toContain('k7f2  add password…  needs you: a-run-of-mine-q1\n');
  });

  it('keep the end of a path, which tells it from its neighbours', () => {
    expect(columns([['/home/ann/projects/one'], ['/home/ann/projects/two']], 12)).toBe(
      '…rojects/one\n…rojects/two\n',
    );
    expect(columns([['a / b, which is no path']], 12)).toBe('a / b, whic…\n');
  });

  it('end without trailing blanks, and no rows are no lines', () => {
    expect(
      columns([
        ['a', ''],
        ['bcd', ''],
      ]),
    ).toBe('a\nbcd\n');
    expect(columns([])).toBe('');
  });
});
