/** A program as the agent: it dies half-way, is resumed from its checkpoint, and its work is proven by a check. */
import { supervise } from 'mayday';

const run = await supervise({
  task: 'write the shopping list',
  command: [
    'sh',
    '-c',
    'if test -f list.txt; then echo bread >> list.txt; else echo milk > list.txt; kill -9 $$; fi',
  ],
  checks: ['grep -q bread list.txt'],
  policy: { backoff_ms: 100 },
  onLine: (line) => console.log(line),
});
console.log(run.state, run.delivered?.ref, `${run.attempts.length} attempts`);
