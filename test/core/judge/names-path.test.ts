import { describe, expect, it } from 'vitest';
import {
  namesFolder,
  namesPath,
  namingStrength,
  searchesFolder,
  spellsPath,
  subjectOf,
} from '../../../src/core/judge/names-path.ts';
import { packPaths, unpackPaths } from '../../../src/core/judge/read-paths.ts';
import { isConfiguration, isPlanted, isTest } from '../../../src/core/judge/verification-files.ts';

describe('a text names a file', () => {
  it.each([
    ['by its path', 'sh tools/run.sh', 'tools/run.sh'],
    ['by the end of its path', 'cd tools && sh ./run.sh', 'tools/run.sh'],
    ['without its ending', "require('../src/calc')", 'src/calc.js'],
    ['as a module', 'python3 -m unittest tests.unit.test_a.T.test_b', 'tests/unit/test_a.py'],
    ['with an id', 'pytest tests/test_a.py::test_b', 'tests/test_a.py'],
    ['behind an option', 'lint --rules=conf/rules.json src', 'conf/rules.json'],
    ['glued to an option', 'awk -fjudge.awk', 'judge.awk'],
    ['behind an at sign', 'cc @flags.txt', 'flags.txt'],
    ['that is hidden', '. ./.env; x', '.env'],
  ])('%s', (_, text, path) => expect(namesPath(text, path)).toBe(true));

  it.each([
    ['another ending', 'node calc.js', 'calc.py'],
    ['a longer name', 'node recalc.js', 'calc.js'],
    ['a file that begins alike', 'node calc.js.map', 'calc.js'],
    ['a property', 'x.index = 1', 'index.js'],
    ['a short word', 'echo a', 'a.txt'],
  ])('but not by %s', (_, text, path) => expect(namesPath(text, path)).toBe(false));

  it('or a folder that it lies in', () => {
    expect(namesFolder('for f in cases/*; do', 'cases/a.txt')).toBe(true);
    expect(namesFolder('join(root, "cases")', 'data/cases/a.txt')).toBe(true);
    expect(namesFolder('in most cases this', 'cases/a.txt')).toBe(false);
    expect(namesFolder('zap cases', 'cases/a.txt', true)).toBe(true);
    expect([spellsPath('sh ./a/b.sh', 'a/b.sh'), spellsPath('sh b.sh', 'a/b.sh')]).toEqual([true, false]);
  });
});

it('a name in a path, with its ending or in an import of its folder is more than a word', () => {
  const strength = (text: string) => namingStrength(text, 'support/same.py');
  for (const text of ['support.same', './same', 'from .same import', 'same.py', 'from support import same'])
    expect(strength(text), text).toBe(2);
  for (const text of ['the same again', '"same"']) expect(strength(text), text).toBe(1);
  for (const text of ['another', 'row.same', 'f().same']) expect(strength(text), text).toBe(0);
});

it('what stands for its folder has the name of its folder', () => {
  expect([
    namingStrength('import support', 'a/support/__init__.py'),
    namesPath('__init__', 'a/__init__.py'),
  ]).toEqual([1, false]);
  expect(namingStrength("require('./support')", 'a/support/index.js')).toBe(2);
  expect(namesPath('node index.js', 'index.js')).toBe(true);
});

it('a folder is searched where it is named without a file of it', () => {
  for (const text of ['for f in hooks/*; do', 'ls "tools/hooks"', 'source hooks/$name', 'readdir("hooks/")'])
    expect(searchesFolder(text, 'tools/hooks/a.sh'), text).toBe(true);
  for (const text of ['. hooks/b.sh', 'the hooks are', 'require("./hooks/b")'])
    expect(searchesFolder(text, 'tools/hooks/a.sh'), text).toBe(false);
});

it('a test names its subject by its own name', () => {
  for (const test of [
    'calc.test.js',
    'test_calc.py',
    'pkg/calc_test.go',
    'CalcTest.java',
    'spec/calc_spec.rb',
  ])
    expect(subjectOf(test)).toBe('calc');
});

it('a set of files that a check read is kept in few words', () => {
  const all = ['a.txt', 'src/a.js', 'src/b.js', 'src/deep/c.js', 'test/a.js', 'test/b.js'];
  const some = new Set(['src/a.js', 'src/b.js', 'src/deep/c.js', 'test/b.js']);
  expect(packPaths(some, all)).toEqual(['src/', 'test/b.js']);
  expect(unpackPaths(['src/', 'test/b.js'], all)).toEqual(some);
  expect(packPaths(new Set(all), all)).toEqual(['/']);
  expect(
    packPaths(new Set(Array.from({ length: 5000 }, (_, at) => `${at}`)), [
      'x',
      ...Array.from({ length: 5000 }, (_, at) => `${at}`),
    ]),
  ).toBeNull();
});

it('tests, settings, and what the work brings along are told apart from the work by convention', () => {
  for (const path of [
    'test/a.js',
    'src/__tests__/a.tsx',
    'src/a.test.ts',
    'pkg/a_test.go',
    'test_a.py',
    'src/test/java/FooTest.java',
    'scripts/verify.sh',
    'golden/a.txt',
    'a.expected',
  ])
    expect(isTest(path), path).toBe(true);
  for (const path of [
    'src/a.ts',
    'src/contest.py',
    'latest.js',
    'src/attest.ts',
    'protest/a.js',
    'tests/conftest.py',
  ])
    expect(isTest(path), path).toBe(false);
  for (const path of [
    'conftest.py',
    'vitest.config.ts',
    'tsconfig.json',
    '.npmrc',
    '.github/workflows/ci.yml',
    'Makefile',
    'GNUmakefile',
    'package.json',
    'go.mod',
    'Cargo.toml',
    'eslint.config.js',
    'src/setupTests.ts',
  ])
    expect(isConfiguration(path) || isTest(path), path).toBe(true);
  for (const path of ['src/app.config.ts', 'src/a.ts', 'README.md', 'profile.ts'])
    expect(isConfiguration(path), path).toBe(false);
  for (const path of ['.bin/tsc', 'a/node_modules/.bin/x', 'junit.xml', 'coverage/index.html'])
    expect(isPlanted(path), path).toBe(true);
  for (const path of ['bin/cli.js', 'report.json', 'src/results.ts'])
    expect(isPlanted(path), path).toBe(false);
});
