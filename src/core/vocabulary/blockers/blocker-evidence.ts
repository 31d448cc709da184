/** `blockerEvidence`, `blockerCase`, `blockerSays`, `blockerHeadline`: a blocker in words, the case first. */
import { BLOCKERS, isBlockerCode } from './blocker.ts';
import type { Blocker, BlockerCode, Found } from './blocker-rule.ts';

interface Words {
  readonly case: (found: Found) => string;
  readonly details: (found: Found) => readonly string[];
}

/** The row belongs to this code, so its functions accept the fields of this blocker. */
function wordsOf(code: BlockerCode): Words {
  return BLOCKERS[code] as unknown as Words;
}

export function blockerEvidence(blocker: Blocker): readonly string[] {
  if (blocker.source === 'said') return blocker.said;
  const named = blockerCase(blocker);
  const details = wordsOf(blocker.code).details(blocker);
  return named === '' ? details : [named, ...details];
}

export function blockerCase(blocker: Blocker): string {
  if (blocker.source === 'said') return blocker.said[0] ?? '';
  return wordsOf(blocker.code).case(blocker);
}

/** A code that is no blocker's is the class of a failure. */
export function blockerSays(code: string): string {
  return isBlockerCode(code) ? BLOCKERS[code].says : code.replaceAll('_', ' ');
}

export function blockerHeadline(blocker: Blocker): string {
  return [blockerSays(blocker.code), ...blockerEvidence(blocker).slice(0, 1)].join(': ');
}
