import { describe, expect, it } from 'vitest';
import { mixerFor } from '../../../src/core/judge/mix-versions.ts';

function mix(path: string, base: string, candidate: string, hasJudge = true): string | null {
  return mixerFor(path)?.(base, candidate, hasJudge) ?? null;
}

describe('a file that holds work and judge in one', () => {
  it('package.json keeps its dependencies and gets the base’s test scripts and test settings', () => {
    const base = '{"scripts":{"test":"vitest"},"jest":{"roots":["test"]}}';
    const candidate =
      '{"scripts":{"test":"true","pretest":"rm -r test","postinstall":"x","build":"x"},"jest":{"testPathIgnorePatterns":["."]},"dependencies":{"a":"1"}}';
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

  it('a Makefile keeps its new objects, and is the base’s where a rule changed', () => {
    const base = 'OBJ = a.o\n\nall: $(OBJ)\n\tcc\n\ntest: all\n\t./run-tests\n';
    expect(mix('Makefile', base, base.replace('./run-tests', 'true'))).toBe(base);
    expect(mix('Makefile', base, base.replace('./run-tests', './run-tests || true'))).toBe(base);
    expect(mix('Makefile', base, base.replace('a.o\n', 'a.o b.o\n'))).toBeNull();
    expect(mix('Makefile', base, `${base}\nb.o: b.c\n\tcc -c b.c\n`)).toBeNull();
  });

  it('a build file keeps a new target where the base has no judge', () => {
    const base = 'all:\n\ttrue\n';
    const more = `PYTHON = python3\n\n${base}\ntest:\n\t$(PYTHON) -m unittest\n`;
    expect(mix('Makefile', base, more, false)).toBeNull();
    expect(mix('Makefile', base, more)).toBe(base);
  });

  it('new settings are the work’s where the base has no judge they could bend', () => {
    const manifest = '{"jest":{"testEnvironment":"node"}}';
    expect(mix('package.json', '{}', manifest, false)).toBeNull();
    expect(mix('package.json', '{}', manifest)).toBe('{}\n');
    const project = '[project]\nname = "x"\n';
    const settings = `${project}[tool.pytest.ini_options]\npythonpath = ["src"]\n`;
    expect(mix('pyproject.toml', project, settings, false)).toBeNull();
    expect(mix('pyproject.toml', project, settings)).toBe(project);
  });

  it.each([
    ['another tool in a variable', 'RUN = node --test', 'RUN = true'],
    ['a word before the tool', 'RUN = node a.js', 'RUN = true.js node a.js'],
    ['a shell that does nothing', 'RUN = x', 'RUN = x\nSHELL = true'],
    ['a program that runs while make reads', 'RUN = x', 'RUN = x\nY := $(shell cp /dev/null test)'],
    ['a file from elsewhere', 'RUN = x', 'RUN = x\ninclude more.mk'],
  ])('a Makefile does not keep %s', (_, base, candidate) => {
    expect(mix('Makefile', `${base}\n`, `${candidate}\n`)).toBe(`${base}\n`);
  });

  it('package.json takes no tool from another place, and any script for what npm wrote where there was none', () => {
    const base =
      '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"},"devDependencies":{"jest":"1"}}';
    const own = '{"scripts":{"test":"jest"},"devDependencies":{"jest":"file:./jest","vitest":"file:./v"}}';
    expect(JSON.parse(mix('package.json', base, own) ?? '')).toEqual({
      scripts: { test: 'jest' },
      devDependencies: { jest: '1', vitest: 'file:./v' },
    });
  });

  it('a build file keeps lines that only add, and nothing that could switch a test off', () => {
    const base = '<project>\n<dependencies>\n</dependencies>\n</project>\n';
    const dependency = base.replace('</dep', '<dependency>a</dependency>\n</dep');
    expect(mix('pom.xml', base, dependency)).toBeNull();
    expect(mix('pom.xml', base, base.replace('</proj', '<skipTests>true</skipTests>\n</proj'))).toBe(base);
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
