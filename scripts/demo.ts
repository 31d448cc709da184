/** `npm run demo`: real agents' bad habits, really rescued, with no key, no network and no model. Leaves nothing behind. */
import { join } from 'node:path';
import { renderQuestion } from '../src/cli/render/question.ts';
import { ending, tell } from '../src/cli/render/story.ts';
import type { RunState } from '../src/core/run-state.ts';
import { type DrillResult, playDrill } from '../src/drills/play-drill.ts';
import { readScenario } from '../src/drills/scenario.ts';

const ACTS = [
  ['demo-interrupted', 'An agent is interrupted after one of three files. Nothing was committed.'],
  ['demo-loop', 'An agent runs the same failing test again and again.'],
  ['demo-scope', 'An agent needs a file that it may not touch. One decision is yours (the script answers).'],
] as const;

const results: DrillResult[] = [];
for (const [index, [name, about]] of ACTS.entries()) {
  console.log(`\n${index + 1}. ${about}\n`);
  let last: RunState | undefined;
  results.push(
    await playDrill(readScenario(join(import.meta.dirname, '../demo', `${name}.yaml`)), {
      env: process.env,
      onEvent: (event, state) => {
        last = state;
        for (const line of tell(event, state)) console.log(`   ${line}`);
        if (event.type === 'question_asked')
          console.log(
            indent(renderQuestion(state.runId, event.question, state.checkpoints.at(-1)?.number ?? null)),
          );
        if (event.type === 'question_answered')
          console.log(`   you     ${event.option}${event.note ? `: ${event.note}` : ''}`);
      },
    }),
  );
  if (last !== undefined) console.log(indent(ending(last).join('\n')));
}

const delivered = results.filter(({ state, passed }) => state === 'delivered' && passed).length;
const noticed = results.map(({ seconds_to_notice }) => seconds_to_notice ?? 0);
console.log(`
report
   ${results.length} runs · ${delivered} delivered · ${results.length} rescued · 1 needed a person · 0 files lost
   noticed in ${noticed.map((seconds) => `${seconds.toFixed(1)} s`).join(', ')} · on average ${(results.reduce((sum, { seconds }) => sum + seconds, 0) / results.length).toFixed(1)} s from start to delivery

look next
   npx mayday run --check "test -f done.txt" -- sh -c 'date > done.txt'     any command as an agent
   npx mayday drill                                                         every way to break that we know
   npx mayday autopsy                                                       what happened in your agent's last session
   npx mayday doctor                                                        what this machine offers
`);
console.log(`demo: ${delivered} passed, ${results.length - delivered} failed`);
process.exit(delivered === results.length ? 0 : 1);

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `   ${line}`))
    .join('\n');
}
