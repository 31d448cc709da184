/** `BUNDLED`, `playBundled`: the bundled drills, and one of them played and judged, whichever record keeps it. */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import type { RunEvent } from '../../src/core/vocabulary/events/event.ts';
import { replayRun } from '../../src/core/replay/replay-run.ts';
import { playDrill } from '../../src/drills/play-drill.ts';
import { readScenario } from '../../src/drills/scenario.ts';
import { slowness } from '../slowness.ts';

const FOLDER = resolve(import.meta.dirname, '../../drills');
export const BUNDLED = readdirSync(FOLDER).filter((file) => file.endsWith('.yaml'));

/** It must end as it says, in its time, and its journal must decide the same again. */
export async function playBundled(name: string, store?: string): Promise<void> {
  const journal: RunEvent[] = [];
  let runId = '';
  const scenario = readScenario(join(FOLDER, name));
  const { max_seconds: longest = Infinity, max_seconds_to_notice: latest = Infinity } = scenario.expect;
  const { max_seconds: _, max_seconds_to_notice: __, ...facts } = scenario.expect;
  const slowBefore = slowness();
  const { why, seconds, seconds_to_notice } = await playDrill(
    { ...scenario, expect: facts },
    {
      env: process.env,
      ...(store === undefined ? {} : { store }),
      onEvent: (event, state) => {
        journal.push(event);
        ({ runId } = state);
      },
    },
  );
  const slow = Math.max(slowBefore, slowness());
  expect(why).toBe('');
  expect(seconds, 'seconds').toBeLessThanOrEqual(longest * slow);
  expect(seconds_to_notice ?? 0, 'seconds to notice').toBeLessThanOrEqual(latest * slow);
  const [created] = journal;
  if (created?.type !== 'run_created') return expect.unreachable('a journal begins with run_created');
  const replayed = replayRun(runId, journal, { policy: created.policy });
  expect(replayed).toMatchObject({ pauses: [], parting: null, unfit: null, drifted: [] });
  expect(replayed?.compared).toBe(replayed?.turns);
}
