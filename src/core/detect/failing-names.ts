/** `failingNames`, `tellingLine`: the tests that an output says failed, and the line of a failure for a person. */
import { inLines } from '../text/in-lines.ts';

const FAILED_TEST = inLines('gm')`
  ^FAILED (\S+::\S+)|^ {0,8}Failed ([\w.\x60+]+(?:\([^)\n]{0,80}\))?) \[[\d<]|^ *--- FAIL: (\S+)|^test (\S+) \.\.\. FAILED$|
  ^not ok \d+ -? ?(\S.*)$|^(?:FAIL|ERROR): (\w+ \([\w.]+\))|^\[ERROR\] +(\w+(?:\.\w+)+):\d+|
  ^ *[✕✗✖×] (\S.*?)(?: \(?\d+(?:\.\d+)? ?m?s\)?)?$|^ *● (\S.* › \S.*)$|^ *\d{1,3}\) (\S.*)$`;
const SCANNED_CHARS = 20_000;

export function failingNames(output: string): readonly string[] {
  const found = output.slice(-SCANNED_CHARS).matchAll(FAILED_TEST);
  return [...new Set([...found].map((groups) => groups.slice(1).find((name) => name !== undefined) ?? ''))];
}

const COMPARES = /assert|fail(?:ure|ed)|differ|mismatch|expect/i;
/** What runners say of any failure. */
const OF_RUNNER = /\b[\w.]*(?:Error|Exception|Failure|Failed|Assert\w*)\b(?:\.\w+)*(?:\(\))?/g;
const NAMING = /[\d/_'"`]|[a-z][A-Z]/;

function withFailingName(line: string, output: string): string {
  if (!COMPARES.test(line) || NAMING.test(line.replace(OF_RUNNER, ''))) return line;
  const [name] = failingNames(output);
  return name === undefined || line.includes(name) ? line : `${name}: ${line}`;
}

/** Says how many errors there are, or that something failed while another thing was done. */
const ANNOUNCES =
  /(?<![#\d])\b[1-9]\d* (?:\w+ )?(?:errors?|problems?|issues?|violations?)\b(?! in \d)|\w(?:Error|Exception) while \w+ing\b/;
/** Tells a status and a time. */
const STATUS_ONLY =
  /^\S{1,40}: (?:FAIL\w*|failed|exit|error)\b(?: code)?(?: \d+)?(?: \([\d.]+ ?\w+\))?[.!]?$/i;
/** What runners and linters put before the failure itself. */
const STATED =
  /^(?:E {2,}(?=\w+(?:\.\w+)*(?:Error|Exception)\b)|\S+:\d+:\d+:? (?:error:? )?(?=\S*[A-Z]))(\S.*)$/gm;
const BELOW = 2;
const LONGEST = 240;

export function tellingLine(line: string, output: string): string {
  const isStatus = STATUS_ONLY.test(line);
  if (!isStatus && !ANNOUNCES.test(line)) return withFailingName(line, output);
  const stated = [...output.slice(-SCANNED_CHARS).matchAll(STATED)].map(([whole]) =>
    whole.replace(/^E +/, ''),
  );
  if (stated.length > 0) return (isStatus ? stated[0] : stated.at(-1))?.slice(0, LONGEST) ?? line;
  const lines = output.split('\n').map((each) => each.trim());
  const at = lines.findIndex((each) => each.endsWith(line) && each !== '');
  const below =
    at < 0 || isStatus ? [] : lines.slice(at + 1, at + 1 + BELOW).filter((each) => /[a-z]{3}/i.test(each));
  return [line, ...below].join(' · ').slice(0, LONGEST);
}
