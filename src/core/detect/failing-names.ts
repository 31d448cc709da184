/**
 * `withFailingName`: an error line that any test could have, completed by the first test that the output says failed, so that two tests
 * that fail alike are told apart.
 */
import { oneOf } from '../text/one-of.ts';

const FAILED_TEST = oneOf(
  /^FAILED (\S+::\S+)|^ {0,8}Failed ([\w.`+]+(?:\([^)\n]{0,80}\))?) \[[\d<]|^ *--- FAIL: (\S+)/gm,
  /^test (\S+) \.\.\. FAILED$|^not ok \d+ -? ?(\S.*)$|^(?:FAIL|ERROR): (\w+ \([\w.]+\))|^\[ERROR\] +(\w+(?:\.\w+)+):\d+/,
  /^ *[✕✗✖×] (\S.*?)(?: \(?\d+(?:\.\d+)? ?m?s\)?)?$|^ *● (\S.* › \S.*)$|^ *\d{1,3}\) (\S.*)$/,
);
const SCANNED_CHARS = 20_000;

function failingNames(output: string): readonly string[] {
  const found = output.slice(-SCANNED_CHARS).matchAll(FAILED_TEST);
  return [...new Set([...found].map((groups) => groups.slice(1).find((name) => name !== undefined) ?? ''))];
}

const COMPARES = /assert|fail(?:ure|ed)|differ|mismatch|expect/i;
/** What runners say of any failure. */
const OF_RUNNER = /\b[\w.]*(?:Error|Exception|Failure|Failed|Assert\w*)\b(?:\.\w+)*(?:\(\))?/g;
const NAMING = /[\d/_'"`]|[a-z][A-Z]/;

export function withFailingName(line: string, output: string): string {
  if (!COMPARES.test(line) || NAMING.test(line.replace(OF_RUNNER, ''))) return line;
  const [name] = failingNames(output);
  return name === undefined || line.includes(name) ? line : `${name}: ${line}`;
}
