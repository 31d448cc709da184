import { expect, test } from 'vitest';
import { CONTEXT_RULES } from '../../../src/record/redaction/context-rules.ts';
import { SUSPICIOUS } from '../../../src/record/redaction/redact.ts';
import { SECRET_WORDS } from '../../../src/record/redaction/secret-context.ts';

const found = (text: string): readonly string[] => text.match(SUSPICIOUS) ?? [];

test('every word that stands near a secret is found as it is written', () => {
  const words = [...SECRET_WORDS, ...CONTEXT_RULES.flatMap(({ hints }) => hints)];
  expect(words.filter((word) => found(`x${word}x`).length === 0)).toEqual([]);
});

test('a colon alone is not suspicious: nearly every line of a log has one', () => {
  expect(found('2026-11-17T10:00:01Z [info] built: 12 files')).toEqual([]);
});
