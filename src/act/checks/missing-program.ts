/**
 * `missingProgram`: finds what a check that ended with 126 or 127 in the base could not start. Null where the task can bring it, as a
 * file of the repository that it may write. No work can bring a tool, or a file that git ignores, into a check tree.
 */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { matchesAny } from '../../core/text/glob.ts';
import type { CannotRun } from '../../core/vocabulary/work.ts';
import { isExecutable } from '../../platform/file/file-kind.ts';
import { guardedGit } from '../../platform/git/git.ts';
import type { AgentUser } from '../../platform/process/agent-user.ts';
import { detectProject } from '../project/detect-project.ts';
import { simpleCommands, joined } from '../../core/judge/check-line.ts';
import { namedByShell, namesFile, pathInTree } from '../../core/judge/missing-name.ts';
import { isPlanted } from '../../core/judge/verification-files.ts';
import { barredPath, interpreterOf } from './barred-path.ts';

interface MissingSpec {
  readonly command: string;
  readonly exitCode: number | null;
  readonly output: string;
  /** Where the check starts, below the top of the tree. */
  readonly folder: string;
  /** `repository` is the person's checkout, `tree` the tree in which the check ran. */
  readonly repository: string;
  readonly tree: string;
  /** Globs of the files that the task may write. */
  readonly allowed: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The user that the check ran as; null: the one that Mayday itself is. */
  readonly user: AgentUser | null;
}

const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;
/** Folders into which package managers install programs. */
const PROGRAM_FOLDERS = ['node_modules/.bin', '.venv/bin', 'venv/bin', 'vendor/bin'];

export async function missingProgram(spec: MissingSpec): Promise<CannotRun | null> {
  if (spec.exitCode !== NOT_FOUND && spec.exitCode !== NOT_EXECUTABLE) return null;
  const named =
    namedByShell(spec.output) ??
    firstNotExecutable(spec) ??
    simpleCommands(spec.command)[0]?.program ??
    spec.command;
  const barred = barredPath(placeOf(spec, named), spec.tree, spec.user);
  const program = (barred === null ? missingInterpreter(spec, named) : null) ?? named;
  const path = namesFile(spec.command, program) ? pathInTree(spec.command, spec.folder, program) : null;
  const ignored = path === null ? folderOfInstalled(spec, program) : await ignoredFolder(spec, path);
  // A file that is there and cannot be executed is the person's to mend; one that is not there may be the work itself.
  const isThere = spec.exitCode === NOT_EXECUTABLE || barred !== null;
  if (!isThere && path !== null && ignored === null && matchesAny(path, spec.allowed)) return null;
  // A folder that the tree has already needs no copy.
  const folder = ignored !== null && existsSync(join(spec.tree, ignored)) ? null : ignored;
  return {
    program,
    isThere,
    folder,
    inCheckout: folder !== null && existsSync(join(spec.repository, folder)),
    setup: (await detectProject(spec.repository, spec.env['PATH'] ?? '')).setup,
    ...(barred === null ? {} : { barred }),
  };
}

/** The file that the name starts: in the tree, or the first of that name on the PATH. */
function placeOf(spec: MissingSpec, program: string): string {
  if (program.startsWith('/')) return program;
  const inTree = join(spec.tree, pathInTree(spec.command, spec.folder, program));
  if (program.includes('/')) return inTree;
  const folders = (spec.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).find((file) => existsSync(file)) ?? inTree;
}

function firstNotExecutable(spec: MissingSpec): string | null {
  const folders = (spec.env['PATH'] ?? '').split(delimiter);
  const found = simpleCommands(spec.command).find(({ program, folder }) =>
    program.includes('/')
      ? !isExecutable(program.startsWith('/') ? program : join(spec.tree, spec.folder, folder, program))
      : !folders.some((searched) => isExecutable(join(searched, program))),
  );
  return found?.program ?? null;
}

/** A file that exists and is still "not found" names a missing interpreter on its first line. */
function missingInterpreter(spec: MissingSpec, program: string): string | null {
  const file = join(spec.tree, pathInTree(spec.command, spec.folder, program));
  if (spec.exitCode !== NOT_FOUND || !program.includes('/') || !existsSync(file)) return null;
  return interpreterOf(file);
}

function folderOfInstalled({ repository, folder }: MissingSpec, program: string): string | null {
  for (const place of PROGRAM_FOLDERS)
    for (const start of new Set([folder, '']))
      if (existsSync(join(repository, start, place, program)))
        return joined(start, place.split('/')[0] as string);
  return null;
}

/** The topmost folder of the path that git ignores, or the file itself. */
async function ignoredFolder({ repository }: MissingSpec, path: string): Promise<string | null> {
  const parts = path.split('/');
  const prefixes = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  const paths = prefixes.flatMap((prefix) => [prefix, `${prefix}/`]);
  const args = ['-c', 'core.quotePath=false', 'check-ignore', '--no-index', '--', ...paths];
  const asked = await guardedGit({ args, cwd: repository, env: process.env });
  const ignored = asked.stdout
    .toString('utf8')
    .split('\n')
    .map((line) => line.replace(/\/$/, ''));
  const tool = prefixes.find((prefix) => isPlanted(`${prefix}/`));
  return prefixes.find((prefix) => ignored.includes(prefix)) ?? tool ?? null;
}
