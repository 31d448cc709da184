import { expect, it } from 'vitest';
import { materialMark } from '../../../src/agents/opinion/material-mark.ts';
import { createRedactor } from '../../../src/record/redaction/redact.ts';

it('the same material has the same mark, other material another', () => {
  expect(materialMark('a', 'b')).toBe(materialMark('a', 'b'));
  expect(materialMark('a', 'b')).not.toBe(materialMark('ab'));
  expect(materialMark('a', 'b')).not.toBe(materialMark('', 'ab'));
});

it('no mark is taken for a secret', () => {
  const redactor = createRedactor();
  for (let text = 0; text < 300; text += 1) {
    const mark = materialMark(String(text));
    expect(redactor.redact(`token between <<${mark} and ${mark}>>`)).toContain(mark);
  }
});
