/**
 * `isProduct`: whether a program that a script runs is what the project is made for, not a judge of it: its manifest names it, or tests of
 * the base load it. A program that names or is given tests runs them: it judges.
 */
import { jsonObject, objectOrNull } from '../text/json.ts';
import { joined } from './check-line.ts';
import { isTestProgram, isVerificationFile } from './verification-files.ts';

/** A generator that yields paths of the base, gets their text (null: no such file), and returns what it found. */
export type BaseReading<Found> = Generator<string, Found, string | null>;

export interface RanProgram {
  readonly path: string;
  readonly text: string;
  readonly args: readonly string[];
  /** The folder in which it is started. */
  readonly folder: string;
}

/** Each costs a look into git. */
const MAX_TESTS_READ = 40;
/** `'test'`, `./tests/`, `*.spec.js`, `test_*.py`; not `pattern.test(…)`. */
const NAMES_TESTS = /["'`/](?:tests?|specs?|__tests__)["'`/]|\.(?:test|spec)[."'`]|\btest_/;

export function* isProduct(
  { path, text, args, folder }: RanProgram,
  basePaths: readonly string[],
): BaseReading<boolean> {
  const given = args.map((arg) => joined(folder, arg)).filter((arg) => arg !== path);
  if (isVerificationFile(path) || NAMES_TESTS.test(text) || given.some(isVerificationFile)) return false;
  const manifest = objectOrNull((yield joined(folder, 'package.json')) ?? '') ?? {};
  const entries = ['main', 'module', 'browser', 'bin', 'exports'].flatMap((key) => textsIn(manifest[key]));
  if (entries.some((entry) => joined(folder, entry) === path)) return true;
  for (const test of basePaths.filter(isTestProgram).slice(0, MAX_TESTS_READ))
    if (loadedNames((yield test) ?? '', folderOf(test)).has(withoutEnding(path))) return true;
  return false;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Object.values(jsonObject(value)).flatMap(textsIn);
}

/** The paths, without ending, of the files that a test loads: `require('../a.js')`, `from '../a'`, `from a.b import c`. */
function loadedNames(text: string, folder: string): Set<string> {
  const quoted = [...text.matchAll(/["'`](\.{1,2}(?:\/[^"'`\n]*)?)["'`]/g)].flatMap(([, name = '']) => {
    const path = joined(folder, name);
    return [withoutEnding(path), path, joined(path, 'index')];
  });
  const modules = [...text.matchAll(/^\s*(?:from|import)\s+([\w.]+)/gm)].flatMap(([, name = '']) => {
    const path = name.replaceAll('.', '/');
    return [path, joined(folder, path), `src/${path}`];
  });
  return new Set([...quoted, ...modules]);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function withoutEnding(path: string): string {
  return path.replace(/\.[^./]+$/, '');
}
