import { mkdtempSync, readdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tellDrill } from '../../scripts/demo/tell-drill.ts';
import { ROOT, readPage } from './pages.ts';
import { runWithOutput } from './run-with-output.ts';

const LIMIT_MS = 180_000;

it(
  'the demo tells three rescues, one decided by a person, and leaves nothing behind',
  async () => {
    const temporary = mkdtempSync(join(tmpdir(), 'mayday-demo-'));
    const { exitCode, output } = await runWithOutput([process.execPath, 'scripts/demo.ts', '--interactive'], {
      cwd: ROOT,
      env: { ...process.env, TMPDIR: temporary },
      input: 'expand_scope\n',
    });
    expect(exitCode, output).toBe(0);
    expect(output).toContain(
      '3 runs · 3 delivered · 3 incidents, 3 rescued · 1 needed a person · 0 files lost',
    );
    expect(output.trim().split('\n').at(-1)).toBe('demo: 3 passed, 0 failed');
    expect(readdirSync(temporary)).toEqual([]);
    rmdirSync(temporary);
  },
  LIMIT_MS,
);

it(
  'the picture in the README shows what a real run tells; `npm run record` draws it anew',
  async () => {
    const drawn = [...readPage('docs/images/rescue.svg').matchAll(/<text[^>]*>(.*)<\/text>/g)]
      .map(([, text = '']) => text.replaceAll('&gt;', '>').replaceAll('&lt;', '<').replaceAll('&amp;', '&'))
      .slice(1);
    const told: string[] = [];
    const { result } = await tellDrill(join(ROOT, 'demo/recorded-rescue.yaml'), (line) => told.push(line));
    expect(result.why).toBe('');
    // Told may be more than was drawn; what was drawn (what went wrong, why, what was done, how it ended) must be told, in order.
    const telling = (line: string) => /^(HH:MM +!|HH:MM +…| +cause| +did|delivered)/.test(line);
    const promised = drawn.map(sameAlways).filter(telling);
    expect(promised.length).toBeGreaterThan(6);
    let from = 0;
    for (const line of promised) {
      const at = told.map(sameAlways).indexOf(line, from);
      expect(at, `"${line}" is not told after line ${from}:\n${told.join('\n')}`).toBeGreaterThanOrEqual(
        from,
      );
      from = at + 1;
    }
  },
  LIMIT_MS,
);

/** Names, times and hashes differ from run to run; a drawn line may be cut. */
function sameAlways(line: string): string {
  return line
    .replace(/^\d\d:\d\d/, 'HH:MM')
    .replaceAll(/(run |work\/|branch mayday\/)[a-z0-9]{4}\b/g, '$1RUN')
    .replace(/@[0-9a-f]{7}/, '@COMMIT')
    .replace(/(resumes in|retry after) .*/, '$1 …')
    .slice(0, 80);
}
