/** `ranOutOf`: reads from the output of programs what a machine ran out of, also for diagnoses of older journals that do not say it. */
import type { Diagnosis, RanOutOf } from '../vocabulary/diagnosis.ts';

/** What the kernel or the runtime says when memory ran out. */
const MEMORY = /memory|heap|\boom\b/i;

export function ranOutOf({ ranOutOf: known, rootCause, evidence }: Diagnosis): RanOutOf {
  const said = [rootCause, ...evidence.map(({ text }) => text)];
  return known ?? (said.some((text) => MEMORY.test(text)) ? 'memory' : 'other');
}
