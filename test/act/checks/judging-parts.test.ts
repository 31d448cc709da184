import { describe, expect, it } from 'vitest';
import { checkEnvironment } from '../../../src/act/checks/check-environment.ts';
import { mixerFor } from '../../../src/act/checks/judging-parts.ts';
import {
  isPlanted,
  isTestConfiguration,
  isVerificationFile,
} from '../../../src/act/checks/verification-files.ts';

function mix(path: string, base: string, candidate: string): string | null {
  return mixerFor(path)?.(base, candidate) ?? null;
}

describe('a file that holds work and judge in one', () => {
  it('package.json keeps its dependencies and gets the base’s test scripts and test settings', () => {
    const base = '{"scripts":{"test":"vitest"},"jest":{"roots":["test"]}}';
    const candidate =
      '{"scripts":{"test":"true","pretest":"rm -r test","build":"x"},"jest":{"testPathIgnorePatterns":["."]},"dependencies":{"a":"1"}}';
    expect(JSON.parse(mix('package.json', base, candidate) ?? '')).toEqual({
      scripts: { test: 'vitest', build: 'x' },
      jest: { roots: ['test'] },
      dependencies: { a: '1' },
    });
    expect(
      mix('package.json', base, '{"scripts":{"test":"vitest","dev":"y"},"jest":{"roots":["test"]}}'),
    ).toBeNull();
    expect(mix('package.json', base, 'broken')).toBe(base);
  });

  it('a Makefile keeps its new objects and gets the base’s test target', () => {
    const base = 'OBJ = a.o\n\nall: $(OBJ)\n\tcc\n\ntest: all\n\t./run-tests\n';
    const candidate = 'OBJ = a.o b.o\n\nall: $(OBJ)\n\tcc\n\ntest:\n\ttrue\n';
    expect(mix('Makefile', base, candidate)).toBe(
      'OBJ = a.o b.o\n\nall: $(OBJ)\n\tcc\n\ntest: all\n\t./run-tests\n',
    );
    expect(mix('Makefile', base, base.replace('a.o\n', 'a.o b.o\n'))).toBeNull();
  });

  it('pyproject.toml keeps its dependencies and gets the base’s test section', () => {
    const base = '[project]\nname = "x"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n';
    const candidate =
      '[project]\nname = "x"\ndependencies = ["a"]\n\n[tool.pytest.ini_options]\naddopts = "--deselect tests"\n';
    const mixed = mix('sub/pyproject.toml', base, candidate) ?? '';
    expect(mixed).toContain('dependencies = ["a"]');
    expect(mixed).toContain('testpaths = ["tests"]');
    expect(mixed).not.toContain('deselect');
  });

  it('other files have no judging part', () => {
    expect(mixerFor('src/main.ts')).toBeNull();
  });
});

it('tests, settings of runners, and what the work brings along are told apart from the work', () => {
  for (const path of ['test/a.sh', 'src/a.test.ts', 'verify.py', 'eslint.config.js'])
    expect(isVerificationFile(path), path).toBe(true);
  for (const path of ['src/attest.ts', 'contest/a.ts', 'src/report.ts'])
    expect(isVerificationFile(path), path).toBe(false);
  expect(isTestConfiguration('sub/conftest.py')).toBe(true);
  for (const path of ['.bin/tsc', 'a/node_modules/.bin/x', 'junit.xml', 'coverage/index.html'])
    expect(isPlanted(path), path).toBe(true);
  for (const path of ['bin/cli.js', 'report.json', 'src/results.ts'])
    expect(isPlanted(path), path).toBe(false);
});

it('checks look for programs only where the agent cannot have put any', () => {
  const PATH = '.:/usr/bin::relative/bin:/w/run/bin:/usr/local/bin';
  expect(checkEnvironment({ PATH, HOME: '/h' }, [], ['/w/run'])['PATH']).toBe('/usr/bin:/usr/local/bin');
});
