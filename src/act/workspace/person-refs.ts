/**
 * `readPersonRefs`, `keepStartRefs`, `movedSinceStart`: read and compare the branches, tags and replaced objects of the person's
 * repository. A worktree shares them, so an agent can move them. Mayday reports a move and does not undo it.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileWhole } from '../../platform/file/durable-write.ts';
import { readState } from '../../platform/file/plain-file.ts';
import { guardedGit } from '../../platform/git/git.ts';
import { rawToText } from '../../platform/git/raw-path.ts';
import { onFirstUse } from '../../core/text/on-first-use.ts';
import { runStatePath } from './home-layout.ts';
import type { Workspace } from './workspace.ts';

const Refs = onFirstUse(() => z.record(z.string(), z.string()));
type Refs = Readonly<z.infer<ReturnType<typeof Refs>>>;

/** A repository with more refs than this has tags made by programs. Refs beyond the limit are not compared. */
const MAX_REFS = 20_000;
const SHOWN = 10;
/** Through a ref below it, git shows the person another object in place of the one that a gate judged. */
export const REPLACEMENTS = 'refs/replace/';

export async function readPersonRefs(
  repository: string,
  isGit: boolean,
  signal?: AbortSignal,
): Promise<Record<string, string>> {
  if (!isGit) return {};
  const args = [
    'for-each-ref',
    `--count=${MAX_REFS}`,
    '--format=%(refname) %(objectname)',
    'refs/heads',
    'refs/tags',
    REPLACEMENTS,
  ];
  const listed = await guardedGit({ args, cwd: repository, env: process.env, signal });
  if (listed.exitCode !== 0) return {};
  const lines = listed.stdout
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '');
  const refs = lines.map((line) => {
    const space = line.lastIndexOf(' ');
    return [rawToText(line.slice(0, space)), line.slice(space + 1)] as const;
  });
  // Branches below `mayday/` are Mayday's own deliveries.
  return Object.fromEntries(refs.filter(([name]) => !name.startsWith('refs/heads/mayday/')));
}

/** Notes the refs as they are when an agent starts: what moved while no agent worked was not moved by one. */
export async function keepStartRefs(
  { shadow, runId, repository, commonDir }: Workspace,
  signal?: AbortSignal,
): Promise<void> {
  const refs = await readPersonRefs(repository, commonDir !== null, signal);
  // Without the note, those of the preparation count.
  await writeFileWhole(startRefsPath(shadow, runId), JSON.stringify(refs), { mode: 0o600 });
}

/** `deliveries` reads the commits that runs put on a branch. */
export async function movedSinceStart(
  { shadow, runId, refs, repository, commonDir }: Workspace,
  deliveries?: () => Promise<readonly string[]>,
  signal?: AbortSignal,
): Promise<string[]> {
  const before = readState(Refs, startRefsPath(shadow, runId)) ?? refs;
  if (before === undefined) return [];
  const now = await readPersonRefs(repository, commonDir !== null, signal);
  return movedRefs(before, now, (await deliveries?.()) ?? []);
}

function startRefsPath(shadow: string, runId: string): string {
  return join(runStatePath(shadow, runId), 'start-refs.json');
}

/** Describes each move, with the command that undoes it. */
function movedRefs(before: Refs, now: Refs, delivered: readonly string[]): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(
    (name) => before[name] !== now[name] && !delivered.includes(now[name] ?? ''),
  );
  const told = names.toSorted().map((name) => {
    const [was, is] = [before[name], now[name]];
    if (was === undefined) return `${name} is new (${short(is)})`;
    const how = is === undefined ? 'is gone' : `moved from ${short(was)} to ${short(is)}`;
    return `${name} ${how}; undo: git update-ref ${name} ${was}`;
  });
  const more = told.length - SHOWN;
  return more > 0 ? [...told.slice(0, SHOWN), `${more} more refs`] : told;
}

function short(object: string | undefined): string {
  return (object ?? '').slice(0, 12);
}
