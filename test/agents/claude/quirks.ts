/** `CLAUDE_QUIRKS`: measured habits of Claude Code that are misleading, by version range. Each has a test over a recording. */
import type { Quirk } from '../quirk.ts';

const OLDER = ['2.1.197'];
const NEWER = ['2.1.325'];

export const CLAUDE_QUIRKS: readonly Quirk[] = [
  {
    code: 'success_with_error',
    what: 'an API failure ends as subtype "success" with is_error true',
    answer: 'the subtype is never trusted; is_error and the status decide',
  },
  {
    code: 'exit_zero_after_sigint',
    what: 'exit code 0 after SIGINT in the middle of a tool',
    answer: 'an aborted result, or none at all, is interrupted whatever the exit code',
  },
  {
    code: 'exit_zero_when_denied',
    what: 'exit code 0 and "done" when its only write was denied',
    answer: 'a denial with nothing done after it is permission_denied',
  },
  {
    code: 'output_tokens_per_message',
    what: 'each message reports 1 output token; only the result has the sum',
    answer: 'output tokens come from the result alone',
  },
  {
    code: 'hides_retry_after',
    what: 'a long Retry-After (API key) ends the run at once and is not shown',
    answer: 'rate_limited without a time; Mayday backs off',
  },
  {
    code: 'retries_login_failure',
    what: 'a refused key is retried ten times, for three minutes',
    answer: 'its own retries are limited to 2 by environment',
  },
  {
    code: 'silent_stall',
    versions: OLDER,
    what: 'a stream that stops is noticed after 300 s and nothing is said meanwhile; no setting shortens it',
    answer: 'the silence is timed from outside',
  },
  {
    code: 'drop_ends_run',
    versions: OLDER,
    what: 'a connection that breaks in the middle of an answer ends the run after one quiet retry',
    answer: 'network_failure: resumed in the same session',
  },
  {
    code: 'drop_is_retried',
    versions: NEWER,
    what: 'a connection that breaks in the middle of an answer is retried up to the limit',
    answer: 'its own retries are limited to 2 by environment',
  },
  {
    code: 'resume_forgets_open_call',
    versions: OLDER,
    what: 'after a resume the call that was in flight is gone from the history',
    answer: 'the brief says what was in flight',
  },
  {
    code: 'term_orphans_tools',
    versions: OLDER,
    what: 'SIGTERM leaves the running tool alive; its shell has its own session',
    answer: 'the container is emptied after every end',
  },
  {
    code: 'kill_orphans_tools',
    what: 'SIGKILL leaves the running tool alive; its shell has its own session',
    answer: 'the container is emptied after every end',
  },
];
