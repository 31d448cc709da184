/** What happens, while it happens: a supervised run is an async iterator; `watch` follows one that another process keeps. */
import { supervise, watch } from 'mayday';

const supervised = supervise({
  task: 'write a greeting',
  command: ['sh', '-c', 'echo hello > hello.txt'],
  checks: ['grep -q hello hello.txt'],
});
for await (const { at, type, state } of supervised) console.log(at, type, state);
const run = await supervised;
console.log(run.state, run.delivered?.ref);

for await (const { lines } of watch({ run: run.run_id })) for (const line of lines) console.log(line);
