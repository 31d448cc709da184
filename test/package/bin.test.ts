import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';

const BIN = resolve(import.meta.dirname, '../../bin');
const root = mkdtempSync(join(tmpdir(), 'mayday-bin-'));
afterAll(() => rmSync(root, { recursive: true }));

function write(path: string, says: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), `console.log('${says}');\n`);
}

/** The file system's clock moves in steps of some milliseconds. */
function waitForNextMoment(): void {
  const probe = join(root, 'probe');
  const now = () => {
    writeFileSync(probe, '');
    return statSync(probe).ctimeMs;
  };
  const before = now();
  while (now() === before);
}

function build(): void {
  waitForNextMoment();
  write('dist/programs/main.mjs', 'bundle');
  waitForNextMoment();
}

function started(): string {
  const env = { PATH: process.env['PATH'], HOME: root, XDG_CACHE_HOME: join(root, 'cache') };
  return execFileSync(process.execPath, ['--no-warnings', join(root, 'bin/mayday.js')], {
    encoding: 'utf8',
    env,
  }).trim();
}

describe('bin/mayday.js in a checkout', () => {
  beforeEach(() => {
    rmSync(root, { recursive: true, force: true });
    cpSync(BIN, join(root, 'bin'), { recursive: true });
    writeFileSync(join(root, 'package.json'), '{"type":"module"}');
    write('src/cli/main.ts', 'sources');
    write('src/core/old.ts', '');
  });

  it('starts the sources where nothing was built', () => {
    expect(started()).toBe('sources');
  });

  it('starts the bundle that was built from them', () => {
    build();
    expect(started()).toBe('bundle');
  });

  it.each([
    ['changed', () => write('src/core/old.ts', 'new')],
    ['added', () => write('src/core/new.ts', '')],
    ['deleted', () => rmSync(join(root, 'src/core/old.ts'))],
  ])('starts the sources again as soon as one of them is %s', (_, change) => {
    build();
    change();
    expect(started()).toBe('sources');
  });
});

it('obeys no file of variables that its words name: Node would, and an agent may have written it', () => {
  write('dist/programs/main.mjs', 'bundle');
  rmSync(join(root, 'src'), { recursive: true, force: true });
  cpSync(BIN, join(root, 'bin'), { recursive: true });
  write('planted.cjs', 'planted');
  writeFileSync(join(root, 'variables'), `NODE_OPTIONS=--require=${join(root, 'planted.cjs')}\n`);
  const PATH = `${dirname(process.execPath)}:/usr/bin:/bin`;
  const called = execFileSync(join(root, 'bin/mayday.js'), [`--env-file=${join(root, 'variables')}`], {
    encoding: 'utf8',
    env: { PATH, HOME: root },
  });
  expect(called.trim()).toBe('bundle');
});

it.skipIf(process.platform !== 'linux')('opens no debugger at a signal, however early that comes', () => {
  write('dist/programs/main.mjs', 'bundle');
  rmSync(join(root, 'src'), { recursive: true, force: true });
  cpSync(BIN, join(root, 'bin'), { recursive: true });
  writeFileSync(join(root, 'early.cjs'), `process.kill(process.pid, 'SIGUSR1');\n`);
  const { stdout, stderr } = spawnSync(join(root, 'bin/mayday.js'), [], {
    encoding: 'utf8',
    env: {
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      HOME: root,
      NODE_OPTIONS: `--inspect-port=0 --require=${join(root, 'early.cjs')}`,
    },
  });
  expect([stdout.trim(), stderr]).toEqual(['bundle', '']);
});

describe('bin/mayday.js in a package', () => {
  it('starts the bundle', () => {
    rmSync(join(root, 'src'), { recursive: true, force: true });
    write('dist/programs/main.mjs', 'bundle');
    expect(started()).toBe('bundle');
  });

  it('keeps compiled code, which it runs unread, in Mayday’s own folder: agents can write the other caches', () => {
    rmSync(join(root, 'cache'), { recursive: true, force: true });
    started();
    expect(readdirSync(root)).not.toContain('.mayday');
    mkdirSync(join(root, '.mayday'));
    started();
    expect(readdirSync(join(root, '.mayday'))).toEqual(['compiled']);
    expect(existsSync(join(root, 'cache'))).toBe(false);
    expect(existsSync(join(root, '.cache'))).toBe(false);
  });
});
