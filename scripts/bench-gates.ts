/** Gate evaluation on a large change: facts from git, rules over every added line, every gate; the checks themselves are not counted. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compose } from '../src/act/compose/compose.ts';
import { makeWorkspace } from '../src/act/workspace/make-workspace.ts';
import { takeCheckpoint } from '../src/act/checkpoint/take-checkpoint.ts';
import { treeChanges } from '../src/act/checkpoint/tree-changes.ts';
import type { Fact } from '../src/core/vocabulary/events/event.ts';
import { createState } from '../src/core/state/create-state.ts';
import { buildGate } from '../src/core/gates/build-gate.ts';
import { composeGate } from '../src/core/gates/compose-gate.ts';
import type { Rule } from '../src/core/vocabulary/rules.ts';
import { DEFAULT_POLICY } from '../src/core/vocabulary/policy.ts';
import { closedGit } from '../src/platform/git/git.ts';
import { readProcess, TICK_MS } from '../src/platform/process/proc-table.ts';
import { rawToText } from '../src/platform/git/raw-path.ts';

const DEFAULT_FILES = 5_000;
const LINES_PER_FILE = 20;
const GOAL_MS = 1_000;
const ROUNDS = 3;

const RULE: Rule = {
  id: 'no-console',
  says: 'nothing logs to the console',
  file: '.mayday/policies/no-console.yaml',
  paths: ['src/**'],
  whenAdded: [],
  forbid: ['console\\.(?:log|error)\\('],
  require: [],
  requireChanged: [],
  checks: [],
  approval: null,
  touchPoint: false,
};

export interface GateTimes {
  readonly ms: number;
  /** Processor time of this process and of git: what a busy machine cannot stretch. */
  readonly cpuMs: number;
  readonly changed: number;
}

export async function benchGates(files: number): Promise<GateTimes> {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-bench-gates-'));
  try {
    const { workspace, tree, state } = await world(folder, files);
    const times: number[] = [];
    const cpu: number[] = [];
    let changed = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const begun = performance.now();
      const ticks = cpuTicks();
      const changes = await treeChanges(workspace.shadow, workspace.baseTree, tree);
      const { facts } = await compose({ state, workspace, tree, changes, others: [], at: 1 });
      const paths = changes.map(({ rawPath }) => rawToText(rawPath));
      const fact: Extract<Fact, { type: 'checks_finished' }> = {
        type: 'checks_finished',
        at: 1,
        purpose: 'gate',
        tree,
        results: [],
        changed: paths,
        compose: facts,
      };
      const blockers = [...buildGate(state, fact), ...composeGate(state, fact)];
      times.push(performance.now() - begun);
      cpu.push((cpuTicks() - ticks) * TICK_MS);
      changed = paths.length;
      if (blockers.length !== 1) throw new Error(`expected one policy violation, got ${blockers.length}`);
    }
    return { ms: Math.min(...times), cpuMs: Math.min(...cpu), changed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function cpuTicks(): number {
  return readProcess(process.pid)?.cpuTicks ?? 0;
}

async function world(folder: string, files: number) {
  const root = join(folder, 'project');
  const home = join(folder, 'home');
  mkdirSync(root);
  const git = (...args: string[]) =>
    closedGit(
      {
        args: ['-c', 'user.name=B', '-c', 'user.email=b@localhost', ...args],
        cwd: root,
        env: process.env,
      },
      [],
    );
  await git('init', '--quiet', '--initial-branch=main');
  fill(root, files, 'old');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'base');
  const env = { PATH: process.env['PATH'] ?? '' };
  const plain = {
    inPlace: false,
    includeDirty: false,
    ignoredToCopy: [],
    setup: null,
    setupTimeoutMs: 60_000,
    nodeModules: 'setup' as const,
  };
  const workspace = await makeWorkspace({ runId: 'bench', home, cwd: root, env, ...plain });
  fill(workspace.path, files, 'new');
  writeFileSync(join(workspace.path, 'src/bad.ts'), 'console.log(1)\n');
  const { tree } = await takeCheckpoint({ home, runId: 'bench', number: 1, reason: 'bench' });
  const state = createState('bench', {
    type: 'run_created',
    at: 1,
    task: {
      text: 'bench',
      checks: [],
      scope: ['src/**', 'lib/*.ts'],
      budget: { tokens: null, usd: null, turns: null, wallClockMs: null },
      expectedMs: null,
      size: null,
      sink: { type: 'merge', branch: 'main' },
    },
    policy: DEFAULT_POLICY,
    agent: { name: 'command', command: [], model: null },
    options: { ...plain, autoResume: true, fallbacks: [], permissions: [], environment: [], script: null },
    repository: root,
    by: 'bench',
  });
  const rules = { rules: [RULE], decisions: [], broken: [] };
  return { workspace, tree, state: { ...state, rules } };
}

function fill(root: string, files: number, word: string): void {
  for (let index = 0; index < files; index += 1) {
    const directory = join(root, 'src', String(index % 100));
    if (index < 100) mkdirSync(directory, { recursive: true });
    const lines = Array.from(
      { length: LINES_PER_FILE },
      (_, line) => `export const ${word}${line} = ${index};`,
    );
    writeFileSync(join(directory, `file${index}.ts`), `${lines.join('\n')}\n`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { ms, cpuMs, changed } = await benchGates(Number(process.argv[2] ?? DEFAULT_FILES));
  console.log(
    `bench:gates: ${changed} files, ${changed * LINES_PER_FILE} added lines: ${Math.round(ms)} ms, ${cpuMs} ms of processor time (goal ${GOAL_MS})`,
  );
  process.exitCode = Math.min(ms, cpuMs) <= GOAL_MS ? 0 : 1;
}
