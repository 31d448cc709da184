import { describe, expect, it } from 'vitest';
import {
  groupCommands,
  leftOutTests,
  treatmentOfNew,
  treatmentOfOld,
  namedTests,
} from '../../../src/core/judge/base-judge.ts';
import { configuredFiles } from '../../../src/core/judge/configured-files.ts';
import { judgingPrograms, type NamedFiles } from '../../../src/core/judge/judging-programs.ts';
import { mixerFor } from '../../../src/core/judge/judging-parts.ts';
import {
  isPlanted,
  isTestConfiguration,
  isVerificationFile,
} from '../../../src/core/judge/verification-files.ts';

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
  for (const path of [
    'test/a.sh',
    'src/a.test.ts',
    'verify.py',
    'eslint.config.js',
    'src/setupTests.ts',
    'test-setup.js',
  ])
    expect(isVerificationFile(path), path).toBe(true);
  for (const path of ['src/attest.ts', 'contest/a.ts', 'src/report.ts'])
    expect(isVerificationFile(path), path).toBe(false);
  expect(isTestConfiguration('sub/conftest.py')).toBe(true);
  for (const path of ['.bin/tsc', 'a/node_modules/.bin/x', 'junit.xml', 'coverage/index.html'])
    expect(isPlanted(path), path).toBe(true);
  for (const path of ['bin/cli.js', 'report.json', 'src/results.ts'])
    expect(isPlanted(path), path).toBe(false);
});

function filesNamed(checks: readonly string[], tree: Readonly<Record<string, string>>): NamedFiles {
  const reading = judgingPrograms(checks, '', Object.keys(tree));
  let step = reading.next();
  while (step.done !== true) step = reading.next(tree[step.value] ?? null);
  return step.value;
}

describe('what the test configuration of the base has loaded before the tests', () => {
  const loadedBy = (tree: Readonly<Record<string, string>>): string[] => {
    const reading = configuredFiles(Object.keys(tree));
    let step = reading.next();
    while (step.done !== true) step = reading.next(tree[step.value] ?? null);
    return [...step.value].toSorted();
  };

  it.each([
    [
      'vitest.config.ts',
      `export default { test: { setupFiles: ['./src/prepare.ts'], include: ['src/a.ts'] } }`,
    ],
    [
      'jest.config.js',
      `module.exports = { setupFilesAfterEnv: ['<rootDir>/src/prepare'], roots: ['src/a.ts'] }`,
    ],
    ['jest.config.js', `module.exports = { reporters: [require.resolve('./src/prepare.ts')] }`],
    ['package.json', '{"main": "src/a.ts", "jest": {"testEnvironment": "./src/prepare.ts"}}'],
    ['vite.config.ts', `export default { test: { globalSetup: path.join(root, 'src/prepare.ts') } }`],
    ['conftest.py', 'pytest_plugins = ["src.prepare"]\n'],
    ['pytest.ini', '[pytest]\naddopts = -q -p src.prepare\ntestpaths = src/a.ts\n'],
  ])('is found in %s: %s', (path, text) => {
    const ending = /conftest|pytest/.test(path) ? 'py' : 'ts';
    expect(loadedBy({ [path]: text, [`src/prepare.${ending}`]: '', 'src/a.ts': '' })).toEqual([
      `src/prepare.${ending}`,
    ]);
  });

  it('is nothing where it only says which files are the work', () => {
    const text = `import react from '@vitejs/plugin-react'
      export default { resolve: { alias: { '@': './src' } }, build: { lib: { entry: 'src/a.ts' } }, test: { coverage: { include: ['src/a.ts'] } } }`;
    expect(
      loadedBy({ 'vite.config.ts': text, 'package.json': '{"main":"src/a.ts"}', 'src/a.ts': '' }),
    ).toEqual([]);
  });
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
  const named = (...checks: string[]) => [...filesNamed(checks, tree).programs].toSorted();

  it.each([
    ['scripts behind scripts', 'npm test', ['run.js']],
    ['a manifest elsewhere', 'cd sub && npm run verify', ['sub/v.js']],
    ['targets, what they need and what they source', 'make test', ['lib.sh', 'prepare', 'tool.sh']],
    ['a script in a folder for scripts', 'CI=1 timeout 60 node ./scripts/all.js', ['scripts/all.js']],
    ['what steers a tool', 'jest --config=conf.json', ['conf.json']],
  ])('is followed through %s', (_, check, expected) => {
    expect(named(check)).toEqual(expected);
  });

  it('names its tools: programs, and modules that people install to judge with', () => {
    const checks = [
      'python3 -m unittest -q test_add',
      'python3 -m coverage run -m pytest -k add',
      'python3 -m hello',
    ];
    const { tools } = filesNamed(checks, {});
    expect([...tools].toSorted()).toEqual(['coverage', 'pytest', 'python3', 'unittest']);
  });

  it('is the work where its output or its text is what is looked at', () => {
    expect(
      named(
        'node app.js',
        'npm start',
        'test "$(sh add.sh 2 3)" = 5',
        'sh add.sh 2 | grep 5',
        'grep -q + add.sh',
      ),
    ).toEqual([]);
  });
});

describe('a file of the product that a check runs, compiles or reads is the work', () => {
  const test = `require('node:test')('adds', () => require('../index.js'))\n`;
  const product = {
    'index.js': '',
    'app.py': '',
    'app.c': '',
    'bin/cli.js': '',
    'run.sh': '',
    'src/a.ts': '',
  };
  it.each([
    ['its syntax is read', {}, 'node --check index.js'],
    ['its syntax is read, in a script', { lint: 'node -c index.js' }, 'npm run lint'],
    ['its syntax is read by a shell', {}, 'bash -n run.sh'],
    ['a flag stands before it', {}, 'gcc -Wall -Werror app.c -o app && ./app'],
    ['a flag stands before it, in a script', { types: 'tsc --noEmit src/a.ts' }, 'npm run types'],
    ['a linter reads it', { lint: 'ruff check --fix app.py && prettier --check index.js' }, 'npm run lint'],
    ['a type checker reads it', {}, 'mypy --strict app.py'],
    ['the tests load it', { test: 'node index.js && node --test' }, 'npm test'],
  ])('%s', (_, scripts, check) => {
    const tree = {
      ...product,
      'index.js': '/a/.test(b)',
      'package.json': JSON.stringify({ scripts }),
      'test/a.test.js': test,
    };
    expect([...filesNamed([check], tree).programs]).toEqual([]);
  });

  it.each([
    ['main', { main: './index.js' }, 'node index.js'],
    ['a program of the package', { bin: { cli: 'bin/cli.js' } }, 'node bin/cli.js --help'],
    ['what it exports', { exports: { '.': { import: './index.js' } } }, 'node index.js'],
  ])('its manifest names it: %s', (_, manifest, line) => {
    const tree = { ...product, 'package.json': JSON.stringify({ ...manifest, scripts: { test: line } }) };
    expect([...filesNamed(['npm test'], tree).programs]).toEqual([]);
  });

  it.each([
    ['it runs the tests that load it', 'node index.js', { 'index.js': `import('./test/a.test.js')` }],
    ['it is given the tests', 'node index.js test/a.test.js', {}],
    ['no test loads it', 'node app.js', { 'app.js': '' }],
    ['it is loaded before the tests', 'node --require ./index.js --test', {}],
    ['it is a settings file', 'lint --max 3 --strict rules.json src', { 'rules.json': '' }],
  ])('but not where it judges: %s', (_, line, files) => {
    const tree = {
      ...product,
      ...files,
      'package.json': JSON.stringify({ scripts: { test: line } }),
      'test/a.test.js': test,
    };
    expect([...filesNamed(['npm test'], tree).programs]).not.toEqual([]);
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

it('files that judge are recognised by where they lie and what they are called', () => {
  for (const path of [
    'test/a.js',
    'src/__tests__/a.tsx',
    'src/a.test.ts',
    'pkg/a_test.go',
    'tests/conftest.py',
    'conftest.py',
    'test_a.py',
    'src/test/java/FooTest.java',
    'vitest.config.ts',
    '.github/workflows/ci.yml',
    'scripts/verify.sh',
  ])
    expect(isVerificationFile(path), path).toBe(true);
  for (const path of ['src/a.ts', 'src/contest.py', 'latest.js', 'src/attest.ts', 'protest/a.js'])
    expect(isVerificationFile(path), path).toBe(false);
});

describe('a path that the work changed, where the judge of the base is asked', () => {
  const basePaths = ['package.json', 'Makefile', 'tests/test_a.py', 'src/a.py'];
  const judgeOf = (check: string, created: readonly string[] = [], passed = true) => {
    const [group] = groupCommands([check], '', created, basePaths, [{ command: check, passed }]);
    return {
      ...(group ?? expect.fail('a command has a group')),
      named: filesNamed([check], { 'check.sh': '' }),
      basePaths,
    };
  };

  it.each([
    ['an edited test', 'pytest', 'tests/test_a.py', 'as_base'],
    ['the script that the check line runs', 'sh check.sh', 'check.sh', 'as_base'],
    ['edited settings of a tool', 'pytest', 'tsconfig.json', 'as_base'],
    ['a manifest that holds work and judge', 'pytest', 'package.json', 'mixed'],
    ['what the check line looks at', 'grep -q x .env.example', '.env.example', 'as_candidate'],
    ['a test, where the line names new tests only', 'pytest test_new.py', 'tests/test_a.py', 'as_candidate'],
  ] as const)('old: %s', (_, check, path, expected) => {
    expect(treatmentOfOld(judgeOf(check, ['test_new.py']), path)).toBe(expected);
  });

  it.each([
    ['a program in the place of a tool', 'pytest', 'node_modules/.bin/pytest', false, 'as_base'],
    ['a module in the name of an installed one', 'pytest', 'pytest.py', true, 'as_base'],
    ['the same file, where nothing is shadowed', 'pytest', 'pytest.py', false, 'as_candidate'],
    ['a rival of a file that make reads', 'make test', 'GNUmakefile', false, 'as_base'],
    ['settings that could bend the old tests', 'pytest', 'conftest.py', false, 'as_base'],
    ['settings of what starts programs', 'pytest', '.npmrc', false, 'as_base'],
    ['a project file with sections for tools', 'pytest', 'pyproject.toml', false, 'mixed'],
    ['a source file', 'pytest', 'src/b.py', false, 'as_candidate'],
  ] as const)('new: %s', (_, check, path, shadows, expected) => {
    expect(treatmentOfNew(judgeOf(check), path, shadows)).toBe(expected);
  });

  it('new settings stay where the base has nothing that they could bend', () => {
    const bare = { ...judgeOf('pytest', [], false), basePaths: ['src/a.py'] };
    expect(treatmentOfNew(bare, 'conftest.py', false)).toBe('as_candidate');
    expect(treatmentOfNew(bare, 'pyproject.toml', false)).toBe('as_candidate');
  });

  it('new tests are left out beside the old judge, unless the check line names one of them', () => {
    const created = ['tests/test_new.py', 'src/b.py'];
    expect([...leftOutTests(judgeOf('pytest', created), created)]).toEqual(['tests/test_new.py']);
    expect([...leftOutTests(judgeOf('pytest tests/test_new.py', created), created)]).toEqual([]);
  });
});
