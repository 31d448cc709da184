import { describe, expect, it } from 'vitest';
import { SEED } from '../lane.ts';
import { crashAt, type Fault, type Outcome } from './crash-at.ts';
import { drawnKills, told } from './drawn-kills.ts';
import { STORIES, type Story } from './stories.ts';

/**
 * The keeper, and in its turn each command that a person gives, is killed just before its n-th durable write; then another
 * process goes on. For n = 1, 2, 3... until none is left with MAYDAY_CRASH_ALL=1 (`npm run test:faults`), otherwise at a few
 * places from a seed that is printed.
 */
const ALL = process.env['MAYDAY_CRASH_ALL'] === '1';
if (!ALL) console.log(`places to kill at are drawn from MAYDAY_TEST_SEED=${SEED}`);
const VICTIMS = ['command', 'keeper'] as const;
/** So many are enough to see what is wrong. */
const MAX_BROKEN = 5;
const LIMIT_MS = 60 * 60_000;

async function killed(story: Story, fault: Fault): Promise<Outcome> {
  return await crashAt(story, fault).catch((error: unknown) => ({ hit: true, problems: [String(error)] }));
}

async function killEverywhere(story: Story, where: Omit<Fault, 'n'>): Promise<number> {
  const wrong: string[] = [];
  let n = 1;
  for (; wrong.length < MAX_BROKEN; n += 1) {
    const { hit, problems } = await killed(story, { ...where, n });
    if (problems.length > 0) wrong.push(`${told(story, { ...where, n })}: ${problems.join('; ')}`);
    if (!hit) break;
  }
  expect(wrong).toEqual([]);
  return n - 1;
}

describe('killing whoever writes at the n-th durable write leaves the promises true', () => {
  STORIES.forEach((story) =>
    it.runIf(ALL)(
      `${story.name}, at every write`,
      async () => {
        const kills: string[] = [];
        for (const [act, { name }] of story.acts.entries())
          for (const victim of VICTIMS)
            kills.push(`${victim} of ${name} ${await killEverywhere(story, { act, victim })}`);
        console.log(`kills in ${story.name}: ${kills.join(', ')}`);
        expect(kills.every((line) => line.endsWith(' 0'))).toBe(false);
      },
      LIMIT_MS,
    ),
  );

  drawnKills().forEach(({ story, faults, title }) => {
    it.runIf(!ALL)(
      title,
      async () => {
        for (const fault of faults)
          expect((await killed(story, fault)).problems, told(story, fault)).toEqual([]);
      },
      LIMIT_MS,
    );
  });
});
