/** Honest work that brings new tests, in the shapes projects have. Every one must be delivered at the first attempt. */
import type { RunnerName } from './runner-tools.ts';

export interface NewTestShape {
  readonly name: string;
  readonly tool?: RunnerName;
  /** Committed before the work; nothing where the repository is empty. */
  readonly base?: Files;
  readonly work: Files;
  readonly check: string;
}

type Files = Readonly<Record<string, string>>;

const ADD = { 'add.py': 'def add(a, b):\n    return a + b\n' };
const unittest = (module: string) =>
  `import unittest, add\n\n\nclass ${module}(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add.add(2, 3), 5)\n`;
const PYTEST = 'import add\n\n\ndef test_add():\n    assert add.add(2, 3) == 5\n';
const OLD_PYTHON = { 'old.py': 'def old():\n    return 1\n' };
const OLD_PYTEST = {
  ...OLD_PYTHON,
  'tests/test_old.py': 'import old\n\n\ndef test_old():\n    assert old.old() == 1\n',
};
const ADD_JS = { 'add.js': 'module.exports = (a, b) => a + b;\n' };
const JEST = "const add = require('./add.js');\ntest('adds', () => expect(add(2, 3)).toBe(5));\n";
const NODE_TEST =
  "require('node:test')('adds', () => require('node:assert').equal(require('../add.js')(2, 3), 5));\n";
const OLD_NODE = { 'test/old.test.js': "require('node:test')('old', () => {});\n" };
const manifest = (value: object) => `${JSON.stringify({ name: 'x', version: '1.0.0', ...value }, null, 2)}\n`;

/** In an empty repository: the drill of the report, and one shape for each common runner. */
export const FIRST_SHAPES: readonly NewTestShape[] = [
  {
    name: 'unittest, by the name of the module',
    work: { ...ADD, 'test_add.py': unittest('Add') },
    check: 'python3 -m unittest -q test_add',
  },
  {
    name: 'unittest, in a package that has the name of one of Python’s own',
    work: { ...ADD, 'test/__init__.py': '', 'test/test_add.py': unittest('Add') },
    check: 'python3 -m unittest test.test_add',
  },
  {
    name: 'pytest, with its conftest and a word of the line that is also a module',
    tool: 'pytest',
    work: {
      ...ADD,
      'conftest.py': '',
      'pytest.ini': '[pytest]\npythonpath = .\n',
      'tests/test_add.py': PYTEST,
    },
    check: 'pytest -q -k add',
  },
  {
    name: 'vitest, with its settings and those of the compiler',
    work: {
      'package.json': manifest({ type: 'module', scripts: { test: 'vitest run' } }),
      'vitest.config.ts': 'export default { test: { globals: true } };\n',
      'tsconfig.json': '{"compilerOptions":{"strict":true}}\n',
      'src/add.ts': 'export const add = (a: number, b: number): number => a + b;\n',
      'src/add.test.ts':
        "import { add } from './add.ts';\n\ntest('adds', () => expect(add(2, 3)).toBe(5));\n",
    },
    check: 'vitest run',
  },
  {
    name: 'jest, with its settings',
    tool: 'jest',
    work: {
      ...ADD_JS,
      'package.json': manifest({ jest: { testEnvironment: 'node' } }),
      '.gitignore': 'node_modules\n',
      'add.test.js': JEST,
    },
    check: 'jest',
  },
  {
    name: 'go test',
    tool: 'go',
    work: {
      'go.mod': 'module example.com/add\n\ngo 1.19\n',
      'add.go': 'package add\n\nfunc Add(a, b int) int { return a + b }\n',
      'add_test.go':
        'package add\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(2, 3) != 5 {\n\t\tt.Fail()\n\t}\n}\n',
    },
    check: 'go test ./...',
  },
  {
    name: 'cargo test',
    tool: 'cargo',
    work: {
      'Cargo.toml': '[package]\nname = "add"\nversion = "0.1.0"\nedition = "2021"\n',
      '.gitignore': 'target\n',
      'src/lib.rs': 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n',
      'tests/add.rs': '#[test]\nfn adds() {\n    assert_eq!(add::add(2, 3), 5);\n}\n',
    },
    check: 'cargo test --quiet',
  },
  {
    name: 'a target of a Makefile',
    tool: 'make',
    work: {
      ...ADD,
      Makefile: 'PYTHON = python3\n\ntest:\n\t$(PYTHON) -m unittest test_add\n',
      'test_add.py': unittest('Add'),
    },
    check: 'make test',
  },
  {
    name: 'a script of a package',
    work: {
      ...ADD_JS,
      'package.json': manifest({ scripts: { test: 'node --test' } }),
      'test/add.test.js': NODE_TEST,
    },
    check: 'npm test --silent',
  },
];

/** Beside tests that were there, and with more of what belongs to new tests. */
export const FURTHER_SHAPES: readonly NewTestShape[] = [
  {
    name: 'unittest, one old and one new module named',
    base: { ...ADD, 'test_old.py': unittest('Old') },
    work: { 'test_add.py': unittest('Add') },
    check: 'python3 -m unittest test_old test_add',
  },
  {
    name: 'unittest, by the name of a test in a new package',
    work: { ...ADD, 'tests/__init__.py': '', 'tests/test_add.py': unittest('Add') },
    check: 'python3 -m unittest tests.test_add.Add.test_add',
  },
  {
    name: 'a new module that the check starts',
    work: { 'hello.py': 'print("hello")\n' },
    check: 'python3 -m hello',
  },
  {
    name: 'a new script that the check starts',
    work: { 'run-tests.sh': 'test -f add.py\n', ...ADD },
    check: 'sh ./run-tests.sh',
  },
  {
    name: 'pytest, a new test beside old ones',
    tool: 'pytest',
    base: OLD_PYTEST,
    work: { ...ADD, 'tests/test_add.py': PYTEST },
    check: 'python3 -m pytest -q',
  },
  {
    name: 'pytest, a new test with a new fixture in the old conftest',
    tool: 'pytest',
    base: { ...OLD_PYTEST, 'conftest.py': 'import pytest\n\n\n@pytest.fixture\ndef one():\n    return 1\n' },
    work: {
      ...ADD,
      'conftest.py':
        'import pytest\n\n\n@pytest.fixture\ndef one():\n    return 1\n\n\n@pytest.fixture\ndef two():\n    return 2\n',
      'tests/test_add.py': 'import add\n\n\ndef test_add(two):\n    assert add.add(two, 3) == 5\n',
    },
    check: 'python3 -m pytest -q',
  },
  {
    name: 'pytest, a new test that the line names, with a new conftest beside old tests',
    tool: 'pytest',
    base: OLD_PYTEST,
    work: {
      ...ADD,
      'tests/conftest.py': 'import pytest\n\n\n@pytest.fixture\ndef two():\n    return 2\n',
      'tests/test_add.py': 'import add\n\n\ndef test_add(two):\n    assert add.add(two, 3) == 5\n',
    },
    check: 'python3 -m pytest -q tests/test_add.py',
  },
  {
    name: 'pytest, first tests of a project with sources in a folder of their own',
    tool: 'pytest',
    base: { 'pyproject.toml': '[project]\nname = "x"\nversion = "1"\n', 'src/old.py': '' },
    work: {
      'pyproject.toml':
        '[project]\nname = "x"\nversion = "1"\n\n[tool.pytest.ini_options]\npythonpath = ["src"]\n',
      'src/add.py': ADD['add.py'],
      'tests/test_add.py': PYTEST,
    },
    check: 'pytest -q',
  },
  {
    name: 'pytest, first tests beside tests in another language',
    tool: 'pytest',
    base: OLD_NODE,
    work: { ...ADD, 'conftest.py': '', 'tests/test_add.py': PYTEST },
    check: 'python3 -m pytest -q',
  },
  {
    name: 'a new folder of tests',
    base: { ...OLD_NODE, 'package.json': manifest({ scripts: { test: 'node --test' } }) },
    work: { ...ADD_JS, 'spec/add.test.js': NODE_TEST },
    check: 'npm test --silent',
  },
  {
    name: 'a script of the package that names the new test too',
    base: { ...OLD_NODE, 'package.json': manifest({ scripts: { test: 'node --test test/old.test.js' } }) },
    work: {
      ...ADD_JS,
      'package.json': manifest({ scripts: { test: 'node --test test/old.test.js test/add.test.js' } }),
      'test/add.test.js': NODE_TEST,
    },
    check: 'npm test --silent',
  },
  {
    name: 'a script in the place of one that only said that there are no tests',
    base: { 'package.json': manifest({ scripts: { test: 'echo "no tests yet" && exit 1' } }) },
    work: {
      ...ADD_JS,
      'package.json': manifest({ scripts: { test: 'node --test' } }),
      'test/add.test.js': NODE_TEST,
    },
    check: 'npm test --silent',
  },
  {
    name: 'jest, first tests of a project that had its script',
    tool: 'jest',
    base: { 'package.json': manifest({ scripts: { test: 'jest' } }) },
    work: {
      ...ADD_JS,
      'package.json': manifest({ scripts: { test: 'jest' }, jest: { testEnvironment: 'node' } }),
      'babel.config.js': 'module.exports = {};\n',
      'add.test.js': JEST,
    },
    check: 'npm test --silent',
  },
  {
    name: 'a target of the Makefile that runs the new test too',
    tool: 'make',
    base: { ...ADD, 'test_old.py': unittest('Old'), Makefile: 'test:\n\tpython3 -m unittest test_old\n' },
    work: {
      'test_add.py': unittest('Add'),
      Makefile: 'test:\n\tpython3 -m unittest test_old test_add\n',
    },
    check: 'make test',
  },
  {
    name: 'a new target of the Makefile, with a variable of its own',
    tool: 'make',
    base: { ...ADD, Makefile: 'all:\n\ttrue\n' },
    work: {
      'test_add.py': unittest('Add'),
      Makefile: 'PYTHON = python3\n\nall:\n\ttrue\n\ntest:\n\tcd . && $(PYTHON) -m unittest test_add\n',
    },
    check: 'make test',
  },
];

const WRONG_JS = { 'add.js': 'module.exports = (a, b) => a - b;\n', 'test/add.test.js': NODE_TEST };

/** The fix of a file that a check also starts, compiles or reads: that the check passes only with it is the point of the work. */
export const FIXES: readonly NewTestShape[] = [
  {
    name: 'the lint script reads the file by its name',
    base: {
      ...WRONG_JS,
      'package.json': manifest({ scripts: { test: 'node --test', lint: 'node --check add.js' } }),
    },
    work: ADD_JS,
    check: 'npm test --silent && npm run --silent lint',
  },
  {
    name: 'the test script starts the file before the tests',
    base: { ...WRONG_JS, 'package.json': manifest({ scripts: { test: 'node add.js && node --test' } }) },
    work: ADD_JS,
    check: 'npm test --silent',
  },
  {
    name: 'the manifest calls the file its main one',
    base: {
      'add.js': 'throw new Error();\n',
      'package.json': manifest({ main: 'add.js', scripts: { test: 'node add.js' } }),
    },
    work: ADD_JS,
    check: 'npm test --silent',
  },
  {
    name: 'a flag of the interpreter stands before the file',
    base: { 'add.py': 'def add(a, b)\n    return a + b\n' },
    work: ADD,
    check: 'python3 -B add.py',
  },
];
