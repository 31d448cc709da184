import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('the lockfile names every optional package, so that npm ci accepts it on any registry', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { optionalDependencies?: Record<string, string> }>;
  };
  const missing = Object.values(packages)
    .flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {}))
    .filter((name) => !(`node_modules/${name}` in packages));
  expect(missing).toEqual([]);
});

it('the lockfile names no registry', () => {
  expect(readFileSync('package-lock.json', 'utf8')).not.toMatch(/"resolved": "http/);
});

it('the lockfile holds every binary that Linux with glibc needs, on x64 and on arm64', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { integrity?: string; optionalDependencies?: Record<string, string> }>;
  };
  const absent = Object.values(packages)
    .flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {}))
    .filter((name) => /linux-(x64|arm64)/.test(name) && !name.includes('musl'))
    .filter((name) => packages[`node_modules/${name}`]?.integrity === undefined);
  expect(absent).toEqual([]);
});

it('nothing of ours runs when Mayday is installed', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const atInstall = ['preinstall', 'install', 'postinstall', 'dependencies'];
  expect(Object.keys(scripts).filter((name) => atInstall.includes(name))).toEqual([]);
});
