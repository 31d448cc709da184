/** `deepestLine`, `innermostCause`: of a failure that tells its causes from the outside in, the last that names something. */
import { inLines } from '../text/in-lines.ts';
import { complains } from '../text/complains.ts';
import { isBanner, namesError } from './error-line.ts';

/** One cause of a chain; alone on its line it announces a list of them. */
const LINK = inLines('i')`
  ^\W{0,4}(?:caused by|root cause|\[cause\]|inner exception|nested exception is)\s*:\s*(.*)$|^(?:-{4,}|-{2,}>) ?(\S+(?:Exception|
  Error) ?:.*)$`;
const LISTED = /^(?:\d+: )?(\S.*)$/;
/** What stands between two causes: their frames. */
const BETWEEN = /^\s|^\.\.\. \d+ more|^at |^$/;
/** What any error of that kind is called. */
const KIND = /\b[\w.$]*(?:Error|Exception|Failure)\b/g;
const NAMES = /[\d/_'"`]|[a-z][A-Z]/;
const SCANNED_CHARS = 40_000;
const LONGEST = 240;

export function deepestLine(line: string, output: string): string {
  return (
    innermostCause(output) ??
    saidByOther(line, output) ??
    withStatement(line, output.slice(0, SCANNED_CHARS).split('\n')).slice(0, LONGEST)
  );
}

/** Of the first chain: other failures have their own. */
export function innermostCause(output: string): string | null {
  let found: string | null = null;
  const lines = output.slice(0, SCANNED_CHARS).split('\n');
  for (const [at, line] of lines.entries()) {
    const link = LINK.exec(line);
    if (link === null) {
      if (found !== null && !BETWEEN.test(line)) break;
      continue;
    }
    const told = (link[1] ?? link[2] ?? '').trim();
    found = told === '' ? (lastListed(lines.slice(at + 1)) ?? found) : told;
  }
  return found !== null && NAMES.test(found.replace(KIND, '')) ? found.slice(0, LONGEST) : null;
}

function lastListed(lines: readonly string[]): string | null {
  const end = lines.findIndex((line) => !/^\s+\S/.test(line));
  const last = lines.slice(0, end < 0 ? undefined : end).at(-1);
  return last === undefined ? null : (LISTED.exec(last.trim())?.[1] ?? null);
}

/** With what git closes a push that was refused, whatever the reason. */
const PUSH_REFUSED =
  /^(?:error: failed to push some refs\b|! \[remote rejected\]|fatal: the remote end hung up)/;
const BY_OTHER = /^remote: +(\S.*)$/gm;
/** What the other side says of any push: progress, links, rules. */
const ANY_PUSH = inLines('')`
  ^(?:Enumerating|Counting|Compressing|Resolving|Processing|Total|To create)\b|^(?:Create a|View) (?:pull|merge)\b|^https?:|^\W*$`;

function saidByOther(line: string, output: string): string | null {
  if (!PUSH_REFUSED.test(line)) return null;
  const said = [...output.slice(0, SCANNED_CHARS).matchAll(BY_OTHER)]
    .map(([, each = '']) => each.trim())
    .filter((each) => !ANY_PUSH.test(each) && !isBanner(each));
  const told = said.find((each) => namesError(each) || complains(each)) ?? said[0];
  return told === undefined ? null : `remote: ${told}`.slice(0, LONGEST);
}

/** Names a test, or a step, and not what is wrong with it. */
const BARE = inLines('')`
  ^(?:FAIL(?:ED)?:?|--- FAIL:|[●✕✗✖×]|\d{1,3}\)) (?!.* - )(?!.*(?:Error|Exception)\b)[^:]*(?:::?\w[^:]*)*$|\[FAIL\]$|\b[Ee]rror (?:in|
  at) [^:]*$|^\S+ > \S.* FAILED$`;
const STATES = inLines('')`
  ^(?:E +)?(?:Error|Message|Reason): *(\S.*)$|^(?:E +)?((?:[\w.$]*(?:Error|Exception|Failure) ?: |Failed asserting |
  (?:assertion )?panicked|assert ).*)$|^\S+:\d+:(?:\d+:)? ((?:undefined reference to|(?:fatal )?error:) \S.*)$`;
const BELOW = 30;

function withStatement(line: string, lines: readonly string[]): string {
  if (!BARE.test(line)) return line;
  const bare = line.replace(/\s+/g, ' ');
  const at = lines.findIndex((each) => each.replace(/\s+/g, ' ').includes(bare));
  const below = lines.slice(at + 1, at + 1 + BELOW);
  const [next = ''] = below;
  const stated =
    /^\s+\S/.test(next) && complains(next)
      ? next
      : below.map((each) => STATES.exec(each.trim())).find((each) => each !== null);
  const said =
    typeof stated === 'string' ? stated.trim() : (stated?.[1] ?? stated?.[2] ?? stated?.[3])?.trim();
  return at < 0 || said === undefined ? line : `${line}: ${said}`;
}
