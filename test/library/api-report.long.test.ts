/** The types that programs rely on. A change is seen here first: `npx vitest run FILE --update` writes the report anew. */
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

it('the types of the library are those of the report', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-api-'));
  try {
    execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.build.json', '--outDir', folder], {
      cwd: ROOT,
    });
    const files = [
      'index.d.ts',
      ...globSync('library/*.d.ts', { cwd: folder }).toSorted(),
      'core/view/run-json.d.ts',
      'core/view/diagnosis-json.d.ts',
    ];
    const report = files.map((file) => `// ${file}\n${readFileSync(join(folder, file), 'utf8').trim()}\n`);
    await expect(report.join('\n')).toMatchFileSnapshot('api-report.txt');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
