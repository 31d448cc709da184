/** `detectProject`: proposes how a project is set up and checked, and which ignored files it needs. */
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { guardedGit } from '../../platform/git/git.ts';
import { rawToText, splitNul } from '../../platform/git/raw-path.ts';
import { detectNode } from './detect-node.ts';
import { detectPython } from './detect-python.ts';

export interface ProjectProposal {
  /** Shell commands, the most telling one first. */
  readonly checks: readonly string[];
  readonly setup: string | null;
  readonly ignoredToCopy: readonly string[];
  readonly nodeModules: 'link' | 'copy' | 'setup';
  /** One sentence for each proposal: what it is based on. */
  readonly why: readonly string[];
}

/** The proposal for one language. */
export interface ProjectFinding {
  readonly checks: readonly string[];
  readonly setup: string | null;
  readonly nodeModules?: 'copy' | 'setup';
  readonly why: readonly string[];
}

export interface ProjectFiles {
  readonly root: string;
  has(name: string): boolean;
  /** Text of a small file; empty if it is not there. */
  read(name: string): Promise<string>;
  exists(path: string): Promise<boolean>;
}

const MAX_READ_BYTES = 1024 * 1024;

export async function detectProject(root: string): Promise<ProjectProposal> {
  const names = new Set(await readdir(root).catch(() => []));
  const files: ProjectFiles = {
    root,
    has: (name) => names.has(name),
    read: async (name) => await readSmall(join(root, name)),
    exists: async (path) => existsSync(join(root, path)),
  };
  const findings = [
    await detectNode(files),
    await detectPython(files),
    detectCompiled(files),
    await detectMake(files),
  ].filter((finding) => finding !== null);
  const submodules = files.has('.gitmodules') ? [FILL_SUBMODULES] : [];
  const setups = [...submodules, ...findings.flatMap(({ setup }) => setup ?? [])];
  const ignored = await ignoredSecrets(root);
  // A Makefile counts only where nothing more specific was found.
  const main = findings.length > 1 ? findings.filter((finding) => finding.checks[0] !== MAKE_TEST) : findings;
  return {
    checks: main.flatMap((finding) => finding.checks),
    setup: setups.length === 0 ? null : setups.join(' && '),
    ignoredToCopy: ignored,
    nodeModules: findings.some((finding) => finding.nodeModules === 'copy') ? 'copy' : 'setup',
    why: [
      ...submodules.map((command) => `.gitmodules: ${command}`),
      ...main.flatMap((finding) => finding.why),
      ...(ignored.length === 0 ? [] : [`ignored files that programs read at start: ${ignored.join(', ')}`]),
    ],
  };
}

/** A worktree has its own submodule folders, which are empty at first. */
const FILL_SUBMODULES = 'git submodule update --init --recursive';
const MAKE_TEST = 'make test';

function detectCompiled(files: ProjectFiles): ProjectFinding | null {
  if (files.has('go.mod'))
    return { checks: ['go build ./... && go test ./...'], setup: null, why: ['go.mod: go test'] };
  if (files.has('Cargo.toml'))
    return { checks: ['cargo test'], setup: null, why: ['Cargo.toml: cargo test'] };
  if (files.has('gradlew'))
    return { checks: ['./gradlew test'], setup: null, why: ['gradlew: the Gradle wrapper tests'] };
  if (files.has('pom.xml'))
    return { checks: ['mvn --quiet test'], setup: null, why: ['pom.xml: Maven tests'] };
  if (files.has('mix.exs'))
    return { checks: ['mix test'], setup: 'mix deps.get', why: ['mix.exs: mix test'] };
  if (files.has('Gemfile'))
    return {
      checks: [files.has('spec') ? 'bundle exec rspec' : 'bundle exec rake test'],
      setup: 'bundle install',
      why: ['Gemfile: tests through bundler'],
    };
  return null;
}

async function detectMake(files: ProjectFiles): Promise<ProjectFinding | null> {
  const name = ['Makefile', 'makefile', 'GNUmakefile'].find((candidate) => files.has(candidate));
  if (name === undefined || !/^test\s*:/m.test(await files.read(name))) return null;
  return { checks: [MAKE_TEST], setup: null, why: [`${name} has a target "test"`] };
}

/** Local environment files, which programs read when they start. */
const ENVIRONMENT_FILE = /^(?:\.env(?:\.[\w.-]+)?|\.envrc|\.dev\.vars|local\.settings\.json)$/;
const MAX_IGNORED = 50;

async function ignoredSecrets(root: string): Promise<string[]> {
  const listing = await guardedGit({
    args: ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'],
    cwd: root,
    env: process.env,
  });
  const paths = splitNul(listing.stdout).map(rawToText);
  return paths
    .filter((path) => ENVIRONMENT_FILE.test(basename(path)) && !path.endsWith('/'))
    .slice(0, MAX_IGNORED);
}

async function readSmall(path: string): Promise<string> {
  const facts = await stat(path).catch(() => null);
  if (!facts?.isFile() || facts.size > MAX_READ_BYTES) return '';
  return await readFile(path, 'utf8').catch(() => '');
}
