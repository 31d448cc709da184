/** `watchAll`: tells the stories of all live runs, line by line, each under the name of its run. It ends when no run is left. */
import { setTimeout as pause } from 'node:timers/promises';
import { isStopped, openQuestion } from '../../core/state/run-state.ts';
import { runJson } from '../../core/view/run-json.ts';
import { RunTeller } from '../../supervise/run-teller.ts';
import type { Invocation } from '../command.ts';
import { tell } from '../render/story.ts';
import type { Opened } from '../with-record.ts';

const LOOK_MS = 200;

export async function watchAll({ stdout, stderr, json }: Invocation, { record }: Opened): Promise<number> {
  const out = json ? stderr : stdout;
  const tellers = new Map<string, RunTeller>();
  for (;;) {
    for (const { runId, ended } of await record.rows()) {
      if (ended || tellers.has(runId)) continue;
      const told = new RunTeller(record, runId, (event, state) => {
        for (const line of tell(event, state)) out.write(`${runId}  ${line.trimStart()}\n`);
      });
      tellers.set(runId, told);
    }
    for (const teller of tellers.values()) await teller.tell();
    const states = [...tellers.values()].flatMap(({ state }) => state ?? []);
    const underWay = states.filter(
      (state) => state.life.type !== 'ended' && !isStopped(state) && openQuestion(state) === undefined,
    );
    if (underWay.length === 0) {
      const waiting = states.flatMap((state) => openQuestion(state)?.question.id ?? []);
      if (json) stdout.write(`${JSON.stringify(states.map(runJson))}\n`);
      out.write(
        waiting.length === 0
          ? 'no run is under way\n'
          : `no run is under way; ${waiting.length} wait for you: mayday inbox\n`,
      );
      return waiting.length === 0 ? 0 : 3;
    }
    await pause(LOOK_MS);
  }
}
