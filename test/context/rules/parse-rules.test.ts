import { expect, it } from 'vitest';
import { parseRules } from '../../../src/context/rules/parse-rules.ts';

const policy = (text: string) => parseRules([{ path: '.mayday/policies/p.yaml', text }]);
const decision = (text: string) => parseRules([{ path: '.mayday/decisions/d.md', text }]);

it('a policy is its sentence, its paths and what it forbids, requires or wants approved', () => {
  const text =
    'policy: no links without limits\npaths: src/**\nforbid: [eval]\nrequire: rateLimit\napproval: delivery\n';
  expect(policy(text).rules).toMatchObject([
    {
      id: 'p',
      says: 'no links without limits',
      paths: ['src/**'],
      forbid: ['eval'],
      require: ['rateLimit'],
      approval: 'delivery',
      touchPoint: false,
    },
  ]);
});

it('a decision is a question and its answer; without an answer it is open', () => {
  const head =
    '---\nquestion: Which database?\nanswer: PostgreSQL\nby: ann\nsince: 2026-01-05\n---\nBecause.\n';
  expect(decision(head).decisions).toMatchObject([
    {
      id: 'd',
      question: 'Which database?',
      answer: 'PostgreSQL',
      by: 'ann',
      since: '2026-01-05',
      paths: ['**'],
    },
  ]);
  expect(decision('# Where do tokens live?\n\nWe do not know yet.\n').decisions).toMatchObject([
    { question: 'Where do tokens live?', answer: null },
  ]);
});

it.each([
  ['not YAML', 'policy: [unclosed'],
  ['an unknown key', 'policy: x\nforbids: y\n'],
  ['no sentence', 'paths: [a]\n'],
  ['a pattern that RE2 refuses', 'policy: x\nforbid: ["(?=a)"]\n'],
  ['nothing at all', ''],
])('a policy with %s is named as broken and never skipped in silence', (_, text) => {
  const { rules, broken } = policy(text);
  expect(rules).toEqual([]);
  expect(broken).toEqual([expect.stringContaining('.mayday/policies/p.yaml: ')]);
});
