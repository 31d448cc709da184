/**
 * `keywordAnswer`: the diagnosis that most tools have: a table of words, looked for in the text, the most specific first. It is the
 * stick to measure by, so it is written as well as such a table can be in an hour, and it sees the exit code too.
 */
import { FAILURE_CLASSES, type FailureClass } from '../../src/core/vocabulary/classes/failure-class.ts';
import type { Row } from './row.ts';
import type { Scored } from './score.ts';

const WORDS: readonly (readonly [FailureClass, RegExp])[] = [
  ['context_overflow', /context (?:length|window)|prompt is too long|maximum context|too many tokens/i],
  ['rate_limited', /rate.?limit|too many requests|\b429\b|usage limit|quota/i],
  ['overloaded', /overloaded|\b(?:502|503|529)\b|service unavailable|bad gateway|internal server error/i],
  ['budget_exhausted', /budget|max(?:imum)? turns|credit balance|billing|insufficient (?:credit|funds)/i],
  ['auth_failure', /unauthori[sz]ed|\b401\b|authentication failed|invalid api key|not logged in|credential/i],
  [
    'resource_exhausted',
    /no space left|out of memory|ENOSPC|heap|EMFILE|too many open files|disk quota|OOM/i,
  ],
  ['git_conflict', /CONFLICT|merge conflict|patch does not apply|needs merge/],
  [
    'git_error',
    /index\.lock|\[rejected\]|not a git repository|non-fast-forward|fatal: (?:bad|ambiguous|invalid)/,
  ],
  [
    'network_failure',
    /ECONNREFUSED|ENOTFOUND|ECONNRESET|could not resolve|connection (?:refused|reset)|network/i,
  ],
  ['timeout', /timed? ?out|ETIMEDOUT|deadline exceeded/i],
  ['tool_protocol_error', /tool_use|json.?rpc|MCP error|unexpected token .* in JSON|malformed/i],
  [
    'missing_dependency',
    /cannot find module|no module named|command not found|not found: |could not find package/i,
  ],
  ['permission_denied', /permission denied|EACCES|EPERM|operation not permitted|forbidden|read-only/i],
  [
    'environment',
    /EADDRINUSE|address already in use|unsupported engine|requires (?:node|python)|version .* required/i,
  ],
  ['test_failure', /\d+ (?:failed|failing)|FAIL(?:ED)?\b|tests? failed|AssertionError|assertion/],
  ['build_failure', /error TS\d|syntax ?error|compil(?:e|ation)|build failed|error\[E\d|lint/i],
  ['interrupted', /SIGINT|SIGTERM|interrupted|KeyboardInterrupt|cancel/],
  ['runtime_error', /traceback|exception|panic|segmentation fault|uncaught|TypeError|undefined/i],
];
const SIGNALLED = 128;

export function keywordAnswer(row: Row, withExit: boolean): Scored {
  const said = (failureType: FailureClass | 'success', text = ''): Scored => {
    const recoverable = failureType === 'success' || FAILURE_CLASSES[failureType].recoverable;
    return { row, got: { failureType, recoverable, evidence: text === '' ? [] : [{ line: 1, text }] } };
  };
  if (withExit && row.exit_code === 0) return said('success');
  const lines = row.output.split('\n');
  for (const [type, words] of WORDS) {
    const line = lines.find((text) => words.test(text));
    if (line !== undefined) return said(type, line);
  }
  if (withExit && (row.signal !== null || (row.exit_code ?? 0) > SIGNALLED)) return said('interrupted');
  const error = lines.find((text) => /error|fail/i.test(text));
  if (error !== undefined) return said('runtime_error', error);
  return said(withExit && row.exit_code !== null ? 'unknown' : 'success');
}
