/** Checkpoints of a large tree against the bare git commands that would save the same, taken in turns in one run. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runStatePath } from '../src/act/workspace/home-layout.ts';
import { takeCheckpointIn } from '../src/act/checkpoint/take-checkpoint.ts';
import { ensureShadow } from '../src/platform/git/shadow-git.ts';
import { medianOf } from './bench-place.ts';

export interface CheckpointBench {
  readonly files: number;
  /** Median over median. */
  readonly firstRatio: number;
  readonly incrementalRatio: number;
}

const FILES_PER_FOLDER = 100;
const FIRST_ROUNDS = 3;
const INCREMENTAL_ROUNDS = 15;

export async function benchCheckpoint(files: number): Promise<CheckpointBench> {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-bench-'));
  try {
    const tree = join(folder, 'tree');
    fillTree(tree, files);
    const first: Pair[] = [];
    const incremental: Pair[] = [];
    for (let round = 0; round < FIRST_ROUNDS; round += 1) {
      const shadow = join(folder, `shadow-${round}.git`);
      const bare = join(folder, `bare-${round}.git`);
      await prepare(shadow, bare);
      first.push(
        await inTurn(
          round,
          () => checkpoint(shadow, tree, 1),
          () => bareGit(bare, tree),
        ),
      );
      if (round < FIRST_ROUNDS - 1) {
        rmSync(shadow, { recursive: true });
        rmSync(bare, { recursive: true });
        continue;
      }
      for (let change = 0; change < INCREMENTAL_ROUNDS; change += 1) {
        writeFileSync(join(tree, 'd0/f0.ts'), `changed ${change}\n`);
        writeFileSync(join(tree, `new-${change}.ts`), 'new\n');
        const number = change + 2;
        incremental.push(
          await inTurn(
            change,
            () => checkpoint(shadow, tree, number),
            () => bareGit(bare, tree),
          ),
        );
      }
    }
    return { files, firstRatio: ratio(first), incrementalRatio: ratio(incremental) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Pair = readonly [ours: number, bare: number];

/** Who goes first alternates, so that a warm cache helps both alike. */
async function inTurn(round: number, ours: () => Promise<void>, bare: () => void): Promise<Pair> {
  const timed = async (work: () => Promise<void> | void) => {
    const begun = performance.now();
    await work();
    return performance.now() - begun;
  };
  if (round % 2 === 0) {
    const oursMs = await timed(ours);
    return [oursMs, await timed(bare)];
  }
  const bareMs = await timed(bare);
  return [await timed(ours), bareMs];
}

async function checkpoint(shadow: string, path: string, number: number): Promise<void> {
  const taken = await takeCheckpointIn(
    { shadow, path },
    { runId: 'bench', home: '', number, reason: 'bench' },
  );
  if (taken.state !== 'complete') throw new Error(`the checkpoint is ${taken.state}: ${taken.problem}`);
}

function bareGit(gitDir: string, workTree: string): void {
  const git = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('git', args, {
      cwd: workTree,
      encoding: 'utf8',
      env: { ...process.env, GIT_DIR: gitDir, GIT_WORK_TREE: workTree },
    });
    if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`);
    return stdout.trim();
  };
  git('add', '--all');
  const commit = git(
    '-c',
    'user.name=b',
    '-c',
    'user.email=b@b',
    'commit-tree',
    git('write-tree'),
    '-m',
    'x',
  );
  git('update-ref', 'refs/heads/saved', commit);
}

async function prepare(shadow: string, bare: string): Promise<void> {
  await ensureShadow(shadow);
  mkdirSync(runStatePath(shadow, 'bench'), { recursive: true });
  writeFileSync(join(runStatePath(shadow, 'bench'), 'exclude'), '');
  spawnSync('git', ['init', '--quiet', '--bare', bare]);
}

/** Files like sources: this program's own text, each a little different. */
function fillTree(tree: string, files: number): void {
  const text = readFileSync(import.meta.filename, 'utf8').slice(0, 2_000);
  for (let at = 0; at < files; at += 1) {
    const folder = join(tree, `d${Math.floor(at / FILES_PER_FOLDER)}`);
    if (at % FILES_PER_FOLDER === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `f${at % FILES_PER_FOLDER}.ts`), `// ${at}\n${text}`);
  }
}

function ratio(pairs: readonly Pair[]): number {
  return medianOf(pairs.map(([ours]) => ours)) / medianOf(pairs.map(([, bare]) => bare));
}
