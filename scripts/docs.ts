/** `npm run docs`: writes docs/reference from the data of the program; pages that no longer exist go. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { referencePages } from './docs/reference-pages.ts';

const root = join(import.meta.dirname, '..');
const pages = referencePages(root);
// Only this folder is made of nothing but generated pages; elsewhere people write by hand.
rmSync(join(root, 'docs/reference/errors'), { recursive: true, force: true });
for (const [path, text] of pages) {
  const file = join(root, 'docs/reference', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
console.log(`docs: ${pages.size} pages written`);
