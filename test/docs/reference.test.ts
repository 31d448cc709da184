import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { errorPages } from '../../scripts/docs/error-codes.ts';
import { referencePages } from '../../scripts/docs/reference-pages.ts';
import { ROOT } from './pages.ts';

it('the reference says what the program does; `npm run docs` writes it anew', () => {
  const folder = join(ROOT, 'docs/reference');
  const pages = referencePages(ROOT);
  const stale = [...pages].filter(
    ([path, text]) => !existsSync(join(folder, path)) || readFileSync(join(folder, path), 'utf8') !== text,
  );
  expect(stale.map(([path]) => path)).toEqual([]);
  const gone = globSync('errors/*.md', { cwd: folder }).filter((path) => !pages.has(path));
  expect(gone).toEqual([]);
});

it('every error is found where it is thrown, with its message', () => {
  const pages = errorPages(ROOT);
  expect(pages.length).toBeGreaterThan(60);
  expect(pages.filter(({ says }) => says.length === 0).map(({ code }) => code)).toEqual([]);
});

it('an error that is nobody’s typing mistake says what to do', () => {
  const silent = errorPages(ROOT).filter(({ exitCode, advice }) => exitCode === 1 && advice.length === 0);
  expect(silent.map(({ code }) => code)).toEqual([]);
});
