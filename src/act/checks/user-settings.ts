/**
 * `keepUserSettings`, `changedUserSettings`, `lostUserSettings`: protect checks from changed settings of the person (an `~/.npmrc` can
 * make every `npm test` pass). The settings are copied before an agent starts, and the copies are mounted over the agent's versions while
 * a check runs. Where there is nothing left to mount over, a person is asked. The agent's changes in the person's home are not undone.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { writeFileDurably } from '../../platform/file/durable-write.ts';
import type { HiddenHome } from '../../platform/container/hide-home.ts';
import { isFolder, isWritable } from '../../platform/file/file-kind.ts';
import { findPaths } from '../../platform/file/find-paths.ts';
import { readPlainBytes, readState } from '../../platform/file/plain-file.ts';
import { runDir } from '../run-files.ts';

/** Paths below the person's home. */
const SETTINGS: readonly string[] = [
  '.config/pnpm .bunfig.toml .gitconfig .config/git .curlrc .wgetrc .config/mise .zshenv .bazelrc',
  '.pip .config/pip .config/uv .pydistutils.cfg .local/lib/python3*/site-packages/sitecustomize.py',
  '.local/lib/python3*/site-packages/usercustomize.py .local/lib/python3*/site-packages/*.pth',
  '.config/go .m2/settings.xml .mavenrc .gradle/init.gradle .gradle/init.d',
  '.gradle/gradle.properties .bundle .gemrc .bashrc .bash_profile .profile .config/composer .config/NuGet',
  '.mypy.ini .config/mypy .pylintrc .config/pylintrc .config/ruff .config/pycodestyle .isort.cfg .config/yamllint .config/pypoetry',
  '.shellcheckrc .config/shellcheckrc .rubocop.yml .config/rubocop .config/rspec .config/nextest .config/yarn .config/rustfmt',
  '.clang-tidy .clang-format .stylelintrc* .prettierrc* .golangci.* .Rprofile .Renviron .irbrc .perlcriticrc',
].flatMap((names) => names.split(' '));
/** Tools look for these in every folder above the check tree, up to the root. */
const UPWARD: readonly string[] = [
  'node_modules package.json tsconfig.json .npmrc .yarnrc .yarnrc.yml .pnp.cjs .pnp.loader.mjs pnpm-workspace.yaml',
  'jest.config.* vitest.config.* babel.config.* .babelrc* .swcrc .mocharc* .eslintrc* eslint.config.* biome.json* deno.json*',
  'conftest.py pytest.ini tox.ini setup.cfg pyproject.toml ruff.toml .ruff.toml mypy.ini .flake8 .coveragerc .python-version',
  'go.work go.mod Cargo.toml .cargo/config .cargo/config.toml rust-toolchain rust-toolchain.toml Gemfile .rspec .ruby-version',
  'settings.gradle settings.gradle.kts .mvn Directory.Build.props Directory.Build.targets global.json NuGet.config',
  '.tool-versions .nvmrc .node-version .editorconfig .mise.toml mise.toml',
].flatMap((names) => names.split(' '));
/** A larger one is no setting: it is not kept, and the check sees it as the agent left it. */
const MAX_FILES = 200;
const MAX_FILE_BYTES = 256 * 1024;
const MAX_NOTE_BYTES = 256 * 1024;

const TEMPORARY = ['/tmp', '/var/tmp', tmpdir()];

const NOT_KEPT = '';

/** `others`: files that no list names; an older run did not keep them. */
const Kept = z.object({
  user: z.string(),
  settings: z.record(z.string(), z.string()),
  others: z.record(z.string(), z.string()).optional(),
});

/** Where tools that no list names keep their settings; a new folder is emptied (see tool-caches.ts). */
const OTHERS = ['*', '.config/*', '.local/share/*'];
/** No settings, and not to be copied; programs rewrite them all day. */
const NOT_COPIED = /hist|hst|info$|netrc|pgpass|credential|token|auth|secret|key|passw|\.(?:lock|log|pid)$/i;

/** Copies the settings before the first agent starts; a later call changes nothing. */
export async function keepUserSettings(home: string, runId: string, user: string | undefined): Promise<void> {
  const folder = keptFolder(home, runId);
  if (user === undefined || existsSync(noteFile(folder))) return;
  mkdirSync(join(folder, 'empty'), { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'none'), '');
  writeFileSync(join(folder, 'none.json'), '{}\n');
  const keep = (paths: readonly string[], prefix: string) =>
    Object.fromEntries(
      paths.map((path, index) => {
        const at = resolve(user, path);
        // Above the home lie files of all kinds: new ones are covered, and none is copied.
        const isLeft = prefix !== '' && (index >= MAX_FILES || isAbsolute(path) || NOT_COPIED.test(path));
        if (isLeft || contentOf(at) === null) return [path, NOT_KEPT];
        cpSync(at, join(folder, `${prefix}${index}`), { recursive: true, dereference: true });
        return [path, `${prefix}${index}`];
      }),
    );
  const listed = found(user, home);
  const others = keep(othersIn(user, home, listed), 'other-');
  await writeFileDurably(noteFile(folder), JSON.stringify({ user, settings: keep(listed, ''), others }));
}

/** Which copy must be mounted over which setting; empty: no setting changed. */
export function changedUserSettings(home: string, runId: string): NonNullable<HiddenHome['over']> {
  const folder = keptFolder(home, runId);
  const kept = keptIn(folder);
  if (kept === null) return [];
  const listed = found(kept.user, home);
  const others = kept.others === undefined ? [] : othersIn(kept.user, home, listed);
  return [...listed, ...others].flatMap((path) => {
    const to = resolve(kept.user, path);
    const name = kept.settings[path] ?? kept.others?.[path];
    if (name === NOT_KEPT) return [];
    const nothing = isFolder(to) ? 'empty' : path.endsWith('.json') ? 'none.json' : 'none';
    if (name === undefined) return [{ from: join(folder, nothing), to }];
    const from = join(folder, name);
    return isFolder(from) === isFolder(to) && contentOf(from) !== contentOf(to) ? [{ from, to }] : [];
  });
}

/** The settings that were deleted, or made a folder of a file: no copy can be mounted over them. */
export function lostUserSettings(home: string, runId: string): string[] {
  const folder = keptFolder(home, runId);
  const { user, settings } = keptIn(folder) ?? { user: '/', settings: {} };
  return Object.entries(settings).flatMap(([path, name]) => {
    const at = resolve(user, path);
    const isThere = existsSync(at) && (name === NOT_KEPT || isFolder(join(folder, name)) === isFolder(at));
    return isThere ? [] : [at];
  });
}

function keptIn(folder: string): z.infer<typeof Kept> | null {
  return readState(Kept, noteFile(folder), MAX_NOTE_BYTES);
}

/** Below the person's home by their path in it, elsewhere by their whole path. */
function found(user: string, home: string): string[] {
  const above = foldersAbove(user, home).flatMap((at) => findPaths(at, UPWARD).map((path) => join(at, path)));
  return [...new Set(findPaths(user, [...SETTINGS, ...UPWARD])), ...above].toSorted();
}

/** Above Mayday's folder, in which check trees lie; without the person's home. */
function foldersAbove(user: string, home: string): string[] {
  const folders: string[] = [];
  for (let at = resolve(home); at !== dirname(at); ) folders.push((at = dirname(at)));
  return folders.filter((folder) => folder !== user);
}

function othersIn(user: string, home: string, listed: readonly string[]): string[] {
  const known = new Set(listed);
  const isFile = (path: string) =>
    statSync(resolve(user, path), { throwIfNoEntry: false })?.isFile() === true;
  const above = foldersAbove(user, home)
    // Of these every check has its own, and files come and go in them.
    .filter((folder) => isWritable(folder) && !TEMPORARY.includes(folder))
    .flatMap((at) => findPaths(at, ['*']).map((path) => join(at, path)));
  return [...findPaths(user, OTHERS), ...above].filter((path) => !known.has(path) && isFile(path)).toSorted();
}

/** Null: it is too large to be a setting, not readable, or no file. */
function contentOf(path: string): string | null {
  if (!isFolder(path)) {
    const read = readPlainBytes(path, MAX_FILE_BYTES, { follow: true });
    return read.type === 'bytes' ? read.bytes.toString('latin1') : null;
  }
  const contents: [name: string, content?: string][] = [];
  const open = [''];
  try {
    for (let folder = open.pop(); folder !== undefined; folder = open.pop())
      for (const name of readdirSync(join(path, folder)).map((one) => join(folder, one))) {
        const isInner = isFolder(join(path, name));
        const content = isInner ? undefined : contentOf(join(path, name));
        if (content === null || contents.length >= MAX_FILES) return null;
        contents.push(content === undefined ? [name] : [name, content]);
        if (isInner) open.push(name);
      }
  } catch {
    return null;
  }
  return JSON.stringify(contents.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function keptFolder(home: string, runId: string): string {
  return join(runDir(home, runId), 'user-settings');
}

function noteFile(folder: string): string {
  return join(folder, 'kept.json');
}
