import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Box, inBox } from './box.ts';

/** A real project in the box: committed files, and beside them what git ignores. */
function project(
  box: Box,
  files: Readonly<Record<string, string>>,
  ignored: Readonly<Record<string, string>>,
): void {
  for (const [name, content] of Object.entries({ ...files, ...ignored })) {
    mkdirSync(dirname(join(box.repository, name)), { recursive: true });
    writeFileSync(join(box.repository, name), content);
  }
}

async function worksWithInitAlone(box: Box, agent: string): Promise<void> {
  box.git('add', '--all');
  box.git('commit', '--quiet', '-m', 'a project');
  expect(await box.call('init', '--yes')).toMatchObject({ exitCode: 0 });
  const { exitCode, stdout, stderr } = await box.call(
    'run',
    '--json',
    'add the feature',
    '--',
    'sh',
    '-c',
    agent,
  );
  expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, stderr: '' });
  const run = JSON.parse(stdout) as {
    checks: { purpose: string; passed: boolean }[];
    delivered: { files: string[] };
  };
  expect(run.checks.map(({ purpose, passed }) => `${purpose} ${passed}`)).toEqual([
    'baseline false',
    'gate true',
  ]);
  expect(run.delivered.files.filter((name) => name.includes('.env'))).toEqual([]);
}

describe('a project with ignored files that its tests need works with `mayday init --yes` alone', () => {
  it('Node with a lockfile and a dependency', () =>
    inBox(async (box) => {
      project(
        box,
        {
          'package.json': JSON.stringify({
            name: 'app',
            version: '1.0.0',
            type: 'module',
            scripts: { test: 'node --test' },
            dependencies: { plus: 'file:./plus' },
          }),
          'plus/package.json': JSON.stringify({
            name: 'plus',
            version: '1.0.0',
            type: 'module',
            exports: './index.js',
          }),
          'plus/index.js': 'export const plus = (a, b) => a + b;\n',
          'app.test.js': `import assert from 'node:assert'; import { readFileSync } from 'node:fs'; import test from 'node:test'; import { plus } from 'plus';
test('the environment is there', () => assert.match(readFileSync('.env', 'utf8'), /TOKEN=42/));
test('the dependency is there', () => assert.equal(plus(1, 2), 3));
test('the feature is there', async () => assert.equal((await import('./feature.js')).answer, 42));\n`,
          '.gitignore': 'node_modules\n.env\n',
        },
        { '.env': 'TOKEN=42\n' },
      );
      execFileSync('npm', ['install', '--no-audit', '--no-fund', '--offline'], {
        cwd: box.repository,
        stdio: 'ignore',
      });
      await worksWithInitAlone(box, "echo 'export const answer = 42;' > feature.js");
    }, {}));

  const python = spawnSync('python3', ['--version']).status === 0;
  it.skipIf(!python)(`Python with unittest${python ? '' : ' (skipped, reason: no python3 here)'}`, () =>
    inBox(async (box) => {
      project(
        box,
        {
          'pyproject.toml': '[project]\nname = "app"\nversion = "1.0"\n',
          'tests/__init__.py': '',
          'tests/test_app.py': `import pathlib, unittest

class App(unittest.TestCase):
    def test_environment(self):
        self.assertIn("TOKEN=42", pathlib.Path(".env").read_text())

    def test_feature(self):
        from feature import answer
        self.assertEqual(answer, 42)
`,
          '.gitignore': '.env\n__pycache__/\n.venv/\n',
        },
        { '.env': 'TOKEN=42\n' },
      );
      await worksWithInitAlone(box, "echo 'answer = 42' > feature.py");
    }, {}),
  );
});
