import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runWithOutput } from '../docs/run-with-output.ts';
import { InstalledPackage } from './installed-package.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** More than this and something slipped in that nobody asked for. */
const MAX_PACKED_BYTES = 1_400_000;
const LIMIT_MS = 180_000;

let installed: InstalledPackage;
beforeAll(() => {
  installed = new InstalledPackage();
}, LIMIT_MS);
afterAll(() => installed?.dispose());

const mayday = (...args: string[]) =>
  runWithOutput([process.execPath, installed.bin(), ...args], { cwd: installed.project, env: installed.env });

describe('the packed package', () => {
  it('is small and holds what it needs and nothing else', () => {
    expect(installed.packedBytes).toBeLessThan(MAX_PACKED_BYTES);
    for (const path of [
      'bin/mayday.js',
      'dist/desk/index.html',
      'dist/types/index.d.ts',
      'bin/package.json',
      'dist/programs/index.mjs',
      ...['main', 'attendant', 'keeper-process', 'play', 'acp-client'].map(
        (name) => `dist/programs/${name}.mjs`,
      ),
      'drills/interrupted-halfway.yaml',
      'docs/reference/configuration.md',
      'LICENSE',
    ])
      expect(installed.files).toContain(path);
    const strange = installed.files.filter(
      (path) =>
        !/^(dist|drills|demo|bin)\/|^docs\/.*\.md$|^(package\.json|README\.md|SECURITY\.md|LICENSE|CHANGELOG\.md)$/.test(
          path,
        ),
    );
    expect(strange).toEqual([]);
    expect(installed.files.filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))).toEqual([]);
  });

  it('needs no other package, and names the licences of those that it brings along', () => {
    expect(installed.manifest()).not.toHaveProperty('dependencies');
    const licences = readFileSync(join(installed.project, 'node_modules/mayday/dist/licences.txt'), 'utf8');
    for (const name of ['@hono/node-server', 'hono', 'pg', 're2js', 'yaml', 'zod'])
      expect(licences).toMatch(new RegExp(`^${name} \\(`, 'm'));
  });

  it(
    'runs an agent, rescues it and delivers',
    async () => {
      const { exitCode, output } = await mayday(
        'run',
        '--check',
        'test -f done.txt',
        '--',
        'sh',
        '-c',
        'date > done.txt',
      );
      expect(exitCode, output).toBe(0);
      const drill = await mayday('drill', 'interrupted-halfway');
      expect(drill.exitCode, drill.output).toBe(0);
    },
    LIMIT_MS,
  );

  it('diagnoses', async () => {
    const { exitCode, output } = await runWithOutput([process.execPath, installed.bin(), 'diagnose'], {
      cwd: installed.project,
      env: installed.env,
      input: "Error: Cannot find module 'left-pad'\n",
    });
    expect(exitCode).toBe(0);
    expect(output).toMatch(/^missing dependency[^]*left-pad/);
  });

  it('speaks clearly on an older Node', (context) => {
    const old = ['/usr/bin/node', '/usr/local/bin/node'].find(
      (path) =>
        existsSync(path) && Number(execFileSync(path, ['-p', 'process.versions.node.split(".")[0]'])) < 24,
    );
    if (old === undefined) return context.skip('there is no Node older than 24 on this machine');
    const { status, stderr } = spawnSync(old, [installed.bin(), 'ps'], {
      encoding: 'utf8',
      env: installed.env,
    });
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^mayday: Mayday needs Node 24 or newer; this is v\d+\.\d+\.\d+ \(UNSUPPORTED_RUNTIME\)$/m,
    );
    expect(stderr).toContain('install Node 24');
    expect(stderr).not.toContain('    at ');
  });
});

describe('the library', () => {
  const examples = globSync('examples/*.ts', { cwd: ROOT }).toSorted();
  beforeAll(() => {
    for (const path of examples)
      cpSync(join(ROOT, path), join(installed.project, path.replace('examples/', '')));
  });

  it('has an example for each of its functions', () => {
    expect(examples.length).toBeGreaterThanOrEqual(3);
  });

  for (const path of examples) {
    it(
      `${path} runs`,
      async () => {
        const file = path.replace('examples/', '');
        const { exitCode, output } = await runWithOutput([process.execPath, '--no-warnings', file], {
          cwd: installed.project,
          env: installed.env,
        });
        expect(exitCode, output).toBe(0);
        if (/supervise|answer/.test(file)) expect(output).toMatch(/^delivered /m);
      },
      LIMIT_MS,
    );
  }

  it(
    'has types that fit the examples',
    async () => {
      symlinkSync(join(ROOT, 'node_modules/@types'), join(installed.project, 'node_modules/@types'));
      symlinkSync(
        join(ROOT, 'node_modules/undici-types'),
        join(installed.project, 'node_modules/undici-types'),
      );
      writeFileSync(join(installed.project, 'package.json'), '{"type":"module"}\n');
      const config = {
        compilerOptions: {
          strict: true,
          noEmit: true,
          module: 'nodenext',
          target: 'es2024',
          types: ['node'],
        },
        include: ['*.ts'],
      };
      writeFileSync(join(installed.project, 'tsconfig.json'), JSON.stringify(config));
      const { exitCode, output } = await runWithOutput([join(ROOT, 'node_modules/.bin/tsc'), '-p', '.'], {
        cwd: installed.project,
        env: installed.env,
      });
      expect(exitCode, output).toBe(0);
    },
    LIMIT_MS,
  );
});
