/** Writes docs/reference/diagnose.md from the data: classes, recognisers with their examples, patterns, confidence. `--check` only compares. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { diagnoseReference } from './eval-diagnose/reference.ts';

const FILE = new URL('../docs/reference/diagnose.md', import.meta.url);
const page = diagnoseReference();
if (process.argv.includes('--check')) {
  const fresh = readFileSync(FILE, 'utf8') === page;
  console.log(
    fresh
      ? 'docs/reference/diagnose.md is fresh'
      : 'docs/reference/diagnose.md is stale: node scripts/reference-diagnose.ts',
  );
  process.exitCode = fresh ? 0 : 1;
} else {
  mkdirSync(new URL('.', FILE), { recursive: true });
  writeFileSync(FILE, page);
  console.log('docs/reference/diagnose.md written');
}
