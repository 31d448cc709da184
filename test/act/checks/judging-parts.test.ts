import { describe, expect, it } from 'vitest';
import { checkEnvironment } from '../../../src/act/checks/check-environment.ts';
import { judgingPrograms } from '../../../src/act/checks/judging-programs.ts';
import { namedTests } from '../../../src/act/checks/named-tests.ts';
import { mixerFor } from '../../../src/act/checks/judging-parts.ts';
import {
  isPlanted,
  isTestConfiguration,
  isVerificationFile,
} from '../../../src/act/checks/verification-files.ts';

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

  it('a Makefile keeps its new objects and gets the base’s test target', () => {
    const base = 'OBJ = a.o\n\nall: $(OBJ)\n\tcc\n\ntest: all\n\t./run-tests\n';
    const candidate = 'OBJ = a.o b.o\n\nall: $(OBJ)\n\tcc\n\ntest:\n\ttrue\n';
    expect(mix('Makefile', base, candidate)).toBe(
      'OBJ = a.o b.o\nall: $(OBJ)\n\tcc\ntest: all\n\t./run-tests\n',
    );
    expect(mix('Makefile', base, base.replace('a.o\n', 'a.o b.o\n'))).toBeNull();
    expect(mix('Makefile', base, `${base}\nb.o: b.c\n\tcc -c b.c\n`)).toBeNull();
  });

  it('a Makefile keeps a new target with a new variable that nothing else reads', () => {
    const base = 'all:\n\ttrue\n';
    expect(mix('Makefile', base, `PYTHON = python3\n\n${base}\ntest:\n\t$(PYTHON) -m unittest\n`)).toBeNull();
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
    ['settings of a tool that make starts', 'a.o: a.c', 'a.o: a.c\nCC = true'],
    ['a value for a word that it already reads', 'test: $(DEPS)', 'test: $(DEPS)\nDEPS = x'],
    ['a file from elsewhere', 'RUN = x', 'RUN = x\ninclude more.mk'],
    ['a rule for what was a file before', 'test: run.sh', 'test: run.sh\nrun.sh:\n\techo true > run.sh'],
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

describe('what a check runs', () => {
  const tree: Readonly<Record<string, string>> = {
    'package.json': JSON.stringify({
      scripts: { test: 'npm run unit', unit: 'node run.js', start: 'node server.js' },
    }),
    'sub/package.json': '{"scripts":{"verify":"node v.js"}}',
    'run.js': '',
    'server.js': '',
    'sub/v.js': '',
    Makefile:
      'RUN = sh tool.sh\n\nall:\n\tnode app.js\n\ntest: prepare\n\t@$(RUN)\n\nprepare:\n\t./prepare\n',
    'tool.sh': '. ./lib.sh\n',
    'lib.sh': '',
    prepare: '',
    'app.js': '',
    'add.sh': '',
    'scripts/all.js': '',
    'conf.json': '',
  };
  const named = async (...checks: string[]) => {
    const { programs } = await judgingPrograms(checks, async (path) => tree[path] ?? null);
    return [...programs].toSorted();
  };

  it.each([
    ['scripts behind scripts', 'npm test', ['run.js']],
    ['a manifest elsewhere', 'cd sub && npm run verify', ['sub/v.js']],
    ['targets, what they need and what they source', 'make test', ['lib.sh', 'prepare', 'tool.sh']],
    ['a script in a folder for scripts', 'CI=1 timeout 60 node ./scripts/all.js', ['scripts/all.js']],
    ['what steers a tool', 'jest --config=conf.json', ['conf.json']],
  ])('is followed through %s', async (_, check, expected) => {
    expect(await named(check)).toEqual(expected);
  });

  it('names its tools: programs, and modules that people install to judge with', async () => {
    const checks = [
      'python3 -m unittest -q test_add',
      'python3 -m coverage run -m pytest -k add',
      'python3 -m hello',
    ];
    const { tools } = await judgingPrograms(checks, async () => null);
    expect([...tools].toSorted()).toEqual(['coverage', 'pytest', 'python3', 'unittest']);
  });

  it('is the work where its output or its text is what is looked at', async () => {
    expect(
      await named(
        'node app.js',
        'npm start',
        'test "$(sh add.sh 2 3)" = 5',
        'sh add.sh 2 | grep 5',
        'grep -q + add.sh',
      ),
    ).toEqual([]);
  });
});

describe('a check line that names tests', () => {
  const base = ['tests/test_old.py', 'src/a.py', 'test_one.py'];
  const created = ['tests/test_new.py', 'test_two.py', 'test/x.test.js', 'pkg/a_test.go', 'add.py'];
  it.each([
    ['new ones only', 'pytest tests/test_new.py::test_a -k add', { some: true, only: true }],
    ['a new module', 'python3 -m unittest -q test_two', { some: true, only: true }],
    ['a test inside a new module', 'python3 -m unittest tests.test_new.T.test_a', { some: true, only: true }],
    ['a new package', 'go test ./pkg/...', { some: true, only: true }],
    ['a new folder', 'cd test && node --test ./x.test.js', { some: true, only: true }],
    ['old and new ones', 'python3 -m unittest test_one test_two', { some: true, only: false }],
    ['new ones, and runs others too', 'pytest test_two.py && npm test', { some: true, only: false }],
    ['a folder of both', 'pytest tests', { some: false, only: false }],
    ['none: the word is a task of the tool', 'npm test', { some: false, only: false }],
    ['none: the file is no test', 'python3 add.py', { some: false, only: false }],
  ])('%s', (_, check, expected) => {
    expect(namedTests(check, '', created, base)).toEqual(expected);
  });
});
