import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../src/core/diagnose/diagnose.ts';
import { LineSieve } from '../../../src/core/diagnose/lines/read-lines.ts';
import { leastProcessorMs } from '../../processor-time.ts';

const seconds = (work: () => void) => leastProcessorMs(3, work) / 1_000;

describe('speed', () => {
  it('200 outputs of 4 kB take less than a second', () => {
    const output = `${'INFO doing one more thing of many here\n'.repeat(100)}Error: connect ECONNREFUSED 127.0.0.1:5432\n`;
    const took = seconds(() => {
      for (let round = 0; round < 200; round += 1) diagnose({ output, exitCode: 1 });
    });
    expect(took).toBeLessThan(1);
  });

  it('a log is sieved at 50 MB a second or more', () => {
    const chunk = '2026-11-15T01:02:03.000Z INFO worker processed one batch in 12 ms, queue depth 3\n'.repeat(
      3_000,
    );
    const sieve = new LineSieve();
    const rounds = Math.ceil(20_000_000 / chunk.length);
    const took = seconds(() => {
      for (let round = 0; round < rounds; round += 1) sieve.push(chunk);
    });
    expect((rounds * chunk.length) / 1_000_000 / took).toBeGreaterThan(50);
  });
});
