/**
 * `countLost`: counts files that an attempt wrote last and that neither the delivered tree, the workspace nor any checkpoint still holds.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WRITES_FILE } from '../agents/rehearsal/adapter.ts';
import { agentDir, attemptDir } from '../act/run-files.ts';
import { openWorkspace } from '../act/workspace/workspace.ts';
import type { RunState } from '../core/state/run-state.ts';
import { shadowGit } from '../platform/git/shadow-git.ts';

interface Written {
  readonly path: string;
  readonly sha256: string | null;
}

export async function countLost(state: RunState, home: string): Promise<number> {
  if (state.workspace === null) return 0;
  const { shadow } = await openWorkspace({ home, runId: state.runId });
  const trees = [...new Set(state.checkpoints.map(({ tree }) => tree))];
  let lost = 0;
  for (const { number } of state.attempts) {
    for (const { path, sha256 } of lastWrites(
      join(agentDir(attemptDir(home, state.runId, number)), WRITES_FILE),
    )) {
      if (sha256 === null || path.startsWith('/')) continue;
      if (hash(join(state.workspace.path, path)) === sha256) continue;
      const held = await Promise.all(
        trees.map(async (tree) => (await contentHash(shadow, tree, path)) === sha256),
      );
      if (!held.includes(true)) lost += 1;
    }
  }
  return lost;
}

function lastWrites(file: string): Written[] {
  if (!existsSync(file)) return [];
  const last = new Map<string, Written>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue;
    const written = JSON.parse(line) as Written;
    last.set(written.path, written);
  }
  return [...last.values()];
}

async function contentHash(shadow: string, tree: string, path: string): Promise<string | null> {
  const { exitCode, stdout } = await shadowGit(shadow, ['cat-file', 'blob', `${tree}:${path}`]);
  return exitCode === 0 ? createHash('sha256').update(stdout).digest('hex') : null;
}

function hash(path: string): string | null {
  return existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : null;
}
