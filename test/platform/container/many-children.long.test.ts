/** An agent with hundreds of children that take no hint: the ladder ends them all, at every level. */
import { expect, it } from 'vitest';
import { availableLevels } from '../../../src/platform/container/container-level.ts';
import { membersOf } from '../../../src/platform/container/container-handle.ts';
import { isEmpty } from '../../../src/platform/container/observe.ts';
import { stopLadder } from '../../../src/platform/container/stop.ts';
import { outputHolds, seen, startAttempt } from '../attempt-under-test.ts';

const CHILDREN = 300;
/** Every third child is in a session of its own; an ignored signal stays ignored in what is started. */
const AGENT = `trap '' INT TERM HUP; n=0
while [ $n -lt ${CHILDREN / 3} ]; do n=$((n + 1)); setsid sleep 600 & sleep 600 & sleep 600 & done; echo up; wait`;

it.each(await availableLevels())(
  'three hundred children that ignore TERM are ended with their agent: level %s',
  async (level) => {
    const handle = await startAttempt(['sh', '-c', AGENT], { level });
    await outputHolds(handle, 'up');
    await seen(handle, ({ members }) => members.length >= CHILDREN);
    const limits = { softSignal: 'SIGINT', softMs: 300, termMs: 300, killEveryMs: 1_000 } as const;
    expect(await stopLadder(handle, { ...limits, giveUpMs: 120_000 })).toBe('kill');
    expect(await isEmpty(handle)).toBe(true);
    expect(membersOf(handle).filter(({ state }) => state !== 'zombie')).toEqual([]);
  },
  240_000,
);
