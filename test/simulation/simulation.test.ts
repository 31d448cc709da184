import { describe, expect, it, vi } from 'vitest';
import { type BugName, PLANTED_BUGS } from './planted-bugs.ts';
import { World } from './world.ts';

/** A few hundred worlds here; `npm run simulate -- --seeds 20000 --bugs` plays them all. */
const WORLDS = 100;
/** Enough that each planted bug, caught in at least a few per cent of the seeds, is met. */
const WORLDS_PER_BUG = 400;

/**
 * A failed probe took back its own question; a judge remembered a shared cause for ever; two runs that asked for the same
 * login opened and closed its hold in turns; a used-up budget hid a failure that others shared; a judge took a sink that
 * cannot be written for the failure of the agent before it, and let a run without budget warn the others; a run that examined
 * its attempt again after a person's "go on" asked for the login a second time; a judge took a run that a person had sent for the
 * one that speaks for all, and the question about a flag for a decision about what the process met; nobody
 * told the judge that a shared fault had ended with all other faults; a judge took a mission for a new failure; a probe that
 * failed alike asked about its own restarts only, and the next run tried the same; a run that asked for all was abandoned, and those
 * that it had held were restarted into the same failure.
 */
const ONCE_BROKEN = [
  701_068, 3_005_241, 819_186_421, 819_187_536, 592_437_163, 400_183_991, 492_669_798, 492_671_917,
  910_000_377, 910_003_119, 912_001_613, 978_229, 20_001_855, 240_304_275, 700_002_207, 700_003_792,
  700_005_456, 30_165_300, 700_007_565, 800_007_229, 228_574_479, 52_206_152, 77_001_236, 77_004_974,
  961_011_826,
];

/** Fresh ones every time; the title tells them, MAYDAY_SEED sets them. */
const first = Number(process.env['MAYDAY_SEED'] ?? 1 + Math.floor(Math.random() * 1e6));

// Machines that share their cores are slow.
vi.setConfig({ testTimeout: 300_000 });

describe('the simulated world', () => {
  it(`no invariant breaks in ${WORLDS} worlds from seed ${first}, and every run ends once the faults stop`, () => {
    for (let seed = first; seed < first + WORLDS; seed += 1)
      expect(new World(seed).play().judge.violations, `npm run simulate -- --trace ${seed}`).toEqual([]);
  });

  it.each(ONCE_BROKEN)('seed %i, which once broke an invariant, breaks none', (seed) => {
    expect(new World(seed).play().judge.violations, `npm run simulate -- --trace ${seed}`).toEqual([]);
  });

  it('a seed tells the same story twice', () => {
    const [one, two] = [new World(7).play(), new World(7).play()];
    expect(one.runs.map(({ journal }) => journal)).toEqual(two.runs.map(({ journal }) => journal));
  });

  it.each(Object.keys(PLANTED_BUGS) as BugName[])('the planted bug %s is caught', (name) => {
    for (let seed = 1; seed <= WORLDS_PER_BUG; seed += 1)
      if (new World(seed, PLANTED_BUGS[name]).play().judge.violations.length > 0) return;
    expect.unreachable(`${name} was not caught in ${WORLDS_PER_BUG} worlds`);
  });
});
