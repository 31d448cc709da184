/** `OPENCODE_QUIRKS`: measured habits of opencode that are misleading, by version range. Each has a test over a recording. */
import type { Quirk } from '../quirk.ts';

export const OPENCODE_QUIRKS: readonly Quirk[] = [
  {
    code: 'no_last_line',
    what: 'nothing on stdout says that the run is over',
    answer: 'a step that ends with "stop" is its last word',
  },
  {
    code: 'call_told_when_ended',
    what: 'stdout tells a tool call only when it has ended',
    answer: 'a plugin of the attempt tells it before it starts',
  },
  {
    code: 'sleeps_silently',
    what: 'its own retries, and a long Retry-After, are waited for without a word',
    answer: 'the plugin tells the retries; the silence is timed from outside',
  },
  {
    code: 'compaction_cycle',
    what: 'a context that is too long is compacted and tried again without end',
    answer: 'each compaction is read; the cycle is noticed from outside',
  },
  {
    code: 'unbounded_loop',
    what: 'the same call is made without end',
    answer: 'the loop is noticed from outside',
  },
  {
    code: 'all_signals_orphan_tools',
    what: 'every signal leaves the running tool alive',
    answer: 'the container is emptied after every end',
  },
];
