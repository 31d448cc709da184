import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/core/vocabulary/events/event.ts';
import { replayRun } from '../../src/core/replay/replay-run.ts';
import { playDrill } from '../../src/drills/play-drill.ts';
import { readScenario } from '../../src/drills/scenario.ts';
import { readPage } from '../docs/pages.ts';
import { sampled } from '../lane.ts';
import { slowness } from '../slowness.ts';

const FOLDER = resolve(import.meta.dirname, '../../drills');
const ALL = readdirSync(FOLDER).filter((file) => file.endsWith('.yaml'));
/** Each promise in the README's table names its drill: of these, more are drawn. */
const README = readPage('README.md');
const isPromised = (name: string) => README.includes(`drills/${name}`);
const PLAYED = [
  ...sampled(ALL.filter(isPromised), 6),
  ...sampled(
    ALL.filter((name) => !isPromised(name)),
    2,
  ),
];

describe.concurrent('every bundled drill ends as it says, and its journal decides the same again', () => {
  for (const name of PLAYED) {
    it(name, async () => {
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
    }, 240_000);
  }
});
