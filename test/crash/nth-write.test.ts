import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PostgresServer, startPostgres } from '../fixtures/postgres/server.ts';
import { PLAYS_ALL, SEED } from '../lane.ts';
import { Random } from '../simulation/random.ts';
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

/** Where the record of a story is kept: in its home, or in the empty database of this address. */
type Store = () => Promise<string | undefined>;

async function killed(story: Story, fault: Fault, store: Store): Promise<Outcome> {
  return await crashAt(story, fault, await store()).catch((error: unknown) => ({
    hit: true,
    problems: [String(error)],
  }));
}

async function killEverywhere(story: Story, where: Omit<Fault, 'n'>, store: Store): Promise<number> {
  const wrong: string[] = [];
  let n = 1;
  for (; wrong.length < MAX_BROKEN; n += 1) {
    const { hit, problems } = await killed(story, { ...where, n }, store);
    if (problems.length > 0) wrong.push(`${told(story, { ...where, n })}: ${problems.join('; ')}`);
    if (!hit) break;
  }
  expect(wrong).toEqual([]);
  return n - 1;
}

const TITLE = 'killing whoever writes at the n-th durable write leaves the promises true';

describe(TITLE, () => kills(async () => undefined, drawnKills()));

// The other record, in one story that the seed draws.
describe.runIf(ALL || PLAYS_ALL)(`${TITLE}, on PostgreSQL`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());
  kills(() => server.database(), drawnKills(SEED, [new Random(SEED).pick(STORIES)]));
});

function kills(store: Store, drawn: ReturnType<typeof drawnKills>): void {
  STORIES.forEach((story) =>
    it.runIf(ALL)(
      `${story.name}, at every write`,
      async () => {
        const counts: string[] = [];
        for (const [act, { name }] of story.acts.entries())
          for (const victim of VICTIMS)
            counts.push(`${victim} of ${name} ${await killEverywhere(story, { act, victim }, store)}`);
        console.log(`kills in ${story.name}: ${counts.join(', ')}`);
        expect(counts.every((line) => line.endsWith(' 0'))).toBe(false);
      },
      LIMIT_MS,
    ),
  );

  drawn.forEach(({ story, faults, title }) => {
    it.runIf(!ALL)(
      title,
      async () => {
        for (const fault of faults)
          expect((await killed(story, fault, store)).problems, told(story, fault)).toEqual([]);
      },
      LIMIT_MS,
    );
  });
}
