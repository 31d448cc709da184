import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanLine } from '../../../src/core/diagnose/lines/clean-line.ts';
import { diagnose } from '../../../src/core/diagnose/diagnose.ts';
import { MATCH_CHARS } from '../../../src/core/diagnose/lines/limits.ts';
import { RECOGNISERS } from '../../../src/core/lexicon/all.ts';
import { PLAYS_ALL, sampled } from '../../lane.ts';
import { processorMs } from '../../processor-time.ts';

const SEEDS: readonly string[] = [
  'a',
  ' ',
  '\t',
  '"',
  "'",
  '(',
  '[',
  '{',
  '/',
  '\\',
  '.',
  ':',
  '-',
  '_',
  '0',
  '9',
  'A_',
  'Error',
  'Error: ',
  'error ',
  'failed ',
  'at ',
  'at a (',
  'a.b.',
  'a::',
  'a/',
  'not ',
  'could not find ',
  'File "',
  'E   ',
  '1:1 ',
  'KEY_',
  'no ',
  '\u001b[',
  '\u001b]',
  '\u001b[31m',
  '\r',
  'x\r',
  '(?',
  'aaaa!',
  '1 failed ',
  'Caused by: ',
  'expected ',
  'where ',
  'a=',
  '=== ',
  '___ ',
  'https://a',
  '🦀',
  'retry 1',
  "name '",
  'No such file or directory',
];

/** Each takes as long as the whole of many another test. */
const TIMED = sampled(SEEDS, 12);

/** Processor time of the fastest of some runs: the machine is shared, the clock on the wall tells nothing. */
function fastest(work: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 2; round += 1) {
    best = Math.min(best, processorMs(work));
  }
  return best;
}

describe('hostile output', () => {
  for (const shape of ['one endless line', 'many lines', 'many blank-separated lines'] as const)
    it(`${shape}: twice the size takes at most about twice the time`, () => {
      for (const seed of TIMED) {
        const unit =
          shape === 'one endless line'
            ? seed
            : shape === 'many lines'
              ? `${seed.repeat(40)}\n`
              : `${seed.repeat(20)}\n\n`;
        const small = unit.repeat(Math.ceil(15_000 / unit.length));
        const large = unit.repeat(Math.ceil(60_000 / unit.length));
        const before = fastest(() => diagnose({ output: small }));
        const after = fastest(() => diagnose({ output: large }));
        // Four times the bytes: linear is 4, quadratic 16. Small absolute times are noise.
        expect(
          after,
          `seed ${JSON.stringify(seed)}: ${before.toFixed(1)} ms, then ${after.toFixed(1)} ms`,
        ).toBeLessThan(Math.max(before * 9, 200));
      }
    });

  it('no pattern of a recogniser needs more than linear time on a full line', () => {
    for (const recogniser of RECOGNISERS)
      for (const pattern of recogniser.says)
        for (const seed of TIMED) {
          const line = cleanLine(seed.repeat(Math.ceil(MATCH_CHARS / seed.length))).text;
          const took = fastest(() => pattern.test(line));
          expect(
            took,
            `${recogniser.id} on ${JSON.stringify(seed)}: ${pattern.source.slice(0, 80)}`,
          ).toBeLessThan(12);
        }
  });

  it('no pattern of a recogniser repeats without bound', () => {
    for (const recogniser of RECOGNISERS)
      for (const pattern of [...recogniser.says, recogniser.unless, recogniser.near, recogniser.and]) {
        const bare = (pattern?.source ?? '').replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x');
        expect(bare, recogniser.id).not.toMatch(/[+*]|\{\d+,\}/);
      }
  });

  it('any bytes give a diagnosis whose evidence is in the input', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 2_000 }),
          fc.array(fc.constantFrom(...SEEDS), { maxLength: 200 }).map((parts) => parts.join('')),
        ),
        fc.option(fc.integer({ min: -1, max: 300 })),
        (output, exitCode) => {
          const got = diagnose({ output, exitCode });
          for (const { text } of got.evidence) expect(output).toContain(text);
          expect(got.confidence).toBeGreaterThanOrEqual(0);
          expect(got.confidence).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: PLAYS_ALL ? 400 : 100 },
    );
  });

  it('a failure in the middle of a flood is still found', () => {
    const flood = 'INFO processed one more batch of records\n'.repeat(30_000);
    const got = diagnose({
      output: `${flood}CONFLICT (content): Merge conflict in src/a.ts\n${flood}`,
      exitCode: 1,
    });
    expect(got.failureType).toBe('git_conflict');
    expect(got.evidence[0]).toEqual({ line: 30_001, text: 'CONFLICT (content): Merge conflict in src/a.ts' });
  });
});
