/** `testWords`: how the tests of a runner went, by the sums that its output names. */

const PASSED = /\b(\d{1,6}) (?:tests? |specs? )?(?:passed|passing)\b/gi;
const FAILED = /\b(\d{1,6}) (?:tests? |specs? )?(?:failed|failing)\b/gi;

/** A runner says its sums last. Empty: it names none. */
export function testWords(output: string): string {
  const last = (counts: RegExp) => Number([...output.matchAll(counts)].at(-1)?.[1] ?? 0);
  const [passed, failed] = [last(PASSED), last(FAILED)];
  if (passed + failed === 0) return '';
  const of = failed > 0 ? `${passed} of ${passed + failed}` : `all ${passed}`;
  return passed + failed === 1 ? (failed > 0 ? '1 test failed' : '1 test passed') : `${of} tests passed`;
}
