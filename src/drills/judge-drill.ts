/** `judgeDrill`: the result of a played scenario, compared with what it expects. */
import type { RunState } from '../core/state/run-state.ts';
import { runMetrics } from '../core/view/run-metrics.ts';
import { stateWord } from '../core/view/state-word.ts';
import { compare } from './compare.ts';
import type { Scenario } from './scenario.ts';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WRITES_FILE } from '../agents/rehearsal/adapter.ts';
import { agentDir, attemptDir } from '../act/run-files.ts';
import { openWorkspace } from '../act/workspace/workspace.ts';
import { shadowGit } from '../platform/git/shadow-git.ts';

export type DrillResult = Awaited<ReturnType<typeof judgeDrill>>;

export async function judgeDrill(scenario: Scenario, state: RunState, home: string, seconds: number) {
  const lost = await countLost(state, home);
  const first = state.incidents[0];
  const notice = secondsToNotice(state);
  const why = compare(scenario.expect, state, { seconds, notice, lost });
  return {
    name: scenario.name,
    passed: why.length === 0,
    state: stateWord(state),
    class: first?.class ?? null,
    strategy: first?.recoveries.at(-1)?.strategy ?? null,
    attempts: state.attempts.length,
    seconds: round(seconds),
    seconds_to_notice: notice === null ? null : round(notice),
    lost,
    why: why.join('; '),
  };
}

/** From when the trouble began (the last sign of life, the real end) to when Mayday knew. */
function secondsToNotice(state: RunState): number | null {
  const [first] = runMetrics(state).incidents;
  const wasTried = state.attempts.some(({ number }) => number === first?.attempt);
  return first === undefined || !wasTried ? null : (first.detected - first.began) / 1000;
}

function round(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}

interface Written {
  readonly path: string;
  readonly sha256: string | null;
}

/** Counts files that an attempt wrote last and that neither the delivered tree, the workspace nor any checkpoint still holds. */
async function countLost(state: RunState, home: string): Promise<number> {
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
