import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { release, startContained } from '../../../src/platform/container/container.ts';
import type { ContainerHandle } from '../../../src/platform/container/container-handle.ts';
import { agentEnvironment } from '../../../src/platform/process/environment.ts';
import { type HiddenHome, hideHome, stageIn } from '../../../src/platform/container/hide-home.ts';
import { removeFolder } from '../../../src/platform/file/remove-folder.ts';
import { runCommand } from '../../../src/platform/process/run-command.ts';
import { leaveNothing, newMarker, seen } from '../attempt-under-test.ts';
import { temporaryDirectory } from '../../temporary-directory.ts';

function home(show: readonly string[] = [], folder = temporaryDirectory()): HiddenHome {
  for (const name of ['work', 'other']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'other/secret'), 'x');
  return {
    home: folder,
    show: show.map((name) => join(folder, name)),
    inside: { runId: 'r1', blocker: null },
  };
}

async function start(hidden: HiddenHome, ...argv: string[]): Promise<ContainerHandle> {
  const attemptDir = join(hidden.home, 'attempt');
  const handle = await startContained({
    attemptDir,
    argv,
    cwd: join(hidden.home, 'work'),
    env: agentEnvironment(process.env),
    stdinFile: null,
    marker: newMarker(),
    hidden,
  });
  leaveNothing(handle);
  return handle;
}

async function run(hidden: HiddenHome | undefined, script: string, cwd = '/') {
  const env = agentEnvironment(process.env);
  const command = { argv: ['sh', '-c', script], cwd, env, timeoutMs: 60_000 };
  return await runCommand(hidden === undefined ? command : { ...command, hidden });
}

const folder = mkdtempSync(join(tmpdir(), 'mayday-test-'));
const probe: HiddenHome = { home: folder, show: [], inside: { runId: 'r1', blocker: null } };
const isPossible = hideHome(probe, { stage: stageIn(folder), cwd: '/', env: {}, argv: [] }).type === 'hidden';
rmSync(folder, { recursive: true });
if (!isPossible) console.log('this machine cannot hide a folder: those tests are skipped');

describe.skipIf(!isPossible)('a program from which the home is hidden', () => {
  it('sees only what is meant for it, and writes there', async () => {
    const hidden = home(['work']);
    const { output } = await run(hidden, 'ls ..; touch made; cat ../other/secret', join(hidden.home, 'work'));
    expect(output).toMatch(/^inside-a-run\.json\nwork\ncat: .*No such file/);
    expect(readFileSync(join(hidden.home, 'work/made'), 'utf8')).toBe('');
  });

  it('leaves an empty folder of the person where it is, also one that it was shown', async () => {
    const hidden = home(['work']);
    const own = temporaryDirectory();
    await run({ ...hidden, show: [...hidden.show, own] }, 'true');
    expect(existsSync(own)).toBe(true);
  });

  it('finds a file whole that is named by itself and lies in a folder that is shown too', async () => {
    for (const names of [
      ['work', 'work/deep/settings', 'other/secret'],
      ['work/deep/settings', 'work', 'other/secret'],
    ]) {
      const hidden = home(names);
      mkdirSync(join(hidden.home, 'work/deep'));
      writeFileSync(join(hidden.home, 'work/deep/settings'), 'kept');
      const { output } = await run(hidden, 'cat deep/settings ../other/secret', join(hidden.home, 'work'));
      expect(output).toBe('keptx');
      expect(readFileSync(join(hidden.home, 'work/deep/settings'), 'utf8')).toBe('kept');
    }
  });

  it('of root has no probes of the kernel, by which it could read the memory of others', async ({ skip }) => {
    const traces = temporaryDirectory();
    const mounted = spawnSync('mount', ['-t', 'tracefs', 'nodev', traces]).status === 0;
    skip(!mounted, 'tracefs cannot be mounted here');
    try {
      const { output } = await run(home(), `ls ${traces}`);
      expect(output).toBe('');
    } finally {
      spawnSync('umount', [traces]);
    }
  });

  it('is the leader itself, takes signals and ends by them as it would without', async () => {
    const handle = await start(home(['work']), 'sh', '-c', 'kill -INT $$');
    const { exit } = await seen(handle, ({ empty }) => empty);
    expect(exit).toMatchObject({ exitCode: null, signal: 'SIGINT' });
    expect(handle.hiding).toEqual({ type: 'hidden' });
  });

  it('gets the environment it was given and nothing of how it was hidden', async () => {
    const { output } = await run(home(), 'env');
    const names = output.split('\n').map((line) => line.split('=')[0]);
    expect(names).toContain('PATH');
    expect(names).not.toContain('OLDPWD');
    expect(names).not.toContain('PERL_BADLANG');
    expect(output).toContain(`PATH=${agentEnvironment(process.env)['PATH']}`);
  });

  it('reads a layered folder as it is, and what it writes there is kept, or thrown away, elsewhere', async () => {
    const hidden = home();
    const cache = temporaryDirectory();
    writeFileSync(join(cache, 'object'), 'old');
    const layer = { to: cache, from: cache, kept: join(hidden.home, 'layer'), keeps: true };
    const call = async (keeps: boolean, script: string) =>
      (await run({ ...hidden, layers: [{ ...layer, keeps }] }, `cd ${cache}; ${script}`)).output.trim();
    expect(await call(true, 'cat object; echo new > object; mkdir -m 555 sealed; ls')).toBe(
      'oldobject\nsealed',
    );
    expect(await call(false, 'cat object; echo thrown > object; rm -r sealed; cat object; ls')).toBe(
      'new\nthrown\nobject',
    );
    expect(await call(true, 'cat object; ls')).toBe('new\nobject\nsealed');
    expect(readFileSync(join(cache, 'object'), 'utf8')).toBe('old');
    await removeFolder(layer.kept);
    expect(existsSync(layer.kept)).toBe(false);
  });

  it('has temporary folders of its own, and finds of those of the machine what is named to it', async () => {
    const hidden = { ...home(['work']), ownTemporary: [temporaryDirectory()] };
    const [kept = ''] = hidden.ownTemporary;
    const [named, left] = [temporaryDirectory(), temporaryDirectory()];
    for (const path of [kept, named, left]) writeFileSync(join(path, 'file'), `${path}\n`);
    const cwd = join(hidden.home, 'work');
    const script = `ls -A /var/tmp; test -f ${named}/file && cat "$(dirname ${named})"/*/file`;
    const { output } = await run(hidden, script, cwd);
    expect(output.trim().split('\n').toSorted()).toEqual([kept, named].toSorted());
    const mine = `${basename(kept)}-mine`;
    expect((await run({ ...hidden, show: [] }, `cd /tmp; touch ${mine} && ls`)).output).toContain(mine);
    expect(existsSync(`/tmp/${mine}`)).toBe(false);
  });

  it('has shared memory of its own where the home and what is named to it lie there', async () => {
    const inMemory = () => {
      const path = mkdtempSync('/dev/shm/mayday-test-');
      onTestFinished(() => rmSync(path, { recursive: true, force: true }));
      return path;
    };
    const [named, left] = [inMemory(), inMemory()];
    for (const path of [named, left]) writeFileSync(join(path, 'file'), `${path}\n`);
    const hidden = { ...home(['work'], inMemory()), ownTemporary: [] };
    const script = `test -f ${named}/file && cat /dev/shm/*/file; ls ${hidden.home}; touch /dev/shm/mine`;
    expect((await run(hidden, script, join(hidden.home, 'work'))).output).toBe(
      `${named}\ninside-a-run.json\nwork\n`,
    );
    expect(existsSync('/dev/shm/mine')).toBe(false);
  });

  it('has shared memory in memory where only that itself is named, or a file in it that is not there', async () => {
    const script = `ls /dev/shm /dev/shm/mayday-test-missing; grep ' /dev/shm ' /proc/self/mountinfo | tail -1`;
    const { output } = await run({ ...home(['work']), ownTemporary: [] }, script);
    // A folder on disk would be named by its path.
    expect(output.trim().split('\n').at(-1)?.split(' ')[3]).toBe('/');
  });

  it('finds what an installed program needs beside the folder of the PATH that it lies in', async () => {
    const project = temporaryDirectory();
    mkdirSync(join(project, 'node_modules/.bin'), { recursive: true });
    mkdirSync(join(project, 'node_modules/tool'));
    writeFileSync(join(project, 'node_modules/tool/cli.sh'), '#!/bin/sh\necho works\n', { mode: 0o755 });
    symlinkSync('../tool/cli.sh', join(project, 'node_modules/.bin/tool'));
    writeFileSync(join(project, 'left-by-an-agent'), '');
    const env = {
      ...agentEnvironment(process.env),
      PATH: `${project}/node_modules/.bin:${process.env['PATH']}`,
    };
    const argv = ['sh', '-c', 'tool; ls "$(dirname "$(dirname "$(dirname "$(command -v tool)")")")"'];
    const hidden = { ...home(), ownTemporary: [] };
    const { output } = await runCommand({ argv, cwd: '/', env, timeoutMs: 60_000, hidden });
    expect(output).toBe('works\nnode_modules\n');
  });

  it('reaches a server of the person by its socket in a temporary folder, and shares no memory with others', async () => {
    const socket = join(temporaryDirectory(), 'database.sock');
    const server = createServer((client) => client.end('rows\n'));
    await new Promise<void>((listening) => server.listen(socket, listening));
    onTestFinished(() => void server.close());
    const connect = `require('net').connect(process.argv[1]).pipe(process.stdout)`;
    const hidden = { ...home(), ownTemporary: [] };
    const file = join(hidden.home, 'path');
    writeFileSync(file, socket);
    const show = [file];
    const ask = `"${process.execPath}" -e "${connect}" "$(cat ${file})"; ipcs -m | grep -c 0x`;
    expect((await run({ ...hidden, show }, ask)).output).toBe('rows\n0\n');
  });

  it('starts without layers where they cannot be had, and does not start if it must have them', async () => {
    const hidden = home(['work']);
    const cache = temporaryDirectory();
    const layers = [{ to: cache, from: cache, kept: join(hidden.home, 'a,b'), keeps: true }];
    const handle = await start({ ...hidden, layers }, 'true');
    expect((await seen(handle, ({ empty }) => empty)).exit).toMatchObject({ exitCode: 0 });
    expect(handle.hiding).toEqual({ type: 'hidden', isUnlayered: true });
    const required = run({ ...hidden, layers, required: ['layered'] }, 'true');
    await expect(required).rejects.toMatchObject({ code: 'AGENT_NOT_STARTED' });
  });

  it('as a command starts with weaker words where the strongest do not hold, and says nothing of them', async () => {
    const hidden = home(['work']);
    const [cache, file] = [temporaryDirectory(), join(hidden.home, 'other/secret')];
    // A file is no folder to lay over another: only the mount itself finds that out.
    const layers = [{ to: cache, from: file, kept: join(hidden.home, 'layer'), keeps: true }];
    const made = join(hidden.home, 'work/made');
    const required = run({ ...hidden, layers, required: ['layered'] }, `touch ${made}`);
    await expect(required).rejects.toMatchObject({ code: 'AGENT_NOT_STARTED' });
    expect(existsSync(made)).toBe(false);
    const { output, exitCode } = await run({ ...hidden, layers }, `ls ${hidden.home}; touch ${made}; exit 3`);
    expect({ output, exitCode }).toEqual({ output: 'inside-a-run.json\nwork\n', exitCode: 3 });
    expect(existsSync(made)).toBe(true);
  });

  it('as an agent starts with weaker words where the strongest do not hold, and its handle says so', async () => {
    const hidden = home(['work']);
    const [cache, file] = [temporaryDirectory(), join(hidden.home, 'other/secret')];
    const layers = [{ to: cache, from: file, kept: join(hidden.home, 'layer'), keeps: true }];
    const handle = await start({ ...hidden, layers }, 'true');
    expect((await seen(handle, ({ empty }) => empty)).exit).toMatchObject({ exitCode: 0 });
    expect(handle.hiding).toEqual({ type: 'hidden', isUnlayered: true });
  });

  it('without network reaches its own loopback and nobody else', async () => {
    const server = createServer((socket) => socket.end());
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const connect = (to: string) => `net.connect(${to}, '127.0.0.1').on('error', (e) => console.log(e.code))`;
    const script = `const net = require('net'); ${connect(String(port))}.on('connect', () => console.log('out'));
      const own = net.createServer((s) => s.end()).listen(0, '127.0.0.1', () =>
        ${connect('own.address().port')}.on('connect', () => { console.log('own'); own.close(); }).resume());`;
    const { output } = await run({ ...home(), withoutNetwork: true }, `"${process.execPath}" -e "${script}"`);
    expect(output.trim().split('\n').toSorted()).toEqual(['ECONNREFUSED', 'own']);
  });
});

it('a home that cannot be hidden is left in sight, the program runs, and the handle says why', async () => {
  const hidden = home();
  const handle = await start({ ...hidden, show: [hidden.home] }, 'true');
  expect((await seen(handle, ({ empty }) => empty)).exit).toMatchObject({ exitCode: 0 });
  expect(handle.hiding).toEqual({ type: 'shown', why: 'what the program needs is the whole folder' });
  expect(release(handle)).toBe(true);
});

it('a command from which the home must be hidden does not run where that cannot be', async () => {
  const hidden = home();
  const spec = { ...hidden, show: [hidden.home], required: ['hidden'] } as const;
  await expect(run(spec, 'true')).rejects.toMatchObject({ code: 'AGENT_NOT_STARTED' });
});

it('a command that must have no network does not run where that cannot be', async () => {
  const hidden = home();
  const spec = { ...hidden, show: [hidden.home], withoutNetwork: true };
  await expect(run(spec, 'true')).rejects.toMatchObject({ code: 'AGENT_NOT_STARTED' });
});

it('a command that writes its own exit note ends as it ends', async () => {
  const note = JSON.stringify({ exitCode: 0, signal: null, at: '', oomKilled: false, startError: null });
  const forge = `printf %s '${note}' > "$(dirname "$(readlink /proc/$$/fd/1)")/exit.json"; sleep 0.5; exit 7`;
  expect(await run(undefined, forge)).toMatchObject({ exitCode: 7 });
});
