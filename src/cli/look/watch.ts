/** `mayday watch [RUN]`: the live view of one run, or of all live runs: full-screen at a terminal. Closing it changes nothing. */
import { movesAt } from '../render/live-view.ts';
import type { Invocation } from '../command.ts';
import { canChoose } from '../choose-at-terminal.ts';
import { followToEnd } from '../follow-to-end.ts';
import { findRun, withRecord, type Opened } from '../with-record.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { isStopped, openQuestion } from '../../core/state/run-state.ts';
import { runJson } from '../../core/view/run-json.ts';
import { RunTeller } from '../../supervise/run-teller.ts';
import { tell } from '../render/story.ts';
import { writeText } from '../write-text.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async (caller) => {
    const look = (runId: string) => followToEnd(invocation, caller, { runId, onlyLook: true });
    const [name] = invocation.args;
    if (name !== undefined) return look(await findRun(caller.record, name));
    if (canChoose(invocation) && movesAt(invocation.stdout, invocation.env)) {
      const { watchScreen } = await import('../screen/watch-screen.ts');
      return await watchScreen(invocation, caller);
    }
    const live = (await caller.record.rows()).filter(({ ended }) => !ended);
    const [only] = live;
    return live.length === 1 && only !== undefined ? look(only.runId) : watchAll(invocation, caller);
  });
}

const LOOK_MS = 200;

async function watchAll({ stdout, stderr, json }: Invocation, { record }: Opened): Promise<number> {
  const out = json ? stderr : stdout;
  const tellers = new Map<string, RunTeller>();
  for (;;) {
    for (const { runId, ended } of await record.rows()) {
      if (ended || tellers.has(runId)) continue;
      const told = new RunTeller(record, runId, (event, state) => {
        for (const line of tell(event, state)) writeText(out, `${runId}  ${line.trimStart()}\n`);
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
      writeText(
        out,
        waiting.length === 0
          ? 'no run is under way\n'
          : `no run is under way; ${waiting.length} wait for you: mayday inbox\n`,
      );
      return waiting.length === 0 ? 0 : 3;
    }
    await pause(LOOK_MS);
  }
}
