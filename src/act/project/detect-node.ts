/** `detectNode`: detects a Node project: the package manager by its lockfile, the checks by the scripts in package.json. */
import { objectOrNull } from '../../core/text/json.ts';
import type { ProjectFinding, ProjectFiles } from './detect-project.ts';

interface Manager {
  readonly name: string;
  readonly lockfiles: readonly string[];
  readonly install: string;
  readonly run: (script: string) => string;
  /** The tests of every package of a monorepo. */
  readonly runAll?: string;
}

const NPM: Manager = {
  name: 'npm',
  lockfiles: ['package-lock.json', 'npm-shrinkwrap.json'],
  install: 'npm ci',
  run: (script) => (script === 'test' ? 'npm test' : `npm run ${script}`),
  runAll: 'npm test --workspaces --if-present',
};

const MANAGERS: readonly Manager[] = [
  {
    name: 'pnpm',
    lockfiles: ['pnpm-lock.yaml'],
    install: 'pnpm install --frozen-lockfile',
    run: (script) => `pnpm run ${script}`,
    runAll: 'pnpm --recursive --if-present run test',
  },
  {
    name: 'yarn',
    lockfiles: ['yarn.lock'],
    install: 'yarn install --frozen-lockfile',
    run: (script) => `yarn run ${script}`,
  },
  {
    name: 'bun',
    lockfiles: ['bun.lock', 'bun.lockb'],
    install: 'bun install --frozen-lockfile',
    run: (script) => `bun run ${script}`,
  },
  NPM,
];

/** The test script that `npm init` writes always fails. */
const PLACEHOLDER = /no test specified/;
/** Common names of check scripts, the one with the most telling failure first. */
const FURTHER_CHECKS = ['typecheck', 'type-check', 'lint'];

export async function detectNode(files: ProjectFiles): Promise<ProjectFinding | null> {
  if (!files.has('package.json')) return null;
  const manifest = objectOrNull((await files.read('package.json')).replace(/^\uFEFF/, '')) as Manifest | null;
  if (manifest === null)
    return { checks: [], setup: null, why: ['package.json is not valid JSON; nothing is proposed from it'] };
  const lockfileOf = ({ lockfiles }: Manager) => lockfiles.find((name) => files.has(name));
  const asked = MANAGERS.filter((manager) => lockfileOf(manager) !== undefined);
  const locked = asked.find((manager) => files.hasTool(manager.name, lockfileOf(manager) as string));
  const manager = locked ?? NPM;
  const scripts = manifest.scripts ?? {};
  const why: string[] = [];
  const checks: string[] = [];
  const test = scripts['test'];
  if (test !== undefined && test.trim() !== '' && !PLACEHOLDER.test(test)) {
    checks.push(manager.run('test'));
    why.push(`package.json has a test script: ${test.slice(0, 100)}`);
  } else if (manager.runAll !== undefined && (manifest.workspaces || files.has('pnpm-workspace.yaml'))) {
    checks.push(manager.runAll);
    why.push('a monorepo: the tests of every package that has some');
  } else if (files.has('test') || files.has('tests')) why.push('there is a test folder but no test script');
  for (const name of FURTHER_CHECKS) {
    if (scripts[name] === undefined) continue;
    checks.push(manager.run(name));
    why.push(`package.json has a script "${name}"`);
  }
  const needs = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).length > 0;
  if (!needs && asked.length === 0) return { checks, setup: null, why };
  const isInstalled = await files.exists('node_modules');
  const nodeModules = isInstalled ? 'copy' : 'setup';
  // The lockfile of another tool says nothing to npm.
  if (locked === undefined && (asked.length > 0 || !files.hasTool(NPM.name, 'package.json')))
    return { checks, setup: null, nodeModules, why };
  const install = locked?.install ?? 'npm install';
  why.push(
    isInstalled
      ? `node_modules is installed: it is copied, and "${install}" runs when dependencies change`
      : `${locked === undefined ? 'dependencies without a lockfile' : lockfileOf(locked)}: ${install}`,
  );
  return { checks, setup: install, nodeModules, why };
}

interface Manifest {
  readonly workspaces?: unknown;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}
