import { describe, expect, it } from 'vitest';
import { columns } from '../../../src/cli/render/columns.ts';

describe('rows of a table', () => {
  it('have columns as wide as their widest cell, so that no cell runs into the next', () => {
    expect(
      columns([
        ['RUN', 'PROGRESS', 'COST'],
        ['pm3f', '1 m 12 s ago', '-'],
      ]),
    ).toBe('RUN   PROGRESS      COST\npm3f  1 m 12 s ago  -\n');
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
