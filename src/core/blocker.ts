/** Named reasons why work may not leave its stage, and the ways out of each. Data: gates, questions and docs are made from it. */
import type { Category, Concern, Stage } from './failure-class.ts';

const RESOLUTIONS = [
  'expand_scope',
  'revise_work',
  'add_verification',
  'answer_question',
  'record_judgment',
  'waive_with_reason',
  'fix_sink',
  'rebase',
  'choose_patch_output',
  'split_work',
  'retry',
  'abandon',
] as const;

export type Resolution = (typeof RESOLUTIONS)[number];

export function isResolution(id: string): id is Resolution {
  return RESOLUTIONS.some((one) => one === id);
}

interface BlockerRule {
  readonly stage: Stage;
  readonly returnsTo: Stage;
  readonly says: string;
  /** What it is about, for the person. */
  readonly concern: Concern;
  /** What was behind it, for learning. */
  readonly category: Category;
  readonly resolutions: readonly Resolution[];
}

// biome-ignore format: a table is read by its columns
export const BLOCKERS = {
  scope_missing: { stage: 'explore', returnsTo: 'explore', says: 'nothing says what may change', concern: 'scope', category: 'ambiguous_spec', resolutions: ['expand_scope', 'abandon'] },
  scope_stale: { stage: 'explore', returnsTo: 'explore', says: 'the scope names what is no longer there', concern: 'scope', category: 'ambiguous_spec', resolutions: ['expand_scope', 'abandon'] },
  decision_pending: { stage: 'explore', returnsTo: 'explore', says: 'an open decision must be taken first', concern: 'judgment', category: 'ambiguous_spec', resolutions: ['answer_question', 'record_judgment', 'abandon'] },
  approval_missing: { stage: 'explore', returnsTo: 'explore', says: 'an approval is required before the work', concern: 'judgment', category: 'constraint_conflict', resolutions: ['record_judgment', 'abandon'] },
  scope_exceeded: { stage: 'build', returnsTo: 'explore', says: 'the change leaves the scope', concern: 'scope', category: 'constraint_conflict', resolutions: ['expand_scope', 'revise_work', 'split_work', 'abandon'] },
  missing_verification: { stage: 'build', returnsTo: 'build', says: 'behaviour changed and no passing check is recorded after the last change', concern: 'verification', category: 'missing_context', resolutions: ['add_verification', 'waive_with_reason', 'abandon'] },
  check_failed: { stage: 'build', returnsTo: 'build', says: 'a required check fails', concern: 'verification', category: 'missing_context', resolutions: ['revise_work', 'waive_with_reason', 'retry', 'abandon'] },
  check_not_recorded: { stage: 'build', returnsTo: 'build', says: 'a required check has no record', concern: 'verification', category: 'missing_context', resolutions: ['retry', 'waive_with_reason', 'abandon'] },
  touch_point_unrecorded: { stage: 'build', returnsTo: 'build', says: 'a named touch point was changed without a record', concern: 'policy', category: 'constraint_conflict', resolutions: ['record_judgment', 'revise_work', 'abandon'] },
  work_too_vague: { stage: 'build', returnsTo: 'build', says: 'the work is too vague to deliver', concern: 'code', category: 'ambiguous_spec', resolutions: ['revise_work', 'answer_question', 'abandon'] },
  work_not_saved: { stage: 'build', returnsTo: 'build', says: 'part of the work is in no checkpoint, and a delivery would lack it', concern: 'environment', category: 'environment', resolutions: ['retry', 'revise_work', 'waive_with_reason', 'abandon'] },
  empty_change: { stage: 'build', returnsTo: 'build', says: 'nothing was changed', concern: 'code', category: 'missing_context', resolutions: ['revise_work', 'waive_with_reason', 'abandon'] },
  decision_conflict: { stage: 'compose', returnsTo: 'compose', says: 'two recorded decisions disagree', concern: 'judgment', category: 'constraint_conflict', resolutions: ['record_judgment', 'revise_work', 'abandon'] },
  policy_violated: { stage: 'compose', returnsTo: 'build', says: 'the change breaks a policy of the repository', concern: 'policy', category: 'constraint_conflict', resolutions: ['revise_work', 'waive_with_reason', 'abandon'] },
  verification_outdated: { stage: 'compose', returnsTo: 'build', says: 'the check passes only with what the work changed in its judge: tests, scripts, settings', concern: 'verification', category: 'constraint_conflict', resolutions: ['revise_work', 'waive_with_reason', 'abandon'] },
  change_conflict: { stage: 'compose', returnsTo: 'compose', says: 'the change conflicts with another change', concern: 'code', category: 'constraint_conflict', resolutions: ['rebase', 'revise_work', 'choose_patch_output', 'abandon'] },
  judgment_missing: { stage: 'compose', returnsTo: 'compose', says: 'a required judgment is not recorded', concern: 'judgment', category: 'missing_context', resolutions: ['record_judgment', 'abandon'] },
  patch_does_not_apply: { stage: 'materialize', returnsTo: 'materialize', says: 'the patch does not apply to the sink', concern: 'sink', category: 'constraint_conflict', resolutions: ['rebase', 'choose_patch_output', 'abandon'] },
  sink_not_writable: { stage: 'materialize', returnsTo: 'materialize', says: 'the sink cannot be written', concern: 'sink', category: 'environment', resolutions: ['fix_sink', 'choose_patch_output', 'abandon'] },
  generator_unavailable: { stage: 'materialize', returnsTo: 'materialize', says: 'a program the sink needs is missing', concern: 'sink', category: 'environment', resolutions: ['fix_sink', 'choose_patch_output', 'abandon'] },
  sink_drifted: { stage: 'materialize', returnsTo: 'materialize', says: 'the sink moved since the base', concern: 'sink', category: 'constraint_conflict', resolutions: ['rebase', 'choose_patch_output', 'abandon'] },
  approval_required: { stage: 'materialize', returnsTo: 'materialize', says: 'writing there needs an approval', concern: 'sink', category: 'constraint_conflict', resolutions: ['record_judgment', 'choose_patch_output', 'abandon'] },
  delivery_failed: { stage: 'materialize', returnsTo: 'materialize', says: 'the sink failed', concern: 'sink', category: 'environment', resolutions: ['retry', 'fix_sink', 'choose_patch_output', 'abandon'] },
} as const satisfies Readonly<Record<string, BlockerRule>>;

export type BlockerCode = keyof typeof BLOCKERS;

export interface Blocker {
  /** A blocker code, or the failure class that blocks. */
  readonly code: string;
  readonly stage: Stage;
  readonly returnsTo: Stage;
  readonly evidence: readonly string[];
  readonly resolutions: readonly Resolution[];
}

export function blocker(code: BlockerCode, evidence: readonly string[]): Blocker {
  const { stage, returnsTo, resolutions } = BLOCKERS[code];
  return { code, stage, returnsTo, evidence, resolutions };
}
