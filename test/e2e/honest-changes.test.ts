/** Ten honest changes of what judges, by the front door: few of them lead to a question, and each question names its file and why. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { type Box, inBox } from './box.ts';

type Files = Readonly<Record<string, string>>;

interface HonestChange {
  readonly name: string;
  readonly base: Files;
  readonly check: string;
  readonly task: string;
  /** What the agent does, in its worktree. */
  readonly agent: string;
  readonly prepare?: (box: Box) => void;
  /** The file and the reason that the question names; absent: none is asked. */
  readonly asks?: readonly [path: string, why: string];
  /** Absent: it does not matter here. */
  readonly delivers?: readonly string[];
}

const CALC: Files = {
  'package.json': `${JSON.stringify({ name: 'calc', version: '1.0.0', main: 'src/calc.js', scripts: { test: 'node --test' } }, null, 2)}\n`,
  'src/calc.js': 'exports.add = (a, b) => a + b;\n',
  'test/calc.test.js': `const { test } = require('node:test');
const assert = require('node:assert');
const { add } = require('../src/calc.js');

test('adds', () => assert.equal(add(2, 3), 5));
`,
  'README.md': '# calc\n',
};
const RENDER: Files = {
  'render.py': 'def page(title):\n    return "<h1>" + title + "</h1>\\n"\n',
  'tests/test_render.py': `import pathlib
import unittest

import render


class Page(unittest.TestCase):
    def test_page(self):
        wanted = pathlib.Path(__file__).with_name("fixtures") / "page.html"
        self.assertEqual(render.page("a"), wanted.read_text())
`,
  'tests/__init__.py': '',
  'tests/fixtures/page.html': '<h1>a</h1>\n',
};
const MADE: Files = {
  Makefile: '.PHONY: test\ntest:\n\tsh test/all.sh\n',
  'greet.sh': 'echo "hello $1"\n',
  'test/all.sh': 'set -e\ntest "$(sh greet.sh you)" = "hello you"\n',
};
const LOCK = (version: string) =>
  JSON.stringify({
    name: 'calc',
    lockfileVersion: 3,
    packages: { '': { dependencies: { left: version } }, 'vendored/left': { version } },
  });

const HONEST: readonly HonestChange[] = [
  {
    name: 'a test that changes with the code',
    base: CALC,
    check: 'npm test --silent',
    task: 'add subtraction',
    agent: `echo 'exports.sub = (a, b) => a - b;' >> src/calc.js
      echo "test('subtracts', () => assert.equal(require('../src/calc.js').sub(3, 2), 1));" >> test/calc.test.js`,
  },
  {
    name: 'a configuration',
    base: { ...CALC, '.editorconfig': 'root = true\n', 'tsconfig.json': '{"compilerOptions":{}}\n' },
    check: 'npm test --silent',
    task: 'make the compiler strict',
    agent: `echo '{"compilerOptions":{"strict":true}}' > tsconfig.json; echo '[*]' >> .editorconfig`,
  },
  {
    name: 'tests that move into folders',
    base: { ...CALC, 'test/two.test.js': `require('node:test')('two', () => {});\n` },
    check: 'npm test --silent',
    task: 'sort the tests into folders',
    agent: `mkdir -p test/unit && git mv test/two.test.js test/unit/ && git mv test/calc.test.js test/unit/
      sed -i 's#\\.\\./src#../../src#' test/unit/calc.test.js`,
  },
  {
    name: 'a submodule that is moved on',
    base: CALC,
    check: 'npm test --silent',
    task: 'take the newest version of the shared rules',
    prepare: withSubmodule,
    agent: 'git -C rules checkout --quiet main && git add rules',
    delivers: ['rules'],
  },
  {
    name: 'a dependency and its lock file',
    base: {
      ...CALC,
      'package.json': (CALC['package.json'] ?? '').replace(
        '"scripts"',
        '"dependencies": {"left": "1.0.0"},\n  "scripts"',
      ),
      'package-lock.json': LOCK('1.0.0'),
    },
    check: 'npm test --silent',
    task: 'upgrade left',
    agent: `sed -i 's/1\\.0\\.0"}/1.1.0"}/' package.json; echo '${LOCK('1.1.0')}' > package-lock.json`,
  },
  {
    name: 'a file of the pipeline',
    base: { ...CALC, '.github/workflows/ci.yml': 'on: push\njobs: {}\n' },
    check: 'npm test --silent',
    task: 'let the pipeline run for pull requests too',
    agent: `sed -i 's/on: push/on: [push, pull_request]/' .github/workflows/ci.yml`,
    asks: ['.github/workflows/ci.yml', 'needs a record'],
  },
  {
    name: 'a new test',
    base: RENDER,
    check: 'python3 -m unittest -q',
    task: 'test an empty title',
    agent: `printf 'import unittest\\n\\nimport render\\n\\n\\nclass Empty(unittest.TestCase):\\n    def test_empty(self):\\n        self.assertEqual(render.page(""), "<h1></h1>\\\\n")\\n' > tests/test_empty.py`,
  },
  {
    name: 'a fixture that changes with the code',
    base: RENDER,
    check: 'python3 -m unittest -q',
    task: 'give the heading a class',
    agent: `sed -i 's/<h1>/<h1 class=big>/' render.py tests/fixtures/page.html`,
    asks: ['tests/fixtures/page.html', 'it passes only with what the work changed'],
  },
  {
    name: 'a source with another name',
    base: CALC,
    check: 'npm test --silent',
    task: 'call it sums',
    agent: `git mv src/calc.js src/sums.js; sed -i 's#src/calc#src/sums#' package.json test/calc.test.js`,
  },
  {
    name: 'a target of the Makefile',
    base: MADE,
    check: 'make test',
    task: 'let make clean up',
    agent: `printf '.PHONY: clean\\nclean:\\n\\trm -rf out\\n' >> Makefile`,
  },
];

/** Two commits of another repository; the work has the first. */
function withSubmodule(box: Box): void {
  const origin = join(box.folder, 'rules');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@localhost', ...args], { cwd: origin });
  mkdirSync(origin);
  git('init', '--quiet', '--initial-branch=main');
  for (const text of ['first', 'second']) {
    writeFileSync(join(origin, 'rules.txt'), text);
    git('add', '--all');
    git('commit', '--quiet', '-m', text);
  }
  box.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', origin, 'rules');
  box.git('-C', 'rules', 'checkout', '--quiet', 'HEAD^');
  box.git('commit', '--quiet', '--all', '-m', 'with rules');
  appendFileSync(
    join(box.home, 'mayday.yaml'),
    'setup: git -c protocol.file.allow=always submodule update --quiet --init\n',
  );
}

interface Question {
  readonly text: string;
  readonly evidence: readonly string[];
}

it('two of ten are asked about', () => expect(HONEST.filter(({ asks }) => asks)).toHaveLength(2));

it.each(HONEST)('$name', async ({ base, check, task, agent, prepare, asks, delivers }) => {
  await inBox(async (box) => {
    for (const [path, text] of Object.entries(base)) {
      mkdirSync(dirname(join(box.repository, path)), { recursive: true });
      writeFileSync(join(box.repository, path), text);
    }
    box.git('add', '--all');
    box.git('commit', '--quiet', '-m', 'base');
    // The first look at the gate is what a person would be asked about.
    box.policy({ restarts: 0 });
    prepare?.(box);
    const { stdout, stderr } = await box.call(
      'run',
      '--json',
      '--check',
      check,
      task,
      '--',
      'sh',
      '-ec',
      agent,
    );
    const run = JSON.parse(stdout) as {
      state: string;
      questions: readonly Question[];
      delivered: { files: readonly string[] } | null;
    };
    expect(run.state, stderr).toBe(asks === undefined ? 'delivered' : 'waiting');
    const asked = run.questions.map(({ text, evidence }) => [text, ...evidence].join('\n'));
    expect(asked).toHaveLength(asks === undefined ? 0 : 1);
    for (const word of asks ?? []) expect(asked[0]).toContain(word);
    if (delivers !== undefined) expect(run.delivered?.files).toEqual(delivers);
  });
});
