import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
/** Typed all day, or asked by a shell: they read the record, or leave a word in it. */
const LIGHT = [
  'cli/main',
  'cli/machine/completion',
  'cli/machine/doctor',
  'cli/look/ps',
  'cli/look/show',
  'cli/look/status',
  'cli/decide/answer',
  'cli/decide/inbox',
  'cli/run/stop',
  'cli/run/resume',
  'cli/learn/report',
];
/** What reads files that most folders do not have. */
const READERS = /^(?:zod|re2js|yaml)$/;
/** What decides, explains or checks shapes is most of the package, and a start pays for all that it loads. */
const HEAVY = /^(?:core\/decide\/|core\/step\.ts|zod$|re2js$|yaml$|hono$|pg$)/;

function loadedBy(...starts: readonly string[]): string[] {
  const found = new Set(starts);
  for (const path of found)
    for (const target of targetsIn(path, /^(?:import|export) (?!type )[^;]*?from '([^']+)';$/gm))
      found.add(target);
  return [...found];
}

function targetsIn(path: string, pattern: RegExp): string[] {
  if (!path.endsWith('.ts')) return [];
  const text = readFileSync(join(ROOT, 'src', path), 'utf8');
  return [...text.matchAll(pattern)].map(([, target = '']) =>
    target.startsWith('.') ? join(dirname(path), target) : target,
  );
}

test.each(LIGHT)('%s loads nothing that decides or explains', (path) => {
  expect(loadedBy(`${path}.ts`).filter((each) => HEAVY.test(each))).toEqual([]);
});

test.each(['learn/autopsy', 'learn/diagnose', 'learn/replay', 'machine/init', 'run/run'])(
  '%s loads nothing that checks shapes before there are some to check',
  (name) => {
    expect(loadedBy(`cli/${name}.ts`).filter((each) => READERS.test(each))).toEqual([]);
  },
);

test('a keeper reads settings and rules only where there are some', () => {
  const loaded = loadedBy('supervise/keeper-process.ts');
  expect(loaded.filter((each) => READERS.test(each))).toEqual(['zod']);
});

test('what the acts of a keeper load later is loaded early all the same: an update may take the files away', () => {
  const LATER = /\bimport\('([^']+)'\)/g;
  const early = loadedBy('supervise/keeper-process.ts', ...targetsIn('supervise/home-tender.ts', LATER));
  const acts = early.filter((path) => /^(?:act|context)\//.test(path));
  expect(acts.flatMap((path) => targetsIn(path, LATER)).filter((path) => !early.includes(path))).toEqual([]);
});

test('the search follows imports: the reader of settings loads all of it', () => {
  expect(loadedBy('supervise/request/read-config.ts')).toEqual(expect.arrayContaining(['zod', 'yaml']));
  expect(loadedBy('context/patterns.ts')).toContain('re2js');
  expect(loadedBy('supervise/keeper-process.ts')).toContain('core/step.ts');
});
