import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
/** Typed all day, or asked by a shell: they only read the record. */
const LIGHT = ['cli/main', 'cli/machine/completion', 'cli/look/ps', 'cli/look/status', 'cli/decide/inbox'];
/** What decides, explains or checks shapes is most of the package, and a start pays for all that it loads. */
const HEAVY = /^(?:core\/(?:decide|diagnose\/recognisers)\/|core\/step\.ts|zod$|re2js$|yaml$|hono$|pg$)/;

function loadedBy(start: string): string[] {
  const found = new Set([start]);
  for (const path of found) {
    if (!path.endsWith('.ts')) continue;
    const text = readFileSync(join(ROOT, 'src', path), 'utf8');
    for (const [, target = ''] of text.matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)';$/gm))
      found.add(target.startsWith('.') ? join(dirname(path), target) : target);
  }
  return [...found];
}

test.each(LIGHT)('%s loads nothing that decides or explains', (path) => {
  expect(loadedBy(`${path}.ts`).filter((each) => HEAVY.test(each))).toEqual([]);
});

test('the search follows imports: a keeper loads all of it', () => {
  const loaded = loadedBy('supervise/keeper-process.ts');
  expect(loaded).toEqual(expect.arrayContaining(['core/step.ts', 'zod', 're2js', 'yaml']));
});
