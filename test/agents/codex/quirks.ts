/** `CODEX_QUIRKS`: measured habits of Codex that are misleading, by version range. Each has a test over a recording. */
import type { Quirk } from '../quirk.ts';

export const CODEX_QUIRKS: readonly Quirk[] = [
  {
    code: 'error_item_in_every_run',
    what: 'an item of type "error" is a notice; good runs have one too',
    answer: 'only turn.failed is a failure',
  },
  {
    code: 'no_usage_on_failure',
    what: 'a turn that fails tells no usage',
    answer: 'the tokens of such an attempt are unknown, never guessed',
  },
  {
    code: 'usage_counts_the_session',
    what: 'after a resume the usage is that of the whole session',
    answer: 'what earlier attempts used in it is taken off',
  },
  {
    code: 'retries_login_failure',
    what: 'a refused key is retried five times',
    answer: 'the retries are read; they last seconds',
  },
  {
    code: 'sleeps_until_reset',
    what: 'a long Retry-After is slept through after one line',
    answer: 'the silence is timed from outside; the line tells that it is a limit',
  },
  {
    code: 'silent_without_answer',
    what: 'a request that is never answered is waited for without a word for 20 minutes and more',
    answer: 'the silence is timed from outside',
  },
  {
    code: 'stall_looks_alive',
    what: 'a stream that stops is told as "Reconnecting" every 300 s',
    answer: 'a retry is no progress: the silence goes on',
  },
  {
    code: 'unbounded_loop',
    what: 'the same call is made without end',
    answer: 'the loop is noticed from outside',
  },
  {
    code: 'wrapper_leaves_agent',
    what: 'SIGKILL of the npm wrapper leaves the agent and its tool running',
    answer: 'the container is emptied after every end',
  },
  {
    code: 'term_orphans_tools',
    what: 'SIGTERM leaves the running tool alive; its shell has its own session',
    answer: 'the container is emptied after every end',
  },
];
