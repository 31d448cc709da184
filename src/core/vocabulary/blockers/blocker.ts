/** `BLOCKERS`, `blocker`: the named reasons why work may not leave its stage, one row per code. */
import type { Blocker, BlockerCode, BlockerRules, Findings, Said } from './blocker-rule.ts';
import { BUILD_BLOCKERS } from './build.ts';
import { COMPOSE_BLOCKERS } from './compose.ts';
import { EXPLORE_BLOCKERS } from './explore.ts';
import { MATERIALIZE_BLOCKERS } from './materialize.ts';
import type { Resolution } from '../questions/resolution.ts';

export const BLOCKERS: BlockerRules<BlockerCode> = {
  ...EXPLORE_BLOCKERS,
  ...BUILD_BLOCKERS,
  ...COMPOSE_BLOCKERS,
  ...MATERIALIZE_BLOCKERS,
};

/** `resolutions`: given if fewer resolutions are possible than the table names. */
export function blocker<C extends BlockerCode>(
  code: C,
  finding: Findings[C] | Said,
  resolutions: readonly Resolution[] = BLOCKERS[code].resolutions,
): Blocker {
  const { stage, returnsTo } = BLOCKERS[code];
  return { code, stage, returnsTo, ...finding, resolutions } as Blocker;
}

export function isBlockerCode(code: string): code is BlockerCode {
  return Object.hasOwn(BLOCKERS, code);
}
