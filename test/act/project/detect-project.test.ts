import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { detectProject } from '../../../src/act/project/detect-project.ts';
import { temporaryFolder, temporaryRepository, writeFiles } from '../temporary-repository.ts';

async function detect(files: Readonly<Record<string, string>>, tools: readonly string[] = TOOLS) {
  const folder = join(temporaryFolder(), 'project');
  writeFiles(folder, files);
  return await detectProject(folder, toolsOf(tools));
}

const TOOLS = ['npm', 'pnpm', 'yarn', 'bun', 'uv', 'poetry', 'pipenv', 'python3', 'mix', 'bundle'];

/** A PATH with these tools and no other. */
function toolsOf(names: readonly string[]): string {
  const folder = join(temporaryFolder(), 'bin');
  writeFiles(folder, Object.fromEntries(names.map((name) => [name, '#!/bin/sh\n'])));
  for (const name of names) chmodSync(join(folder, name), 0o755);
  return folder;
}

const manifest = (content: unknown) => JSON.stringify(content);

describe('a project without configuration', () => {
  it.each([
    ['npm', 'package-lock.json', 'npm ci', 'npm test'],
    ['pnpm', 'pnpm-lock.yaml', 'pnpm install --frozen-lockfile', 'pnpm run test'],
    ['yarn', 'yarn.lock', 'yarn install --frozen-lockfile', 'yarn run test'],
    ['bun', 'bun.lock', 'bun install --frozen-lockfile', 'bun run test'],
  ])('of Node is set up and tested with %s by its lockfile', async (_name, lockfile, setup, check) => {
    const proposal = await detect({
      'package.json': manifest({ scripts: { test: 'node --test' }, devDependencies: { x: '1' } }),
      [lockfile]: '',
    });
    expect(proposal).toMatchObject({ setup, checks: [check], nodeModules: 'setup' });
    expect(proposal.why.join('\n')).toContain(lockfile);
  });

  it('of Node reuses installed modules, and adds type check and lint', async () => {
    const proposal = await detect({
      'package.json': manifest({ scripts: { test: 'vitest', typecheck: 'tsc', lint: 'eslint .' } }),
      'package-lock.json': '{}',
      'node_modules/x/index.js': '',
    });
    expect(proposal).toMatchObject({
      setup: 'npm ci',
      nodeModules: 'copy',
      checks: ['npm test', 'npm run typecheck', 'npm run lint'],
    });
  });

  it('of Node without a real test has no check, and no setup without dependencies', async () => {
    const placeholder = 'echo "Error: no test specified" && exit 1';
    expect(await detect({ 'package.json': manifest({ scripts: { test: placeholder } }) })).toMatchObject({
      checks: [],
      setup: null,
    });
    expect(await detect({ 'package.json': '{broken' })).toMatchObject({ checks: [], setup: null });
  });

  it.each([
    [
      'uv',
      { 'pyproject.toml': '[project]\ndependencies=["pytest"]', 'uv.lock': '' },
      'uv sync',
      'uv run python -m pytest',
    ],
    [
      'poetry',
      { 'pyproject.toml': '[tool.poetry]\n[tool.pytest.ini_options]', 'poetry.lock': '' },
      'poetry install --no-interaction',
      'poetry run python -m pytest',
    ],
    [
      'requirements',
      { 'requirements.txt': 'flask', 'requirements-dev.txt': 'pytest' },
      'python3 -m venv .venv && .venv/bin/pip install --quiet -r requirements.txt -r requirements-dev.txt',
      '.venv/bin/python -m pytest',
    ],
    [
      'the standard library',
      { 'tests/__init__.py': '', 'tests/test_a.py': 'import unittest' },
      null,
      'python3 -m unittest discover -s tests -t .',
    ],
  ])('of Python with %s', async (_name, files, setup, check) => {
    expect(await detect(files as unknown as Record<string, string>)).toMatchObject({
      setup,
      checks: [check],
    });
  });

  it.each([
    ['go.mod', 'go build ./... && go test ./...'],
    ['Cargo.toml', 'cargo test'],
    ['gradlew', './gradlew test'],
  ])('with %s is checked by its own tool', async (file, check) => {
    expect(await detect({ [file]: '' })).toMatchObject({ checks: [check], setup: null });
  });

  it('with only a Makefile is checked by its test target, if it has one', async () => {
    expect(await detect({ Makefile: 'all:\n\ntest: all\n\t./t\n' })).toMatchObject({ checks: ['make test'] });
    expect(await detect({ Makefile: 'all:\n' })).toMatchObject({ checks: [] });
    expect(await detect({ Makefile: 'test:\n', 'go.mod': '' })).toMatchObject({
      checks: ['go build ./... && go test ./...'],
    });
  });

  it('of several languages has the checks of all', async () => {
    const proposal = await detect({
      'package.json': manifest({ scripts: { test: 'x' } }),
      'package-lock.json': '{}',
      'uv.lock': '',
      'tests/test_a.py': '',
    });
    expect(proposal.setup).toBe('npm ci && uv sync');
    expect(proposal.checks).toHaveLength(2);
  });

  it('names ignored environment files that its programs need', async () => {
    const repository = temporaryRepository({ '.gitignore': '.env*\nsecret.txt\n' });
    repository.write({ '.env': 'A', 'pkg/.env.local': 'B', 'secret.txt': 'C' });
    expect((await detectProject(repository.root, '')).ignoredToCopy).toEqual(['.env', 'pkg/.env.local']);
  });

  const pnpm = {
    'package.json': manifest({ scripts: { test: 'x' }, dependencies: { x: '1' } }),
    'pnpm-lock.yaml': '',
  };
  const python = { 'uv.lock': '', 'test_a.py': '', 'conftest.py': '' };
  it.each([
    ['npm reads no lockfile of pnpm', pnpm, ['npm'], null, 'npm test', ['pnpm-lock.yaml asks for pnpm']],
    [
      'the next lockfile counts',
      { ...pnpm, 'package-lock.json': '' },
      ['npm'],
      'npm ci',
      'npm test',
      ['pnpm-lock'],
    ],
    ['no npm', { 'package.json': pnpm['package.json'] }, [], null, 'npm test', ['package.json asks for npm']],
    ['no uv', python, ['python3'], null, 'python3 -m pytest', ['uv.lock asks for uv']],
    [
      'requirements come after uv',
      { ...python, 'requirements.txt': 'pytest' },
      ['python3'],
      'python3 -m venv .venv && .venv/bin/pip install --quiet -r requirements.txt',
      '.venv/bin/python -m pytest',
      ['uv.lock asks for uv'],
    ],
    ['no bundler', { Gemfile: '' }, [], null, 'bundle exec rake test', ['Gemfile asks for bundle']],
  ])('is never set up with a tool that is not there: %s', async (_, files, tools, setup, check, lacks) => {
    const proposal = await detect(files as unknown as Record<string, string>, tools);
    expect(proposal).toMatchObject({ setup, checks: [check] });
    expect(proposal.lacks).toEqual(lacks.map((text) => expect.stringContaining(text) as unknown));
  });
});
