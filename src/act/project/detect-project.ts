/** `detectProject`: proposes how a project is set up and checked, and which ignored files it needs. `ignoredPaths`: what git ignores. */
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { RunOptions } from '../../core/vocabulary/run-options.ts';
import { findCommand } from '../../platform/container/startable.ts';
import { guardedGit } from '../../platform/git/git.ts';
import { rawToText, splitNul } from '../../platform/git/raw-path.ts';
import { isTest } from '../../core/judge/verification-files.ts';
import { isFolder } from '../../platform/file/file-kind.ts';
import { detectNode } from './detect-node.ts';
import { detectPython } from './detect-python.ts';

export interface ProjectProposal extends Pick<RunOptions, 'setup' | 'ignoredToCopy' | 'nodeModules'> {
  /** Shell commands, the most telling one first. */
  readonly checks: readonly string[];
  /** Globs of what judges here: folders of tests, check scripts. Files of the pipeline are asked about in any case. */
  readonly protect: readonly string[];
  /** One sentence for each proposal: what it is based on. */
  readonly why: readonly string[];
  /** One sentence for each tool that the project asks for and that is not there: no set-up uses it. */
  readonly lacks: readonly string[];
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
  /** True: the tool that this file asks for is on the PATH. One that is not is told. */
  hasTool(tool: string, file: string): boolean;
}

const MAX_READ_BYTES = 1024 * 1024;

/** `path`: the PATH of what would run. */
export async function detectProject(root: string, path: string): Promise<ProjectProposal> {
  const lacks: string[] = [];
  const names = new Set(await readdir(root).catch(() => []));
  const files: ProjectFiles = {
    root,
    has: (name) => names.has(name),
    read: async (name) => await readSmall(join(root, name)),
    exists: async (name) => existsSync(join(root, name)),
    hasTool: (tool, file) => {
      const isThere = findCommand(tool, root, path) === 'found';
      if (!isThere) lacks.push(`${file} asks for ${tool}, which is not on the PATH: no set-up uses it.`);
      return isThere;
    },
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
    protect: [...names]
      .filter(isTest)
      .toSorted()
      .map((name) => (isFolder(join(root, name)) ? `${name}/**` : name)),
    lacks,
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

/** By the file that tells them: the check, and the setup. */
const COMPILED: Readonly<Record<string, readonly [check: string, why: string, setup?: string]>> = {
  'go.mod': ['go build ./... && go test ./...', 'go test'],
  'Cargo.toml': ['cargo test', 'cargo test'],
  gradlew: ['./gradlew test', 'the Gradle wrapper tests'],
  'pom.xml': ['mvn --quiet test', 'Maven tests'],
  'mix.exs': ['mix test', 'mix test', 'mix deps.get'],
  Gemfile: ['bundle exec rake test', 'tests through bundler', 'bundle install'],
};

function detectCompiled(files: ProjectFiles): ProjectFinding | null {
  const found = Object.entries(COMPILED).find(([file]) => files.has(file));
  if (found === undefined) return null;
  const [name, [check, why, setup = null]] = found;
  const isSpec = name === 'Gemfile' && files.has('spec');
  const tool = setup?.split(' ')[0];
  const usable = tool === undefined || files.hasTool(tool, name) ? setup : null;
  return { checks: [isSpec ? 'bundle exec rspec' : check], setup: usable, why: [`${name}: ${why}`] };
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
  return (await ignoredPaths(root))
    .filter((path) => ENVIRONMENT_FILE.test(basename(path)) && !path.endsWith('/'))
    .slice(0, MAX_IGNORED);
}

/** A folder that is ignored as a whole ends with a slash. */
export async function ignoredPaths(root: string, signal?: AbortSignal): Promise<string[]> {
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const listing = await guardedGit({ args, cwd: root, env: process.env, signal });
  return splitNul(listing.stdout).map(rawToText);
}

async function readSmall(path: string): Promise<string> {
  const facts = await stat(path).catch(() => null);
  if (!facts?.isFile() || facts.size > MAX_READ_BYTES) return '';
  return await readFile(path, 'utf8').catch(() => '');
}
