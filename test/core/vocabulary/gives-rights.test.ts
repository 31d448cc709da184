import { expect, test } from 'vitest';
import { type Consequence, givesRights } from '../../../src/core/vocabulary/questions/consequence.ts';

const approve = { type: 'approve', keys: [], judges: [] } as const;

test.each<[boolean, Consequence]>([
  [true, { type: 'allow_tools', tools: ['Bash(curl:*)'] }],
  [true, { type: 'pass_variables', names: ['AWS_SECRET_ACCESS_KEY'] }],
  [true, { type: 'try_again', from: 'gate', checks: ['make release'] }],
  [true, { ...approve, confirms: { scope: ['**'], checks: ['npm test', 'make release'] } }],
  [false, { ...approve, confirms: { scope: ['**'], checks: ['npm test'] } }],
  [false, { ...approve, confirms: null }],
  [false, { type: 'try_again', from: 'agent', checks: [] }],
  [false, { type: 'tell_agent', told: 'answer' }],
])('%s: an answer gives rights where an agent or a run gets more than it has: %j', (gives, then) => {
  expect(givesRights(then, ['npm test'])).toBe(gives);
});
