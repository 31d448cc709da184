/** `EXPLORE_BLOCKERS`: the blockers that stop a run before the work begins. */
import type { BlockerCode, BlockerRules } from './blocker-rule.ts';
import { listedPaths, policyLine } from './words.ts';

// biome-ignore format: the short columns of a row stand together
export const EXPLORE_BLOCKERS = {
  scope_missing: {
    says: 'nothing says what may change',
    stage: 'explore', returnsTo: 'explore', concern: 'scope', category: 'ambiguous_spec', kind: 'scope',
    resolutions: ['expand_scope', 'abandon'],
    key: [],
    case: () => 'the agent looked and proposed nothing',
    details: () => [],
    question: ({ what }) => ({
      text: `Nothing says what may change: ${what}. May the whole workspace change?`,
      labels: { expand_scope: ['yes, the whole workspace', 'the scope is recorded as yours and the work begins'] },
    }),
  },
  scope_stale: {
    says: 'the scope names what is no longer there',
    stage: 'explore', returnsTo: 'explore', concern: 'scope', category: 'ambiguous_spec', kind: 'scope',
    resolutions: ['expand_scope', 'abandon'],
    key: ['gone'],
    case: ({ gone: [first = ''] }) => first,
    details: ({ gone }) => gone.slice(1),
    question: ({ evidence, scopeLeft }) => {
      const gone = `The scope names what is no longer there: ${listedPaths(evidence)}.`;
      return scopeLeft.length > 0
        ? {
            text: `${gone} Go on with what is left of it, ${scopeLeft.join(', ')}?`,
            labels: { expand_scope: ['go on with what is left of the scope', 'recorded as your confirmation'] },
          }
        : {
            text: `${gone} Nothing is left of it. What may change instead?`,
            labels: {
              expand_scope: [
                'name what may change, as globs with spaces between',
                'recorded as your scope; the work begins',
                true,
              ],
            },
          };
    },
  },
  decision_pending: {
    says: 'an open decision must be taken first',
    stage: 'explore', returnsTo: 'explore', concern: 'judgment', category: 'ambiguous_spec',
    isDecidedForRun: () => true,
    resolutions: ['answer_question', 'record_judgment', 'abandon'],
    key: ['question'],
    case: ({ question }) => question,
    details: (found) => {
      if (found.source === 'task') return ['open in the task'];
      if (found.source === 'repository') return [`open in ${found.file}`];
      return [found.options.length > 0 ? `the agent asks: ${found.options.join(' or ')}` : 'the agent asks'];
    },
    question: ({ what, details: [why = ''] }) => ({
      text: `A decision must be taken before the work: ${what} (${why})`,
      labels: {
        answer_question: ['decide', 'recorded as your decision and told to the agent'],
        record_judgment: ['leave it to the agent', 'recorded as your judgment', false],
      },
    }),
  },
  approval_missing: {
    says: 'an approval is required before the work',
    stage: 'explore', returnsTo: 'explore', concern: 'judgment', category: 'constraint_conflict',
    isDecidedForRun: () => true,
    resolutions: ['record_judgment', 'abandon'],
    key: ['rule', 'says', 'scope'],
    case: (found) => (found.source === 'policy' ? policyLine(found) : `proposed scope: ${found.scope.join(', ')}`),
    details: (found) =>
      found.source === 'policy'
        ? [`paths: ${found.paths.join(', ')}`]
        : [
            ...found.checks.map((check) => `proposed check: ${check}`),
            ...(found.summary === '' ? [] : [found.summary]),
          ],
    question: ({ what, evidence, isProposed }) => ({
      text: isProposed
        ? `The agent looked and proposes: ${evidence.join('; ')}. Confirm and let it build?`
        : `This work needs an approval before it starts: ${what}. Approve?`,
      labels: { record_judgment: ['approve', 'recorded as your approval of exactly this; the work goes on', false] },
    }),
  },
} as const satisfies Partial<BlockerRules<BlockerCode>>;
