import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lookInWorkspace } from '../../../src/agents/workspace/look-in-workspace.ts';
import { diagnose } from '../../../src/core/diagnose/diagnose.ts';
import type { WorkspaceEvidence } from '../../../src/core/vocabulary/diagnosis.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'mayday-look-'));
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

async function look(
  output: string,
  files: Readonly<Record<string, string>>,
): Promise<readonly WorkspaceEvidence[]> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const plain = diagnose({ output, exitCode: 1 });
  return (await lookInWorkspace(plain, root, new AbortController().signal)).workspace ?? [];
}

test('the line that a failure names is shown, also where the path is of another machine', async () => {
  const found = await look(
    "/home/runner/work/app/app/src/a.ts(2,5): error TS2304: Cannot find name 'total'.",
    {
      'src/a.ts': 'const a = 1;\nexport const b = total;\n',
    },
  );
  expect(found).toEqual([{ path: 'src/a.ts', line: 2, text: 'export const b = total;' }]);
});

test('a package that is declared but not there is told with what installs it', async () => {
  const found = await look("Error: Cannot find module 'left-pad'", {
    'package.json': '{\n "dependencies": {\n  "left-pad": "1.3.0"\n }\n}',
    'package-lock.json': '{}',
  });
  expect(found).toEqual([
    { path: 'package.json', line: 3, text: 'declares left-pad; package-lock.json is there: npm ci' },
  ]);
});

test('a package that nothing declares is told as such', async () => {
  const found = await look("ModuleNotFoundError: No module named 'flask'", {
    'requirements.txt': 'django\n',
  });
  expect(found).toEqual([
    { path: 'requirements.txt', line: 0, text: 'does not declare flask, or has no lock file' },
  ]);
});

test('the manifest of another language says nothing about a package', async () => {
  const output =
    'Traceback (most recent call last):\n  File "app.py", line 1, in <module>\n    import flask\nModuleNotFoundError: No module named \'flask\'';
  expect(await look(output, { 'package.json': '{}' })).toEqual([]);
});

test('a script that is missing is told with the scripts there are', async () => {
  const found = await look('npm error Missing script: "biuld"', {
    'package.json': '{"scripts": {"build": "tsc", "test": "vitest"}}',
  });
  expect(found).toEqual([{ path: 'package.json', line: 0, text: 'has the scripts build, test' }]);
});

test('a link out of the workspace is not followed, and a place that is not here is not invented', async () => {
  await symlink('/etc', join(root, 'out'));
  expect(await look('out/passwd:1: error: bad', {})).toEqual([]);
  expect(await look('src/gone.ts(3,1): error TS2304: Cannot find name', {})).toEqual([]);
});
