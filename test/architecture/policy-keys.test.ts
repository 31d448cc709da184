import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { POLICY_RULES } from '../../src/core/vocabulary/policy.ts';

const SOURCES = resolve(import.meta.dirname, '../../src');
/** Files that only name the keys. */
const LISTS = ['core/vocabulary/policy.ts', 'report/replay/replay-history.ts'];

it('every limit that people can set is one that something goes by', () => {
  const code = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !LISTS.includes(file))
    .map((file) => readFileSync(join(SOURCES, file), 'utf8'))
    .join('\n');
  const words = new Set(code.match(/\b[a-z_]+\b/g));
  expect(Object.keys(POLICY_RULES).filter((key) => !words.has(key))).toEqual([]);
});
