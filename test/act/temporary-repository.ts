/** A real repository and a MAYDAY_HOME in a folder of its own, gone after the test. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { makeWorkspace, type WorkspaceSpec } from '../../src/act/workspace/make-workspace.ts';

export interface TemporaryRepository {
  readonly folder: string;
  readonly home: string;
  readonly root: string;
  readonly git: (...args: string[]) => string;
  readonly write: (files: Readonly<Record<string, string>>) => void;
}

export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mayday-test-')));
  onTestFinished(() => {
    execFileSync('chmod', ['-R', 'u+rwx', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

export function gitIn(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

export function writeFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

export function temporaryRepository(
  files: Readonly<Record<string, string>> = { 'README.md': 'hello\n' },
  folder = temporaryFolder(),
): TemporaryRepository {
  const root = join(folder, 'project');
  mkdirSync(root);
  gitIn(root, 'init', '--quiet', '--initial-branch=main');
  gitIn(root, 'config', 'user.name', 'Pat');
  gitIn(root, 'config', 'user.email', 'pat@example.com');
  writeFiles(root, files);
  gitIn(root, 'add', '--all', '--force');
  gitIn(root, 'commit', '--quiet', '--allow-empty', '--message', 'start');
  return {
    folder,
    home: join(folder, 'home'),
    root,
    git: (...args) => gitIn(root, ...args),
    write: (more) => writeFiles(root, more),
  };
}

export function workspaceSpec(
  repository: { readonly home: string; readonly root: string },
  more: Partial<WorkspaceSpec> = {},
): WorkspaceSpec {
  return {
    runId: 'r1',
    home: repository.home,
    cwd: repository.root,
    inPlace: false,
    includeDirty: false,
    ignoredToCopy: [],
    setup: null,
    setupTimeoutMs: 60_000,
    nodeModules: 'setup',
    env: { PATH: process.env['PATH'] ?? '' },
    ...more,
  };
}

export async function preparedWorkspace(
  files?: Readonly<Record<string, string>>,
  more: Partial<WorkspaceSpec> = {},
) {
  const repository = temporaryRepository(files);
  const workspace = await makeWorkspace(workspaceSpec(repository, more));
  return { repository, workspace, home: repository.home, runId: workspace.runId, path: workspace.path };
}

/** A program that leaves a trace when it is run: the trap of a hostile repository. */
export function trap(folder: string): { readonly program: string; readonly trace: string } {
  const program = join(folder, 'trap.sh');
  const trace = join(folder, 'trap-was-run');
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> '${trace}'\ncat 2>/dev/null\nexit 0\n`);
  chmodSync(program, 0o755);
  return { program, trace };
}
