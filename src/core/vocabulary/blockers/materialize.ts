/** `MATERIALIZE_BLOCKERS`: the blockers that keep finished work from its sink. */
import type { BlockerCode, BlockerRules } from './blocker-rule.ts';
import { changedLine, listedPaths, policyLine } from './words.ts';

const SAME_WORK = 'the same work is delivered; what is there stays as it is';

// biome-ignore format: the short columns of a row stand together
export const MATERIALIZE_BLOCKERS = {
  patch_does_not_apply: {
    says: 'the patch does not apply to the sink',
    stage: 'materialize', returnsTo: 'materialize', concern: 'sink', category: 'constraint_conflict', reason: 'Git/forge error',
    resolutions: ['rebase', 'choose_patch_output', 'abandon'],
    question: ({ what }) => ({
      text: `The work is complete and kept. ${what} Move it onto the current target, or write the patch as it is?`,
      labels: {
        choose_patch_output: ['write the patch against the base', 'it applies to the commit the work began from'],
      },
    }),
  },
  sink_not_writable: {
    says: 'the sink cannot be written',
    stage: 'materialize', returnsTo: 'materialize', concern: 'sink', category: 'environment', reason: 'Git/forge error',
    resolutions: ['fix_sink', 'choose_patch_output', 'abandon'],
    question: ({ what, sink }) => ({
      text: `The work is complete and kept, but the sink cannot be written: ${what} How should it be delivered?`,
      labels:
        sink.type === 'branch'
          ? { fix_sink: ['I fixed the sink: deliver again, or to the branch that your note names', SAME_WORK] }
          : {},
    }),
  },
  generator_unavailable: {
    says: 'a program the sink needs is missing',
    stage: 'materialize', returnsTo: 'materialize', concern: 'sink', category: 'environment',
    resolutions: ['fix_sink', 'choose_patch_output', 'abandon'],
    question: ({ what }) => ({
      text: `The work is complete and kept, but a program for the sink is missing: ${what} How should it be delivered?`,
    }),
  },
  sink_drifted: {
    says: 'the sink moved since the base',
    stage: 'materialize', returnsTo: 'materialize', concern: 'sink', category: 'constraint_conflict', reason: 'Git/forge error',
    resolutions: ['rebase', 'choose_patch_output', 'abandon'],
    question: ({ what, sink, ownBranch }) => ({
      text: `The work is complete and kept, but the sink moved: ${what} How should it be delivered?`,
      labels:
        sink.type !== 'branch'
          ? {}
          : sink.name === ownBranch
            ? { fix_sink: ['deliver to another branch, named by your note', SAME_WORK, true] }
            : { fix_sink: [`deliver to ${ownBranch}, or to the branch that your note names`, SAME_WORK] },
    }),
  },
  approval_required: {
    says: 'writing there needs an approval',
    stage: 'materialize', returnsTo: 'materialize', concern: 'sink', category: 'constraint_conflict',
    resolutions: ['record_judgment', 'choose_patch_output', 'abandon'],
    key: ['rule', 'says', 'files', 'path', 'run'],
    case: (found) => {
      switch (found.source) {
        case 'policy':
          return policyLine(found);
        case 'git':
          return `the git configuration changed while the agent worked (${found.files.join(', ')}): push with it?`;
        case 'file':
          return `${found.path} already exists and is not a delivery of run ${found.run}: replace it?`;
        case 'directory':
          return `${found.path} holds other content where the work goes: replace ${listedPaths(found.files)}?`;
      }
    },
    details: (found) => (found.source === 'policy' ? [changedLine(found)] : []),
    question: ({ what }) => ({
      text: `The work is complete. Writing it needs your approval: ${what}`,
      labels: { record_judgment: ['approve', 'recorded as your approval of exactly this tree, then delivered', false] },
    }),
  },
  delivery_failed: {
    says: 'the sink failed',
    stage: 'materialize', returnsTo: 'materialize', concern: 'sink', category: 'environment', reason: 'Git/forge error',
    resolutions: ['retry', 'fix_sink', 'choose_patch_output', 'abandon'],
    question: ({ what }) => ({
      text: `The work is complete and kept, but it could not be delivered: ${what} How should it be delivered?`,
      labels: { retry: ['try the delivery again', 'only what is missing is done; nothing is delivered twice'] },
    }),
  },
} as const satisfies Partial<BlockerRules<BlockerCode>>;
