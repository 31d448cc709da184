/** `COMPOSE_BLOCKERS`: the blockers of work that meets the rest of the repository: decisions, policies, other changes. */
import type { BlockerCode, BlockerRules } from './blocker-rule.ts';
import { changedLine, checkStatus, failureLines, listed, policyLine } from './words.ts';

// biome-ignore format: the short columns of a row stand together
export const COMPOSE_BLOCKERS = {
  decision_conflict: {
    says: 'two recorded decisions disagree',
    stage: 'compose', returnsTo: 'compose', concern: 'judgment', category: 'constraint_conflict',
    isDecidedForRun: () => true,
    resolutions: ['record_judgment', 'revise_work', 'abandon'],
    key: ['question'],
    case: ({ question }) => question,
    details: ({ sides }) => [
      sides
        .map(({ answer, file, by }) => `"${answer}" (${file === null ? 'this run' : by === null ? file : `${file}, ${by}`})`)
        .join(' and '),
    ],
    question: ({ what, details: [both = ''] }) => ({
      text: `Two recorded decisions disagree on ${what}: ${both}. Which one holds?`,
      labels: {
        record_judgment: ['keep this work and say which holds', 'recorded as your judgment; the gate is asked again'],
        revise_work: ['change the work to the other decision', 'the agent goes on from the checkpoint and is told so'],
      },
    }),
  },
  policy_violated: {
    says: 'the change breaks a policy of the repository',
    stage: 'compose', returnsTo: 'build', concern: 'policy', category: 'constraint_conflict',
    resolutions: ['revise_work', 'waive_with_reason', 'abandon'],
    key: ['rule', 'says'],
    case: policyLine,
    details: ({ found }) => found,
    question: ({ found, what, details }) => ({
      text: `The change breaks the ${what}. ${details.slice(0, 3).join('; ')}. Make it hold, grant an exception, or reject the work?`,
      labels: {
        revise_work: [
          `make it hold: ${found.source === 'policy' ? found.says : what}`,
          'the agent goes on from the checkpoint to add it',
        ],
        waive_with_reason: [
          'grant an exception',
          'recorded as your exception for exactly this work, with your reason, then delivered',
        ],
        abandon: ['reject the work', 'the run ends; the work stays on a branch of its own'],
      },
    }),
  },
  verification_outdated: {
    says: 'the check passes only because the work changed what judges it (tests, scripts, settings)',
    stage: 'compose', returnsTo: 'build', concern: 'verification', category: 'constraint_conflict',
    resolutions: ['revise_work', 'waive_with_reason', 'abandon'],
    toAgent: 'always', isAboutProof: true,
    key: ['command', 'timedOut', 'exitCode'],
    case: checkStatus,
    details: (found) => [
      `it passes only with what the work changed in ${listed(found.judges)}`,
      ...failureLines(found),
    ],
  },
  change_conflict: {
    says: 'the change conflicts with another change',
    stage: 'compose', returnsTo: 'compose', concern: 'code', category: 'constraint_conflict',
    resolutions: ['rebase', 'revise_work', 'choose_patch_output', 'abandon'],
    key: ['command', 'exitCode', 'name', 'paths'],
    case: (found) =>
      found.source === 'merged_check'
        ? `${found.command}: exit ${found.exitCode} on the merged result, though it passes without the target's changes`
        : `${other(found)} conflicts in ${found.paths.join(', ')}`,
    details: (found) =>
      found.source === 'merged_check'
        ? found.output
        : [`this run: ${found.task}`, ...found.theirs.map((line) => `${other(found)}: ${line}`)],
    question: ({ what, details: [mine = '', ...theirs] }) => ({
      text: `${what}. ${mine}. ${theirs.slice(0, 3).join('; ')}. Which should give way?`,
      labels: {
        rebase: [
          'bring the work onto it; the agent resolves what collides',
          'the work is moved onto the current target; both intents are told to the agent',
        ],
        revise_work: ['do it differently', 'the agent goes on from the checkpoint with your advice', true],
      },
    }),
  },
  judgment_missing: {
    says: 'a required judgment is not recorded',
    stage: 'compose', returnsTo: 'compose', concern: 'judgment', category: 'missing_context',
    // A judgment that a policy requires for finished work holds only for that tree.
    isDecidedForRun: (source) => source !== 'policy',
    resolutions: ['record_judgment', 'abandon'],
    key: ['rule', 'says', 'question'],
    case: (found) => (found.source === 'policy' ? policyLine(found) : found.question),
    details: (found) => [found.source === 'policy' ? changedLine(found) : `open in ${found.file}`],
    question: ({ what, details: [why = ''] }) => ({
      text: `A person must judge this before it goes on: ${what} (${why}). Is it right?`,
      labels: {
        record_judgment: ['yes', 'recorded as your judgment of exactly this tree; a note says more', false],
      },
    }),
  },
} as const satisfies Partial<BlockerRules<BlockerCode>>;

function other({ source, name }: { readonly source: 'target' | 'run'; readonly name: string }): string {
  return source === 'run' ? `run ${name}` : name;
}
