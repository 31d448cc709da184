/** `answerAsPerson`, `deliveredRef`, `noticedByMayday`: what the bench reads from Mayday's public document, and the person it plays. */
import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunJson } from '../../src/core/view/run-json.ts';
import { MAYDAY } from '../../test-agents/mayday-cli.ts';
import type { Trouble } from './troubles.ts';

interface Asked {
  readonly run: RunJson;
  readonly question: string;
  readonly person: NonNullable<Trouble['person']>;
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly until: AbortSignal;
}

/** Answers at once, then waits until the run has ended or the limit of the cell is reached. */
export async function answerAsPerson({ run, question, person, cwd, env, until }: Asked): Promise<RunJson> {
  // Not in step with this process, which serves the model.
  const mayday = (...args: string[]): Promise<string> =>
    new Promise((done) =>
      execFile(process.execPath, [MAYDAY, ...args], { cwd, env }, (_error, stdout) => done(stdout)),
    );
  const { option, note } = person;
  await mayday('answer', question, option, ...(note === undefined ? [] : ['--note', note]));
  for (;;) {
    const now = JSON.parse(await mayday('show', run.run_id, '--json')) as RunJson;
    if (until.aborted || now.state === 'delivered' || now.state === 'abandoned') return now;
    await pause(500);
  }
}

export function deliveredRef(run: RunJson | null): string | null {
  return run?.delivered?.ref ?? null;
}

export function noticedByMayday(run: RunJson): number | null {
  const at = run.incidents[0]?.detected_at;
  return at === undefined || at === null ? null : Date.parse(at);
}
