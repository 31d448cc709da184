/**
 * `npm run lock`: after a change of dependencies. A registry that lacks the binaries of other platforms makes npm write a
 * lockfile that its own `npm ci` refuses; naming the missing optional packages by version mends it everywhere.
 */
import { readFileSync, writeFileSync } from 'node:fs';

interface LockEntry {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  optionalDependencies?: Record<string, string>;
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, LockEntry> };
const missing = Object.values(lock.packages).flatMap((entry) =>
  Object.entries(entry.optionalDependencies ?? {})
    .filter(([name]) => !(`node_modules/${name}` in lock.packages))
    .map(
      ([name, version]) =>
        [`node_modules/${name}`, { version, ...(entry.dev ? { dev: true } : {}), optional: true }] as const,
    ),
);
const packages = { ...lock.packages, ...Object.fromEntries(missing) };
lock.packages = Object.fromEntries(Object.entries(packages).toSorted(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
console.log(`lock: ${missing.length} packages of other platforms named`);
