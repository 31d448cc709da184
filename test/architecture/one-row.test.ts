/** Everything about a failure class or a blocker stands in its row: no other file keeps a table, a set or a switch of them. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { BLOCKERS } from '../../src/core/vocabulary/blockers/blocker.ts';
import { FAILURE_CLASS_NAMES } from '../../src/core/vocabulary/classes/failure-class.ts';

const NAMES = [...FAILURE_CLASS_NAMES, ...Object.keys(BLOCKERS)].join('|');

/** The rows, the fields of blockers, and what finds a class in a text or an end. */
const ROWS_AND_FINDERS = [
  'src/core/vocabulary/classes/',
  'src/core/vocabulary/blockers/',
  'src/core/vocabulary/blockers/blocker-rule.ts',
  'src/core/state/journal-v1/',
  'src/core/lexicon/',
  'src/core/diagnose/command/exit-status.ts',
  'src/core/diagnose/patterns/built-in-patterns.ts',
  'src/agents/',
  'src/act/deliver/',
  'src/core/vocabulary/signal.ts',
];

/** Three of them in one list, one table or one switch. */
const TABLES: readonly RegExp[] = [
  new RegExp(`(?:'(?:${NAMES})'[,\\s|]*){3}`),
  new RegExp(`(?:\\n\\s+(?:${NAMES}):[^\\n]*){3}`),
  new RegExp(`(?:\\n\\s+case '(?:${NAMES})':(?:(?!\\n\\s+(?:case|default))[^])*){3}`),
];

it('no file but the rows keeps a table of failure classes or blockers', () => {
  const found = globSync('src/**/*.ts')
    .filter((path) => !ROWS_AND_FINDERS.some((begin) => path.startsWith(begin)))
    .filter((path) => TABLES.some((pattern) => pattern.test(readFileSync(path, 'utf8'))));
  expect(found).toEqual([]);
});

it.each([
  "new Set(['crashed', 'frozen', 'stalled'])",
  '{\n  crashed: [again],\n  frozen: [again],\n  check_failed: [again],\n}',
  "switch (it) {\n  case 'crashed':\n    return 1;\n  case 'frozen':\n  case 'stalled':\n    return 2;\n}",
])('the search finds a table like %j', (text) => {
  expect(TABLES.some((pattern) => pattern.test(text))).toBe(true);
});
