import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
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

it('a riddle and a missing comment are found', () => {
  expect(firstLine('import a from "a";\n/** `a`: one. */')).toBeUndefined();
  expect(firstLine('/** `a`: one. */\n')).toContain('`a`');
  expect(firstLine('/**\n * `a`: one\n * or two.\n */\n')).toBe('`a`: one');
});
