/** `LongestFirst`: the order of test files. One that is begun last and takes a minute leaves the other cores idle for it. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** From the longest down; the rest follow in the order of their size. */
const LONG: readonly string[] = [
  'context/ten-runs',
  'drills/storm',
  'drills/bundled',
  'crash/',
  'e2e/forged-evidence',
  'docs/snippets',
  'drills/limit',
  'e2e/faults',
  'e2e/bad-input',
  'drills/',
  'package/',
  'docs/',
  'e2e/',
  'core/diagnose/hostile',
  'act/',
  'agents/opinion/',
  'simulation/',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files);
    return bySize.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = LONG.findIndex((part) => moduleId.includes(`/test/${part}`));
  return place === -1 ? LONG.length : place;
}
