/** `blockerEvidence`: a blocker in words, the case first. `blockerCase`: what names the case; `blockerKey` is made of it. */
import { BLOCKERS } from './blocker.ts';
import type { Blocker, BlockerCode, Found } from './blocker-rule.ts';

interface Words {
  readonly case: (found: Found) => string;
  readonly details: (found: Found) => readonly string[];
}

/** The row of the very code, so its functions take what the blocker knows. */
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

/** What makes two blockers the same decision: the code and what names the case. */
export function blockerKey(blocker: Blocker): string {
  return `${blocker.code}|${blockerCase(blocker)}`;
}

/** The code of the blocker that the key names. */
export function keyCode(key: string): string {
  return key.slice(0, key.indexOf('|'));
}
