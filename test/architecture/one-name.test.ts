import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';

/** A door and what stands behind it share a name on purpose: it is one idea. */
const SAME_IDEA = ['autopsy', 'closeMission', 'diagnose', 'run'];
/** Still two ideas under one name. This list only shrinks. */
const NOT_YET: readonly string[] = [];

/** Two stores keep one contract: a part of it has the same name in both. */
const STORES = /^src\/record\/(?:sqlite|postgres)\//;

const root = resolve(import.meta.dirname, '../..');
const EXPORTED = /^export (?:async )?(?:function\*?|const|let|class|type|interface) (\w+)/gm;

it('one exported name has one meaning in the sources', () => {
  const places = new Map<string, Set<string>>();
  for (const entry of readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts')) continue;
    const path = join(entry.parentPath, entry.name);
    const place = relative(root, path).replace(STORES, 'src/record/STORE/');
    for (const [, name] of readFileSync(path, 'utf8').matchAll(EXPORTED))
      places.set(name as string, (places.get(name as string) ?? new Set()).add(place));
  }
  const shared = [...places].filter(([, paths]) => paths.size > 1).map(([name]) => name);
  const homonyms = shared.filter((name) => !SAME_IDEA.includes(name) && !NOT_YET.includes(name));
  expect(homonyms, 'exported by two files').toEqual([]);
});
