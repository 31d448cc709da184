/** `drawnKills`: a few stories with a place to kill at in each, drawn from a seed that stands in the title of its test. */
import { SEED, sampled } from '../lane.ts';
import { Random } from '../simulation/random.ts';
import type { Fault } from './crash-at.ts';
import { STORIES, type Story } from './stories.ts';

/** `npm run test:all` has a kill in each. */
const SAMPLED_STORIES = 2;
const SAMPLES = 1;
/** Within the writes of the shortest of them: a keeper has 20 to 80, a command 1 to 12. */
const SAMPLED_WRITES = { keeper: 24, command: 3 } as const;

interface DrawnKill {
  readonly story: Story;
  readonly faults: readonly Fault[];
  readonly title: string;
}

export function drawnKills(
  seed = SEED,
  stories = sampled(STORIES, SAMPLED_STORIES, seed),
): readonly DrawnKill[] {
  return stories.map((story) => {
    const faults = drawn(story, seed);
    const places = faults.map((fault) => told(story, fault)).join(', ');
    return { story, faults, title: `${story.name}: ${places} (MAYDAY_TEST_SEED=${seed})` };
  });
}

/** `keeper of run killed at write 7` */
export function told(story: Story, { act, victim, n }: Fault): string {
  return `${victim} of ${story.acts[act]?.name} killed at write ${n}`;
}

function drawn(story: Story, seed: number): Fault[] {
  const random = new Random(seed + STORIES.indexOf(story));
  return Array.from({ length: SAMPLES }, () => {
    const victim = random.chance(0.7) ? 'keeper' : 'command';
    const act = random.between(0, story.acts.length - 1);
    return { act, victim, n: random.between(1, SAMPLED_WRITES[victim]) };
  });
}
