/**
 * `configuredFiles`: the files of the base that its test configuration has loaded before the tests: setup files, reporters, environments,
 * plugins. Code there can call every test passed, so it judges, wherever it lies.
 */
import { joined } from './check-line.ts';
import type { BaseReading } from './product-files.ts';
import { isTestConfiguration } from './verification-files.ts';

/** A monorepo has one per package; each costs a look into git. */
const MAX_READ = 40;
/** Keys of Jest, Vitest, Mocha, Karma, Playwright and pytest whose values are loaded into the process that judges. */
const KEYS = [
  'setup\\w* global(?:Setup|Teardown) reporters? (?:test)?[eE]nvironment (?:test)?[rR]unner resolver transform require import plugins',
  'pytest_plugins addopts',
].flatMap((keys) => keys.split(' '));
const VALUE = '\\[[^\\]]*\\]|\\{[^}]*\\}|[^\\n]*';
const LOADED = new RegExp(`\\b(?:${KEYS.join('|')})\\b["']?\\s*[:=]\\s*(${VALUE})`, 'g');
const QUOTED = /["'`]([^"'`\n]+)["'`]/g;
const PYTEST_PLUGIN = /(?:^|\s)-p\s+([\w.]+)/g;
const ENDINGS = ['', '.ts', '.js', '.mjs', '.cjs', '.mts', '.tsx', '.jsx', '/index.ts', '/index.js', '.py'];

export function* configuredFiles(basePaths: readonly string[]): BaseReading<ReadonlySet<string>> {
  const all = new Set(basePaths);
  const loaded = new Set<string>();
  const settings = basePaths.filter((path) => isTestConfiguration(path) || MANIFEST.test(path));
  for (const path of settings.slice(0, MAX_READ)) {
    const text = yield path;
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    for (const name of loadedNames(text ?? '')) {
      const found = ENDINGS.map((ending) => joined(folder, name + ending)).find((one) => all.has(one));
      if (found !== undefined) loaded.add(found);
    }
  }
  return loaded;
}

/** Manifests that may hold the settings of a test runner. */
const MANIFEST = /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.cfg|vite\.config\.[^/]+)$/;

function loadedNames(text: string): string[] {
  const values = [...text.matchAll(LOADED)].map(([, value = '']) => value);
  const quoted = values.flatMap((value) => [...value.matchAll(QUOTED)].map(([, name = '']) => name));
  const modules = values.flatMap((value) => [...value.matchAll(PYTEST_PLUGIN)].map(([, name = '']) => name));
  const dotted = [...quoted, ...modules].filter((name) => /^\w+(?:\.\w+)*$/.test(name));
  return [
    ...quoted.map((name) => name.replace(/^<rootDir>\//, '').replace(/^\.\//, '')),
    ...dotted.map((name) => name.replaceAll('.', '/')),
  ];
}
