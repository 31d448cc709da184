import { expect, it } from 'vitest';
import { inBox } from './box.ts';

it('`mayday bench` measures starts, reading and rescues, and loses nothing', () =>
  inBox(async (box) => {
    const told = (await box.call('bench')).stdout;
    const steady = told.replaceAll(/ *\d+(?:\.\d+)? (?=ms|MB|s\b|times)/g, ' N ');
    await expect(steady).toMatchFileSnapshot('../cli/catalogue/bench.txt');
    const { exitCode, stdout, stderr } = await box.call('bench', '--json');
    expect(exitCode, stderr).toBe(0);
    const { start, diagnose_mb_per_s, drills, failed } = JSON.parse(stdout) as Bench;
    expect(failed).toBe(0);
    expect(start.ps_to_node).toBeGreaterThan(1);
    expect(diagnose_mb_per_s).toBeGreaterThan(0);
    expect(drills.map(({ name, lost }) => `${name} ${lost}`)).toContain('killed 0');
  }, {}));

interface Bench {
  readonly start: { readonly ps_to_node: number };
  readonly diagnose_mb_per_s: number;
  readonly drills: readonly { readonly name: string; readonly lost: number }[];
  readonly failed: number;
}
