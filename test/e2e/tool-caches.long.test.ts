/** Caches and toolchains in the person's home judge too: what an agent makes of them, no check sees. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Box, inBox } from './box.ts';
import { hideHome, stageIn } from '../../src/platform/container/hide-home.ts';

function canLayer(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-test-'));
  const cache = join(folder, 'cache');
  mkdirSync(cache);
  const layers = [{ to: cache, from: cache, kept: join(folder, 'kept'), keeps: true }];
  const hidden = { home: folder, show: [], inside: { runId: 'r1', blocker: null }, layers };
  const hiding = hideHome(hidden, { stage: stageIn(folder), cwd: '/', env: {}, argv: [] });
  rmSync(folder, { recursive: true, force: true });
  return hiding.type === 'hidden' && hiding.isUnlayered !== true;
}
const hasLayers = canLayer();

function put(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** The box with a person's home of its own in it. */
function personIn(box: Box, files: Readonly<Record<string, string>>): string {
  const person = join(box.folder, 'person');
  put(person, files);
  box.env['HOME'] = person;
  box.policy({ restarts: 0 });
  return person;
}

async function run(box: Box, check: string, agent: string) {
  const file = join(box.folder, 'agent.sh');
  writeFileSync(file, agent);
  const { done } = box.start(['run', '--json', '--check', check, 'do the work', '--', 'sh', file]);
  const { stdout, exitCode, stderr } = await done;
  const { state } = JSON.parse(stdout || '{}') as { state?: string };
  return { state, exitCode, said: stdout + stderr };
}

describe.skipIf(!hasLayers)('an agent that writes a verdict', () => {
  /** Stand-ins: a tool that believes what lies in its cache. */
  const PLACES = [
    '.cache/go-build/verdict',
    '.gradle/caches/verdict',
    '.m2/repository/verdict',
    '.cargo/registry/verdict',
    '.npm/_cacache/verdict',
    '.ccache/verdict',
    '.pyenv/versions/3.12/lib/verdict',
    '.rustup/toolchains/verdict',
    '.local/lib/python3.12/site-packages/verdict',
    '.local/share/pipx/venvs/tool/verdict',
    '.npm-global/lib/node_modules/tool/verdict',
    '.node_modules/tool/verdict',
  ];
  /** No list knows these tools: what counts is that their folder was not there. */
  const UNKNOWN = ['.some-tool/verdict', '.config/some-linter/verdict', '.local/share/some-runner/verdict'];
  it.each([
    ['that was there', PLACES, Object.fromEntries(PLACES.map((place) => [place, 'red\n']))],
    ['that it made', [...PLACES, ...UNKNOWN], {}],
    ['that it made in a folder of yours', UNKNOWN, { '.config/mine/x': '', '.local/share/mine/x': '' }],
  ])('into a cache %s is not believed', (_, all, before) =>
    inBox(async (box) => {
      const person = personIn(box, before);
      const agent = all.map((place) => `mkdir -p $HOME/${dirname(place)}; echo green > $HOME/${place}`);
      const places = all.map((place) => `$HOME/${place}`).join(' ');
      const ended = await run(
        box,
        `test -f x && grep -qs green ${places}`,
        `${agent.join('\n')}\ngrep green ${places} > x`,
      );
      expect(ended.exitCode, ended.said).toBe(3);
      for (const [place, text] of Object.entries(before))
        expect(readFileSync(join(person, place), 'utf8'), place).toBe(text);
    }),
  );

  it('into a cache among your linked modules is not believed', () =>
    inBox(async (box) => {
      personIn(box, {});
      put(box.repository, { '.gitignore': 'node_modules\n', 'package.json': '{}\n' });
      box.git('add', '--all');
      box.git('commit', '-qm', 'project');
      put(box.repository, { 'node_modules/.cache/tool/verdict': 'red\n', 'node_modules/tool/index.js': '' });
      writeFileSync(join(box.home, 'mayday.yaml'), 'node_modules: link\n');
      const places = ['.cache/tool/verdict', '.vite/verdict'].map((path) => `node_modules/${path}`);
      const agent = places.map((path) => `mkdir -p ${dirname(path)}; echo green > ${path}`).join('\n');
      const ended = await run(box, `test -f x && grep -qs green ${places.join(' ')}`, `${agent}\necho > x`);
      expect(ended.exitCode, ended.said).toBe(3);
      expect(readFileSync(join(box.repository, 'node_modules/.cache/tool/verdict'), 'utf8')).toBe('red\n');
    }));

  it('into a temporary folder, for code of its own to find, is not believed', () =>
    inBox(async (box) => {
      personIn(box, {});
      const places = ['/tmp', '/var/tmp', '/dev/shm'].map((at) => `${at}/${basename(box.folder)}-verdict`);
      const agent = places.map((path) => `echo green > ${path}`).join('\n');
      const forged = await run(box, 'test -f x && sh x', `${agent}\necho 'cat ${places.join(' ')}' > x`);
      for (const path of places) rmSync(path);
      expect(forged.exitCode, forged.said).toBe(3);
    }));

  it('by deleting a setting of yours is not believed, and a person is asked', () =>
    inBox(async (box) => {
      const person = personIn(box, { '.npmrc': 'strict\n' });
      const ended = await run(box, '! grep -qs strict $HOME/.npmrc', 'echo > x; rm $HOME/.npmrc');
      expect(ended.exitCode, ended.said).toBe(3);
      expect(ended.said).toContain(join(person, '.npmrc'));
    }));

  it('into a cache that its program made when it was asked for its version leaves your home alone', () =>
    inBox(async (box) => {
      const person = personIn(box, {});
      const [bin, ran] = [join(box.folder, 'bin'), join(box.folder, 'ran')];
      const asked = join(box.folder, 'asked');
      // It is asked when the run is planned, and again before the attempt, which may be on another machine.
      put(bin, {
        codex: `#!/bin/sh
if [ "$*" = --version ]; then
  [ ! -e '${asked}' ] || mkdir -p "$HOME/.cache"
  echo >> '${asked}'
  echo codex-cli 0.166.0
else
  echo green > "$HOME/.cache/verdict" && echo > '${ran}'
fi
`,
      });
      chmodSync(join(bin, 'codex'), 0o755);
      box.env['PATH'] = `${bin}:${process.env['PATH'] ?? ''}`;
      box.env['OPENAI_API_KEY'] = 'x';
      const words = ['--agent', 'codex', '--check', 'test -f x', 'do the work'];
      const { stdout, stderr } = await box.start(['run', '--json', ...words]).done;
      expect(existsSync(ran), stdout + stderr).toBe(true);
      expect(existsSync(join(person, '.cache'))).toBe(true);
      expect(existsSync(join(person, '.cache/verdict'))).toBe(false);
    }));

  it('in code under test, for the check after it, is not believed', () =>
    inBox(async (box) => {
      personIn(box, { '.cache/tool/verdict': 'red\n' });
      box.git('commit', '--allow-empty', '-qm', 'more');
      const first = 'test -f x && sh x';
      const second = 'grep -q green "$HOME/.cache/tool/verdict"';
      writeFileSync(join(box.folder, 'agent.sh'), 'echo "echo green > $HOME/.cache/tool/verdict" > x');
      const words = [
        '--check',
        first,
        '--check',
        second,
        'do the work',
        '--',
        'sh',
        join(box.folder, 'agent.sh'),
      ];
      const { exitCode, stdout } = await box.start(['run', '--json', ...words]).done;
      expect(exitCode, stdout).toBe(3);
      const { checks } = JSON.parse(stdout) as {
        checks: { purpose: string; command: string; passed: boolean }[];
      };
      const gate = checks.filter(({ purpose }) => purpose === 'gate');
      expect(gate.map(({ passed }) => passed)).toEqual([true, false]);
    }));

  it('in code under test, into a setting or a program for the check after it, is not believed', () =>
    inBox(async (box) => {
      const person = personIn(box, { '.npmrc': '; mine\n', 'bin/tool': '#!/bin/sh\nexit 1\n' });
      chmodSync(join(person, 'bin/tool'), 0o755);
      box.env['PATH'] = `${join(person, 'bin')}:${process.env['PATH'] ?? ''}`;
      const forge = 'echo "; green" > $HOME/.npmrc; cp /bin/true $HOME/bin/tool';
      writeFileSync(join(box.folder, 'agent.sh'), `echo '${forge}' > x`);
      const checks = ['test -f x && sh x', 'grep -q green $HOME/.npmrc', 'tool'].flatMap((line) => [
        '--check',
        line,
      ]);
      const words = [...checks, 'do the work', '--', 'sh', join(box.folder, 'agent.sh')];
      const { exitCode, stdout } = await box.start(['run', '--json', ...words]).done;
      expect(exitCode, stdout).toBe(3);
      const document = JSON.parse(stdout) as {
        checks: { purpose: string; passed: boolean }[];
        blockers: { evidence: string[] }[];
      };
      const gate = document.checks.filter(({ purpose }) => purpose === 'gate');
      expect(gate.map(({ passed }) => passed)).toEqual([true, false, true]);
      expect(JSON.stringify(document), 'the program is named').toContain(join(person, 'bin/tool'));
    }));

  it('into the module cache of Go, where Go is installed, does not make its tests pass', (context) =>
    inBox(async (box) => {
      if (!existsSync('/usr/bin/go')) return context.skip('Go is not installed');
      const person = personIn(box, {});
      const module = join(box.folder, 'module');
      put(module, {
        'go.mod': 'module example.test/assert\n\ngo 1.19\n',
        'assert.go':
          'package assert\n\nimport "testing"\n\nfunc Equal(t *testing.T, a, b int) {\n\tif a != b {\n\t\tt.Fatal(a, b)\n\t}\n}\n',
      });
      execFileSync('git', ['init', '-q', module]);
      execFileSync('git', ['add', '.'], { cwd: module });
      const proxy = join(person, 'proxy/example.test/assert/@v');
      put(proxy, {
        list: 'v1.0.0\n',
        'v1.0.0.info': '{"Version":"v1.0.0"}',
        'v1.0.0.mod': readFileSync(join(module, 'go.mod'), 'utf8'),
      });
      const tree = execFileSync('git', ['write-tree'], { cwd: module, encoding: 'utf8' }).trim();
      const zip = [
        'archive',
        '--format=zip',
        '--prefix=example.test/assert@v1.0.0/',
        '-o',
        join(proxy, 'v1.0.0.zip'),
      ];
      execFileSync('git', [...zip, tree], { cwd: module });
      put(person, {
        '.config/go/env': `GOPROXY=file://${join(person, 'proxy')}\nGONOSUMDB=*\nGONOSUMCHECK=1\nGOFLAGS=-mod=mod\n`,
      });
      put(box.repository, {
        'go.mod': 'module example.test/calc\n\ngo 1.19\n\nrequire example.test/assert v1.0.0\n',
        'calc.go': 'package calc\n\nfunc Add(a, b int) int { return a - b }\n',
        'calc_test.go':
          'package calc\n\nimport (\n\t"testing"\n\n\t"example.test/assert"\n)\n\nfunc TestAdd(t *testing.T) { assert.Equal(t, Add(2, 3), 5) }\n',
      });
      box.git('add', '--all');
      box.git('commit', '-qm', 'project');
      const cheat = `at=$(go list -m -f '{{.Dir}}' example.test/assert)
chmod -R u+w "$at"; sed -i '/Fatal/d' "$at/assert.go"; echo "// done" >> calc.go; go test ./... || exit 9`;
      const forged = await run(box, 'go test ./...', cheat);
      expect(forged.exitCode, forged.said).toBe(3);
      const honest = await run(box, 'go test ./...', "sed -i 's/a - b/a + b/' calc.go; go test ./...");
      expect(honest.exitCode, honest.said).toBe(0);
    }));
});

describe.skipIf(!hasLayers)('honest work', () => {
  it('reads the caches as they are, keeps its own between attempts, and leaves those of the person alone', () =>
    inBox(async (box) => {
      const person = personIn(box, { '.cache/tool/object': 'warm\n' });
      box.policy({ restarts: 3, backoff_ms: 1 });
      const agent = `grep -q warm $HOME/.cache/tool/object || exit 7
if [ ! -f $HOME/.cache/tool/mine ]; then echo mine > $HOME/.cache/tool/mine; kill -9 $$; fi
echo x > x`;
      const ended = await run(box, 'test -f x && grep -q warm $HOME/.cache/tool/object', agent);
      expect(ended.exitCode, ended.said).toBe(0);
      expect(existsSync(join(person, '.cache/tool/mine'))).toBe(false);
    }));

  it('uses temporary folders and shared memory in its checks, and finds what the check names', () =>
    inBox(async (box) => {
      personIn(box, {});
      const named = join(box.folder, 'expected');
      writeFileSync(named, 'x\n');
      const write =
        'for at in "$TMPDIR" /tmp /var/tmp /dev/shm; do echo x > $at/x && grep -q x $at/x || exit 1; done';
      const check = `${write}; cmp x ${named} && cp x ${box.folder}/log`;
      const ended = await run(box, check, 'echo x > x');
      expect(ended.exitCode, ended.said).toBe(0);
      expect(existsSync(join(box.folder, 'log')), 'a file that the check names').toBe(true);
    }));

  it('may make folders in the home, and its checks write there too', () =>
    inBox(async (box) => {
      const person = personIn(box, {});
      const write = 'mkdir -p $HOME/.some-tool && echo mine > $HOME/.some-tool/state';
      const ended = await run(box, `test -f x && ${write}`, `echo > x; ${write}`);
      expect(ended.exitCode, ended.said).toBe(0);
      expect(existsSync(join(person, '.some-tool/state'))).toBe(true);
    }));

  it('finds in its checks what setup brought into a cache', () =>
    inBox(async (box) => {
      personIn(box, { '.cache/tool/object': 'warm\n' });
      writeFileSync(
        join(box.home, 'mayday.yaml'),
        'setup: mkdir -p $HOME/.cache/tool; cat README.md > $HOME/.cache/tool/brought\n',
      );
      const ended = await run(box, 'cmp README.md $HOME/.cache/tool/brought', 'echo changed > README.md');
      expect(ended.exitCode, ended.said).toBe(0);
    }));
});
