/** Plays a scenario and tells its story line by line, as `mayday run` would. */
import { renderQuestion } from '../../src/cli/render/question.ts';
import { ending, tell } from '../../src/cli/render/story.ts';
import type { RunState } from '../../src/core/state/run-state.ts';
import type { DrillResult } from '../../src/drills/judge-drill.ts';
import { type Person, playDrill } from '../../src/drills/play-drill.ts';
import { readScenario } from '../../src/drills/scenario.ts';

export interface Told {
  readonly result: DrillResult;
  readonly state: RunState;
}

export async function tellDrill(file: string, print: (line: string) => void, person?: Person): Promise<Told> {
  let last: RunState | undefined;
  const result = await playDrill(readScenario(file), {
    env: process.env,
    ...(person === undefined ? {} : { person }),
    onEvent: (event, state) => {
      last = state;
      // The drill's folder is gone a moment later; what a person would see there is their own home.
      for (const line of tell(event, state))
        print(line.replace(/\/\S*\/mayday-drill-\w+\/home\//, '~/.mayday/'));
      if (event.type === 'question_asked') {
        const checkpoint = state.checkpoints.at(-1)?.number ?? null;
        for (const line of ['', ...renderQuestion(state.runId, event.question, checkpoint).split('\n')])
          print(line);
      }
      if (event.type === 'question_answered')
        print(`you     ${event.option}${event.note ? `: ${event.note}` : ''}`);
    },
  });
  if (last === undefined) throw new Error(`${file} told nothing`);
  // The run's home is gone: commands that look at it would find nothing.
  for (const line of ending(last).filter((each) => !each.includes('mayday show'))) print(line);
  return { result, state: last };
}
