/**
 * `hasTest`: whether a file of tests holds a test of this title, by its text alone. A title may be written whole, or be built of a title with
 * `%s`, `$name` or `${name}` and the texts of a table; a suite is read where its file imports it from.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './table.ts';

const LITERAL = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
const COMMENT = /^\s*(?:\/?\*|\/\/).*$/gm;
const IMPORTED = /from '(\.[^']+\.ts)'/g;
const BLANK = /%s|\$\{[^}]*\}|\$\w+/;
const BLANKS = new RegExp(BLANK, 'g');

export function hasTest(file: string, title: string): boolean {
  const literals = literalsOf(file);
  if (literals.some((text) => text.includes(title))) return true;
  // What a table puts into a title is a text of the same file.
  const parts = literals.filter((text) => text !== '' && !BLANK.test(text) && title.includes(text));
  return literals.some((text) => fits(text, title) && isFilled(text, title, parts));
}

/** A cheap look first: a piece of the template that is no blank is in the title. */
function fits(template: string, title: string): boolean {
  const pieces = template.split(BLANKS).filter((piece) => piece.trim().length > 1);
  return BLANK.test(template) && pieces.some((piece) => title.includes(piece));
}

function isFilled(template: string, title: string, parts: readonly string[]): boolean {
  if (template.includes(title)) return true;
  if (!BLANK.test(template)) return false;
  return parts.some((part) =>
    isFilled(
      template.replace(BLANK, () => part),
      title,
      parts,
    ),
  );
}

const known = new Map<string, readonly string[]>();

function literalsOf(file: string): readonly string[] {
  const found = known.get(file) ?? readLiterals(file, new Set());
  known.set(file, found);
  return found;
}

function readLiterals(file: string, read: Set<string>): readonly string[] {
  if (read.has(file) || !existsSync(join(ROOT, file))) return [];
  read.add(file);
  const text = readFileSync(join(ROOT, file), 'utf8').replaceAll(COMMENT, '');
  const own = [...text.matchAll(LITERAL)].map(([literal]) =>
    literal.slice(1, -1).replaceAll(/\\(['"`])/g, '$1'),
  );
  const suites = [...text.matchAll(IMPORTED)]
    .map(([, path = '']) => join(dirname(file), path))
    .filter((path) => path.startsWith('test/contracts/') || path.startsWith('test/record/'));
  return [...new Set([...own, ...suites.flatMap((path) => readLiterals(path, read))])];
}
