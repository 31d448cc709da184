/** `GEMINI_QUIRKS`: measured habits of Gemini CLI that are misleading, by version range. Each has a test over a recording. */
import type { Quirk } from '../quirk.ts';

export const GEMINI_QUIRKS: readonly Quirk[] = [
  {
    code: 'success_after_own_loop_stop',
    what: 'it stops a loop by itself and ends with "success" and exit code 0',
    answer: 'after its loop warning the result is an error: looping',
  },
  {
    code: 'exit_code_is_status_modulo_256',
    what: 'a failed request ends it with the HTTP status modulo 256: 145 is 401',
    answer: 'the status is read from the exit code where the words do not tell it',
  },
  {
    code: 'ignores_signals',
    what: 'SIGINT and SIGTERM are ignored while its second process runs',
    answer: 'it is started without the second process',
  },
  {
    code: 'exit_zero_after_signal',
    what: 'exit code 0 after SIGINT or SIGTERM in the middle of a tool',
    answer: 'without a result it is interrupted whatever the exit code',
  },
  {
    code: 'retries_for_minutes',
    what: 'an overloaded provider is asked ten times, for minutes, without a line on stdout',
    answer: 'the silence is timed from outside',
  },
  {
    code: 'no_usage_on_failure',
    what: 'the statistics of a failed run are zero',
    answer: 'the tokens of such an attempt are unknown, never zero',
  },
  {
    code: 'all_signals_orphan_tools',
    what: 'every signal leaves the running tool alive',
    answer: 'the container is emptied after every end',
  },
];
