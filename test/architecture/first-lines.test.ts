import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)));

/** The first line of text of the comment that a file begins with; undefined: it begins with something else. */
function firstLine(source: string): string | undefined {
  return /^\/\*\*(?:\n \*)? ([^\n]*)/.exec(source)?.[1];
}

/** What a first line may name: an export, or the command (`mayday NAME`) where the file runs one. */
function namesOf(path: string, source: string): string[] {
  const names = [
    ...source.matchAll(
      /^export (?:async )?(?:abstract )?(?:function\*?|const|let|class|type|interface) (\w+)/gm,
    ),
  ];
  const exported = names.map(([, name]) => name as string);
  return exported.map((name) => (name === 'run' ? `mayday ${basename(path, '.ts')}` : name));
}

function unclear(path: string): string[] {
  const source = readFileSync(join(root, path), 'utf8');
  const line = firstLine(source);
  if (line === undefined) return [`${path} does not begin with a doc comment`];
  const names = namesOf(path, source);
  // A program exports nothing; a public boundary exports what other files say about themselves.
  if (names.length === 0 || names.some((name) => line.includes(`\`${name}`))) return [];
  return [`${path} names none of its exports (${names.join(', ')}) on its first line: ${line}`];
}

it('the first line of a file names what it exports', () => {
  expect(files.flatMap(unclear)).toEqual([]);
});

/** Functions that so many files import are main exports. */
const MANY_IMPORTERS = 10;

/** How many files import a name from a file, by `PATH NAME`. */
function importers(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const path of files) {
    const imports = readFileSync(join(root, path), 'utf8').matchAll(/^import \{([^}]*)\} from '(\.[^']+)'/gm);
    for (const [, names = '', from = ''] of imports)
      for (const name of names.matchAll(/(?<!type )\b\w+/g)) {
        const key = `${relative(root, resolve(root, dirname(path), from))} ${name[0]}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
  }
  return counts;
}

it('the opening comment of a file names every function of it that many files import', () => {
  const counts = importers();
  let seen = 0;
  const unnamed = files.flatMap((path) => {
    const source = readFileSync(join(root, path), 'utf8');
    const opening = /^\/\*\*[^]*?\*\//.exec(source)?.[0] ?? '';
    const main = [...source.matchAll(/^export (?:async )?function\*? (\w+)/gm)]
      .map(([, name]) => name as string)
      .filter((name) => (counts.get(`${path} ${name}`) ?? 0) >= MANY_IMPORTERS);
    seen += main.length;
    return main.filter((name) => !opening.includes(`\`${name}\``)).map((name) => `${path}: ${name}`);
  });
  expect(unnamed).toEqual([]);
  expect(seen).toBeGreaterThan(20);
});

it('a riddle and a missing comment are found', () => {
  expect(firstLine('import a from "a";\n/** `a`: one. */')).toBeUndefined();
  expect(firstLine('/** `a`: one. */\n')).toContain('`a`');
  expect(firstLine('/**\n * `a`: one\n * or two.\n */\n')).toBe('`a`: one');
});
