import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prepareCheckTree } from '../../../src/act/checks/prepare-check-tree.ts';
import { runChecks } from '../../../src/act/checks/verify-tree.ts';
import { verifyWork, type WorkSpec } from '../../../src/act/checks/verify-work.ts';
import { takeCheckpoint } from '../../../src/act/checkpoint/take-checkpoint.ts';
import { preparedWorkspace, writeFiles } from '../temporary-repository.ts';

type Prepared = Awaited<ReturnType<typeof preparedWorkspace>>;
const env = { PATH: process.env['PATH'] ?? '' };
const verifyTree = async (spec: WorkSpec) => (await verifyWork(spec)).outcomes;

function tools(run: Prepared) {
  let number = 0;
  const spec = (tree: string) => ({
    home: run.home,
    runId: run.runId,
    tree,
    setup: null as string | null,
    setupTimeoutMs: 20_000,
    ignoredToCopy: [] as string[],
    nodeModules: 'setup' as const,
    env,
  });
  return {
    spec,
    save: async () => {
      number += 1;
      return (await takeCheckpoint({ ...run, number, reason: 'x' })).tree;
    },
    verify: async (tree: string, commands: readonly string[], ownedPaths: readonly string[] = []) =>
      await verifyTree({ ...spec(tree), commands, ownedPaths, timeoutMs: 120_000 }),
  };
}

describe('checks', () => {
  it('run in a tree of their own, with exit code, hash and output', async () => {
    const run = await preparedWorkspace({ 'a.txt': 'a' });
    const { save, verify } = tools(run);
    writeFiles(run.path, { 'done.txt': 'done' });
    const tree = await save();
    const outcomes = await verify(tree, ['cat done.txt; pwd', 'echo no >&2; exit 7', 'rm -rf ./*']);
    expect(outcomes).toMatchObject([
      { passed: true, exitCode: 0, variant: 'candidate', tree, output: `done${run.home}/check/r1\n` },
      { passed: false, exitCode: 7, outputTail: 'no\n' },
      { passed: true },
    ]);
    expect(outcomes[0]?.outputHash).toMatch(/^[0-9a-f]{64}$/);
    expect(existsSync(join(run.path, 'done.txt')), 'the agent’s tree is not touched').toBe(true);
  });

  it('need a temporary folder: without one they say what is missing', async () => {
    const run = await preparedWorkspace({ 'a.txt': 'a' });
    const { save, verify } = tools(run);
    const tree = await save();
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = join(run.home, 'missing');
    try {
      await expect(verify(tree, ['true'])).rejects.toMatchObject({ code: 'TEMPORARY_FOLDER' });
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    }
  });

  it('that hang are ended and have not passed', async () => {
    const run = await preparedWorkspace();
    const { spec, save } = tools(run);
    const { path, tree } = await prepareCheckTree(spec(await save()));
    const commands = ['sleep 60 & sleep 60'];
    const [outcome] = await runChecks({ commands, path, tree, variant: 'candidate', env, timeoutMs: 300 });
    expect(outcome).toMatchObject({ passed: false, timedOut: true });
    expect(outcome?.durationMs).toBeLessThan(20_000);
  });

  it('whose watcher is killed are run again: that says nothing about the work', async () => {
    const run = await preparedWorkspace();
    const { spec, save } = tools(run);
    const { path, tree } = await prepareCheckTree(spec(await save()));
    const commands = [
      'test -e ../lost || { touch ../lost; kill -KILL $PPID; sleep 60; }',
      'kill -KILL $PPID; sleep 60',
    ];
    const results = await runChecks({ commands, path, tree, variant: 'candidate', env, timeoutMs: 120_000 });
    expect(results.map(({ passed, exitCode }) => [passed, exitCode])).toEqual([
      [true, 0],
      [false, null],
    ]);
  });

  it('that flake are run again as often as policy says, and every result is kept', async () => {
    const run = await preparedWorkspace();
    const { spec, save } = tools(run);
    const { path, tree } = await prepareCheckTree(spec(await save()));
    const commands = ['test -e ../flaked || { touch ../flaked; exit 1; }', 'exit 3'];
    const of = { path, tree, variant: 'candidate', env, timeoutMs: 120_000 } as const;
    const results = await runChecks({ ...of, commands, reruns: 1 });
    expect(results.map((one) => [one.run, one.passed])).toEqual([
      [1, false],
      [2, true],
      [1, false],
      [2, false],
    ]);
  });

  it('that delete themselves are named, and are there again for the next look', async () => {
    const run = await preparedWorkspace({
      'check.sh': 'test -f done.txt; code=$?; rm check.sh; exit $code\n',
    });
    const { save, verify } = tools(run);
    expect(await verify(await save(), ['sh check.sh'])).toMatchObject([
      { passed: false, exitCode: 1, disturbed: ['check.sh'] },
    ]);
    writeFiles(run.path, { 'done.txt': 'done' });
    const again = await verify(await save(), ['sh check.sh', 'sh check.sh']);
    expect(again[0]).toMatchObject({ passed: true, disturbed: ['check.sh'] });
    expect(again[1]).toMatchObject({ passed: false, outputTail: expect.stringContaining('check.sh') });
    expect(existsSync(join(run.path, 'check.sh')), 'the agent’s tree is not touched').toBe(true);
  });

  it('see nothing of what an earlier check or the agent changed or left behind', async () => {
    const run = await preparedWorkspace({ 'a.txt': 'a', '.gitignore': 'cache/\ninstalled\n' });
    const { spec, save } = tools(run);
    const more = { ownedPaths: [], timeoutMs: 120_000, setup: 'echo tool > installed' };
    const verify = async (commands: string[]) =>
      await verifyTree({ ...spec(await save()), ...more, commands });
    await verify(['echo forged > a.txt; echo fake > report.xml; mkdir -p cache/empty; echo c > cache/x']);
    writeFiles(run.path, { 'b.txt': 'b' });
    const clean = [
      'test "$(cat a.txt)" = a',
      '! test -e report.xml',
      '! test -e cache',
      'grep -qx tool installed',
    ];
    const passed = async () => (await verify(clean)).map((outcome) => outcome.passed);
    expect(await passed()).toEqual([true, true, true, true]);
    writeFileSync(join(run.home, 'check/r1/installed'), 'took');
    expect(await passed(), 'what was installed is installed again').toEqual([true, true, true, true]);
    const elsewhere = join(run.home, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'precious'), 'x');
    rmSync(join(run.home, 'check/r1'), { recursive: true });
    symlinkSync(elsewhere, join(run.home, 'check/r1'));
    expect(await passed()).toEqual([true, true, true, true]);
    expect(existsSync(join(elsewhere, 'precious')), 'nothing behind a planted link is touched').toBe(true);
  });

  it('say which files of the tree were changed while they ran, also when they were put back', async () => {
    const run = await preparedWorkspace({ 'a.txt': 'a', 'b.txt': 'b', '.gitignore': 'node_modules\n' });
    const { spec, save } = tools(run);
    run.repository.write({ 'node_modules/p/index.js': 'theirs' });
    const outcomes = await verifyTree({
      ...spec(await save()),
      nodeModules: 'copy',
      ownedPaths: [],
      timeoutMs: 120_000,
      commands: [
        'cat a.txt; touch new.txt',
        'cp a.txt /tmp/x.$$; cp /tmp/x.$$ a.txt; rm /tmp/x.$$',
        'echo x > node_modules/p/index.js',
      ],
    });
    expect(outcomes.map(({ disturbed }) => disturbed)).toEqual([
      undefined,
      ['a.txt'],
      ['a.txt', 'node_modules/p/index.js'],
    ]);
  });

  it('cannot put another folder in the place of one of theirs, and put it back', async () => {
    const run = await preparedWorkspace({ 'cases/a.sh': 'exit 1\n', 'out/a.txt': 'a' });
    const { spec, save } = tools(run);
    const hidden = {
      home: run.home,
      show: [join(run.home, 'check')],
      inside: { runId: 'r1', blocker: null },
    };
    const swap = (folder: string) =>
      `mv ${folder} away && mkdir ${folder} && touch ${folder}/a.sh && sh ${folder}/a.sh && rm -r ${folder} && mv away ${folder}`;
    const command = `touch cases/cache && ${swap('cases')}`;
    const checked = async (before: WorkSpec['before']) => {
      const commands = [command, swap('out')];
      const at = { ...spec(await save()), ownedPaths: [], timeoutMs: 120_000, before: before ?? [], hidden };
      return await verifyTree({ ...at, commands });
    };
    expect((await checked([]))[0], 'before the work').toMatchObject({ passed: true });
    const before = [
      { command, passed: true },
      { command: swap('out'), passed: true, disturbed: ['out/a.txt'] },
    ];
    const [kept, habit] = await checked(before);
    expect(kept).toMatchObject({ passed: false, output: expect.stringMatching(/busy/i) });
    expect(habit, 'what it does by habit').toMatchObject({ passed: true });
  });

  it('cannot do so in a tree of many folders either: those that hold judges come first', async () => {
    const many = Array.from({ length: 300 }, (_, at) => [`part-${at}/a.txt`, '']);
    const run = await preparedWorkspace({
      'a/deep/cases/test_a.sh': 'exit 1\n',
      ...Object.fromEntries(many),
    });
    const { spec, save } = tools(run);
    const hidden = {
      home: run.home,
      show: [join(run.home, 'check')],
      inside: { runId: 'r1', blocker: null },
    };
    const command =
      'mv a/deep/cases away && mkdir a/deep/cases && rm -r a/deep/cases && mv away a/deep/cases';
    const more = { ownedPaths: [], timeoutMs: 120_000, before: [{ command, passed: true }], hidden };
    const [outcome] = await verifyTree({ ...spec(await save()), ...more, commands: [command] });
    expect(outcome).toMatchObject({ passed: false, output: expect.stringMatching(/busy/i) });
  });

  it('run no compiled module of the person: nobody compares them', async () => {
    const run = await preparedWorkspace({ 'a.py': 'import m\nprint(m.word)\n' });
    const { spec, save } = tools(run);
    const modules = join(run.home, '../modules');
    mkdirSync(modules);
    writeFileSync(join(modules, 'm.py'), 'word = "theirs"\n');
    writeFileSync(join(modules, 'other.py'), 'word = "planted"\n');
    const plant = [
      'import py_compile as p, importlib.util as u',
      'p.compile("other.py", cfile=u.cache_from_source("m.py"), invalidation_mode=p.PycInvalidationMode.UNCHECKED_HASH)',
    ];
    execFileSync('python3', ['-c', plant.join('\n')], { cwd: modules });
    const more = { ownedPaths: [], timeoutMs: 120_000, env: { ...env, PYTHONPATH: modules } };
    const [outcome] = await verifyTree({ ...spec(await save()), ...more, commands: ['python3 a.py'] });
    expect(outcome?.output).toBe('theirs\n');
  });

  it('are told when the person’s own modules, linked into the tree, are not as they were at the start', async () => {
    const run = await preparedWorkspace({ 'a.txt': 'a', '.gitignore': 'node_modules\n' });
    const { spec, save } = tools(run);
    run.repository.write({ 'node_modules/p/index.js': 'theirs', 'node_modules/.cache/x': '1' });
    const more = { nodeModules: 'link' as const, ownedPaths: [], timeoutMs: 120_000, commands: ['true'] };
    const disturbed = async () => (await verifyTree({ ...spec(await save()), ...more }))[0]?.disturbed;
    expect(await disturbed()).toBeUndefined();
    run.repository.write({ 'node_modules/.cache/x': '2' });
    expect(await disturbed()).toBeUndefined();
    run.repository.write({ 'node_modules/p/index.js': 'mine' });
    expect(await disturbed()).toEqual(['node_modules/p/index.js']);
    // A check that failed was no question: an agent could let the first one fail, and profit from the second.
    expect(await disturbed()).toEqual(['node_modules/p/index.js']);
    const asked = { ...more, asked: ['node_modules/p/index.js'] };
    const known = async () => (await verifyTree({ ...spec(await save()), ...asked }))[0]?.disturbed;
    expect(await known(), 'a person was asked').toBeUndefined();
    run.repository.write({ 'node_modules/p/index.js': 'mine again' });
    expect(await known(), 'about another content').toEqual(['node_modules/p/index.js']);
  });

  it('are told when an ignored file of the person that is copied again is not as it was at the start', async () => {
    const run = await preparedWorkspace({ 'a.txt': 'a', '.gitignore': '.env\nfixtures\n' });
    const { spec, save } = tools(run);
    run.repository.write({ '.env': 'red', 'fixtures/x': 'red' });
    const copies = { ignoredToCopy: ['.env', 'fixtures'], nodeModules: 'link' as const };
    const more = { ...copies, ownedPaths: [], timeoutMs: 120_000, commands: ['true'] };
    const disturbed = async () => (await verifyTree({ ...spec(await save()), ...more }))[0]?.disturbed;
    expect(await disturbed()).toBeUndefined();
    run.repository.write({ '.env': 'green', 'fixtures/x': 'green' });
    expect(await disturbed(), 'the tree has its own copies').toBeUndefined();
    writeFiles(run.path, { 'requirements.txt': 'six' });
    expect(await disturbed()).toEqual(['.env', 'fixtures/x']);
  });

  it('are told when a program of the person was replaced, or a new one comes before another of its name', async () => {
    const run = await preparedWorkspace({ 'a.txt': 'a' });
    const { spec, save } = tools(run);
    const bin = join(run.home, '../bin');
    const program = (name: string) => {
      mkdirSync(bin, { recursive: true });
      writeFileSync(join(bin, name), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
      return join(bin, name);
    };
    const mine = program('mine');
    const more = {
      env: { PATH: `${bin}:/usr/bin:/bin` },
      ownedPaths: [],
      timeoutMs: 120_000,
      commands: ['mine'],
    };
    const disturbed = async () => (await verifyTree({ ...spec(await save()), ...more }))[0]?.disturbed;
    expect(await disturbed()).toBeUndefined();
    // Honest work installs tools: a check that does not start one does not ask.
    program('installed-by-the-agent');
    expect(await disturbed()).toBeUndefined();
    const without = { ...more, commands: ['fast || true'] };
    const fast = program('fast');
    expect((await verifyTree({ ...spec(await save()), ...without }))[0]?.disturbed).toEqual([fast]);
    const planted = program('grep');
    expect(await disturbed()).toEqual([planted]);
    writeFileSync(mine, '#!/bin/true\n');
    expect(await disturbed()).toEqual([mine, planted]);
  });

  it('are told when the file behind a linked program was replaced, or a new module hides an installed one', async () => {
    const run = await preparedWorkspace({ 'a.txt': 'a' });
    const { spec, save } = tools(run);
    const person = join(run.home, '../person');
    const modules = join(person, '.local/lib/python3.9/site-packages');
    for (const folder of [join(person, 'bin'), join(person, 'lib'), modules])
      mkdirSync(folder, { recursive: true });
    writeFileSync(join(person, 'lib/mine'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    symlinkSync('../lib/mine', join(person, 'bin/mine'));
    symlinkSync('../lib/gone', join(person, 'bin/broken'));
    const more = {
      env: { PATH: `${join(person, 'bin')}:/usr/bin:/bin`, HOME: person },
      ownedPaths: [],
      timeoutMs: 120_000,
      commands: ['mine'],
    };
    const disturbed = async () => (await verifyTree({ ...spec(await save()), ...more }))[0]?.disturbed;
    expect(await disturbed()).toBeUndefined();
    writeFileSync(join(modules, 'installed_by_the_agent.py'), '');
    expect(await disturbed()).toBeUndefined();
    writeFileSync(join(person, 'lib/mine'), '#!/bin/true\n');
    expect(await disturbed()).toEqual([join(person, 'bin/mine')]);
    const [installed] = globSync('/usr/{,local/}lib/python3*/{dist,site}-packages/*.py');
    if (installed === undefined) return;
    const hiding = join(modules, basename(installed));
    writeFileSync(hiding, '');
    expect(await disturbed()).toEqual([join(person, 'bin/mine'), hiding]);
  });

  describe('with a linked program of the person', () => {
    async function linkedProgram() {
      const run = await preparedWorkspace({ 'a.txt': 'a' });
      const { spec, save } = tools(run);
      const person = join(run.home, '../person');
      for (const folder of ['bin', 'lib']) mkdirSync(join(person, folder), { recursive: true });
      for (const name of ['mine', 'other'])
        writeFileSync(join(person, 'lib', name), `#!/bin/sh\n# ${name}\n`, { mode: 0o755 });
      const link = join(person, 'bin/mine');
      const leadTo = (name: string) => {
        rmSync(link, { force: true });
        symlinkSync(join(person, 'lib', name), link);
      };
      leadTo('mine');
      const more = {
        env: { PATH: `${join(person, 'bin')}:/usr/bin:/bin` },
        ownedPaths: [],
        timeoutMs: 120_000,
      };
      const check = async (command = 'mine') =>
        (await verifyTree({ ...spec(await save()), ...more, commands: [command] }))[0];
      return { person, link, leadTo, check };
    }

    it('are not disturbed when the link was made anew and leads to the same program', async () => {
      const { link, leadTo, check } = await linkedProgram();
      expect((await check())?.disturbed).toBeUndefined();
      leadTo('mine');
      expect((await check())?.disturbed).toBeUndefined();
      leadTo('other');
      expect(await check()).toMatchObject({ disturbed: [link], outside: { before: [link], during: [] } });
    });

    it('are run once more when the link was made anew while they ran', async () => {
      const { person, link, check } = await linkedProgram();
      const anew = `echo x >> ${person}/runs; ln -sf ${person}/lib/mine ${link}`;
      const once = await check(`test -f ${person}/runs && echo x >> ${person}/runs || { ${anew}; }`);
      expect(once?.disturbed).toBeUndefined();
      expect(readFileSync(join(person, 'runs'), 'utf8')).toBe('x\nx\n');
      const always = await check(anew);
      expect(always).toMatchObject({ disturbed: [link], outside: { before: [], during: [link] } });
      expect(readFileSync(join(person, 'runs'), 'utf8')).toBe('x\n'.repeat(4));
    });

    it('are told when a check leads the link elsewhere, or elsewhere and back', async () => {
      const { person, link, check } = await linkedProgram();
      const lead = (name: string) => `ln -sf ${person}/lib/${name} ${link}`;
      const back = await check(`${lead('other')} && mine && ${lead('mine')}`);
      expect(back).toMatchObject({ passed: true, disturbed: [link], outside: { during: [link] } });
      const away = await check(`test -f ${person}/away || { touch ${person}/away; ${lead('other')}; }; mine`);
      expect(away).toMatchObject({
        passed: true,
        disturbed: [link],
        outside: { before: [link], during: [] },
      });
    });
  });

  it('can ask git what changed since the base', async () => {
    const run = await preparedWorkspace({ 'a.txt': 'a\n' });
    const { save, verify } = tools(run);
    writeFiles(run.path, { 'a.txt': 'b\n', 'new [1].txt': 'c\n' });
    const outcomes = await verify(await save(), ['git diff --name-only HEAD', 'git ls-files']);
    expect(outcomes.map(({ output }) => output)).toEqual(['a.txt\nnew [1].txt\n', 'a.txt\nnew [1].txt\n']);
  });
});

describe('the check tree', () => {
  it('runs setup once, and again only when dependencies changed', async () => {
    const run = await preparedWorkspace({
      '.gitignore': 'installed\n.env\n',
      'package.json': '{"scripts":{"test":"true"}}',
    });
    run.repository.write({ '.env': 'KEY=1' });
    const { spec, save } = tools(run);
    const bin = join(run.home, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'npm'), '#!/bin/sh\ncat .env > installed\n', { mode: 0o755 });
    const prepare = async (more = {}) =>
      await prepareCheckTree({
        ...spec(await save()),
        setup: 'npm ci',
        ignoredToCopy: ['.env'],
        env: { PATH: `${bin}:${env.PATH}` },
        ...more,
      });
    const first = await prepare();
    expect(first.setup).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(first.path, 'installed'), 'utf8')).toBe('KEY=1');
    writeFiles(run.path, { 'src.js': '1', 'package.json': '{"scripts":{"test":"false"}}' });
    expect((await prepare()).setup).toBeNull();
    expect(existsSync(join(first.path, 'src.js'))).toBe(true);
    const own = { setup: ': src.js' };
    expect((await prepare(own)).setup, 'what may run the candidate runs for each').not.toBeNull();
    expect((await prepare(own)).setup).toBeNull();
    writeFiles(run.path, { 'src.js': '2' });
    expect((await prepare(own)).setup).not.toBeNull();
    writeFiles(run.path, { 'package.json': '{"scripts":{"test":"false"},"dependencies":{"x":"1"}}' });
    expect((await prepare()).setup).not.toBeNull();
    expect((await prepare({ setup: 'exit 1' })).setup).toMatchObject({ exitCode: 1 });
    const slow = await prepare({ setup: 'sleep 60', setupTimeoutMs: 200 });
    expect(slow.setup, 'its time is limited').toMatchObject({ exitCode: null });
    expect((await prepare({ setup: 'exit 1' })).setup, 'a failed setup is tried again').not.toBeNull();
  });

  it('never installs over a link to the person’s modules', async () => {
    const run = await preparedWorkspace({
      '.gitignore': 'node_modules/\n',
      'package.json': '{}',
      'package-lock.json': '{}',
    });
    run.repository.write({ 'node_modules/p/index.js': 'theirs' });
    const { spec, save } = tools(run);
    // Like an install: it empties the folder first.
    const setup = 'rm -rf node_modules/*; mkdir -p node_modules; : npm install';
    const prepare = async () => await prepareCheckTree({ ...spec(await save()), setup, nodeModules: 'link' });
    await prepare();
    writeFiles(run.path, { 'package-lock.json': '{"changed":1}' });
    expect((await prepare()).setup).not.toBeNull();
    expect(existsSync(join(run.repository.root, 'node_modules/p/index.js'))).toBe(true);
  });
});

describe('tests that the task does not own', () => {
  it('also run as they were before the work', async () => {
    const run = await preparedWorkspace({
      'value.txt': '1',
      'test/check.test.sh': 'test "$(cat value.txt)" = 2',
      'test/old.test.sh': 'true',
    });
    const { save, verify } = tools(run);
    const commands = ['sh test/check.test.sh'];
    writeFiles(run.path, { 'test/check.test.sh': 'true', 'test/new.test.sh': 'true' });
    rmSync(join(run.path, 'test/old.test.sh'));
    const edited = await save();
    const asBefore = ['test/check.test.sh', 'test/new.test.sh', 'test/old.test.sh'];
    expect(await verify(edited, commands)).toMatchObject([
      { variant: 'candidate', passed: true, tree: edited },
      { variant: 'base', passed: false, asBefore },
    ]);
    expect(await verify(edited, commands, ['test/**'])).toMatchObject([
      { variant: 'candidate', passed: true },
    ]);
    writeFiles(run.path, { 'value.txt': '2' });
    expect(await verify(await save(), commands)).toMatchObject([
      { variant: 'candidate', passed: true },
      { variant: 'base', passed: true },
    ]);
  });

  it('are started by the scripts of the base', async () => {
    const run = await preparedWorkspace({
      'package.json': JSON.stringify({ scripts: { test: 'exit 1', start: 'old' } }),
    });
    const { save, verify } = tools(run);
    writeFiles(run.path, {
      'package.json': JSON.stringify({ scripts: { test: 'exit 0', start: 'old', more: 'new' } }),
    });
    const outcomes = await verify(await save(), [
      `node -e "process.exit(require('./package.json').scripts.test === 'exit 0' ? 0 : 1)"`,
      `node -e "process.exit(require('./package.json').scripts.more === 'new' ? 0 : 1)"`,
    ]);
    expect(outcomes.map(({ variant, passed }) => [variant, passed])).toEqual([
      ['candidate', true],
      ['candidate', true],
      ['base', false],
      ['base', true],
    ]);
  });

  it('leave honest additions to manifests and build files to one run', async () => {
    const run = await preparedWorkspace({
      'package.json': '{"scripts":{"test":"true"}}',
      Makefile: 'OBJ = a.o\n\ntest: $(OBJ)\n\ttrue\n',
      'src/app.config.ts': '1',
      'a.o': '',
      'app.js': '1',
    });
    const { save, verify } = tools(run);
    writeFiles(run.path, {
      'package.json': '{"scripts":{"test":"true","dev":"x"},"dependencies":{"a":"1"}}',
      'package-lock.json': '{}',
      Makefile: 'OBJ = a.o b.o\n\ntest: $(OBJ)\n\ttrue\n\nb.o: b.c\n\tcp b.c b.o\n',
      'b.c': '',
      'src/app.config.ts': '2',
      'app.js': '2',
      'test/new.test.js': '1',
      'feature.py': '1',
      'README.md': 'x',
    });
    const tree = await save();
    for (const command of ['npm test', 'make test', 'node app.js', 'cat app.js | grep 2', 'sh -c "true"'])
      expect(await verify(tree, [command])).toMatchObject([{ variant: 'candidate', passed: true }]);
  });

  it('do without settings that came with the work, and without the new tests that may need them', async () => {
    const run = await preparedWorkspace({ 'tests/test_a.py': '1' });
    const { save, verify } = tools(run);
    writeFiles(run.path, {
      'conftest.py': 'forged',
      'tests/test_b.py': '1',
      'pyproject.toml': '[project]\nname = "x"\n[tool.pytest.ini_options]\naddopts = "--co"\n',
      '.npmrc': 'script-shell=true',
    });
    const [, base] = await verify(await save(), ['cat tests/*.py *.py *.toml']);
    expect(base?.asBefore?.toSorted()).toEqual([
      '.npmrc',
      'conftest.py',
      'pyproject.toml',
      'tests/test_b.py',
    ]);
  });
});
