import { expect, it } from 'vitest';
import { parseTaskFile } from '../../../src/supervise/request/task-file.ts';

it('a task file is its body, and a head that says how far it may go', () => {
  const text = `---
title: Add passwordless login
scope: [src/auth/**, db/token_store.ts]
checks: npm test
decisions:
  - question: Where do tokens live?
    answer: in a table
  - question: How long does a link live?
budget: { usd: 5, time: 2h }
expect: 20m
size: complex
sink: merge:main
---

A link by mail, valid once.
`;
  expect(parseTaskFile(text, 'task.md')).toEqual({
    text: 'Add passwordless login\n\nA link by mail, valid once.',
    scope: ['src/auth/**', 'db/token_store.ts'],
    scopeAt: undefined,
    checks: ['npm test'],
    decisions: [
      { question: 'Where do tokens live?', answer: 'in a table' },
      { question: 'How long does a link live?', answer: null },
    ],
    budget: { usd: 5, tokens: null, turns: null, timeMs: 7_200_000 },
    expectedMs: 1_200_000,
    size: 'complex',
    sink: 'merge:main',
  });
});

it('text without a head is all task, also with CRLF, a byte order mark or a lone rule', () => {
  expect(parseTaskFile('\uFEFFdo it\r\nnow', 't').text).toBe('do it\nnow');
  expect(parseTaskFile('---\nnever closed', 't').text).toBe('---\nnever closed');
});

it.each([
  ['---\nscop: [a]\n---\nx', 'task.md:2: scop:'],
  ['---\nscope: [a]\nbudget: {usd: -1}\n---\nx', 'task.md:3: budget.usd:'],
  ['---\nscope: [a\n---\nx', 'task.md:'],
  ['---\nsize: huge\n---\nx', 'task.md:2: size:'],
])('a wrong head is refused with its place', (text, message) => {
  expect(() => parseTaskFile(text, 'task.md')).toThrow(message);
});

it('what is wrong in the head is told with its own line', () => {
  const text = '---\ntitle: x\nscope: [a]\n\nsinc: branch\n---\nbody\n';
  expect(() => parseTaskFile(text, 'task.md')).toThrow(/^task\.md:5: sinc/);
});
