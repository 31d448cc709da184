/** `runSupervised`: the same story under `mayday run`, as a person would call it. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import type { RunJson } from '../src/core/view/run-json.ts';
import type { Box } from './bare-cli.ts';
import { eventually } from './eventually.ts';
import { CHECK, TASK, type Story } from './story.ts';

const MAYDAY = resolve(import.meta.dirname, '../bin/mayday.js');
/** Nothing in the table takes longer; a run that does is shown as it stands then. */
const MAX_WAIT = '400s';
const ENDED = ['delivered', 'abandoned'];
/** How long a run may take to its end once its question is answered. */
const AFTER_ANSWER_MS = 60_000;

/** Short limits: the table shows what happens at the limit, not how long a day is. */
const POLICY = { backoff_ms: 1_000, backoff_max_ms: 4_000, stop_soft_ms: 4_000, stop_term_ms: 2_000 };

export interface SupervisedRun {
  readonly exitCode: number | null;
  readonly seconds: number;
  readonly run: RunJson;
  /** What the inbox said before the answer; empty where nothing was asked. */
  readonly inbox: string;
}

export function prepareRepository(box: Box, story: Story): void {
  const git = (...args: string[]): void => {
    const { status, stderr, error } = spawnSync('git', args, {
      cwd: box.repo,
      env: box.env,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${error?.message ?? stderr}`);
  };
  git('init', '-q', '-b', 'main');
  git('-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '-q', '--allow-empty', '-m', 'base');
  mkdirSync(join(box.root, 'mayday'));
  const policy = Object.entries({ ...POLICY, ...story.policy }).map(([key, value]) => `  ${key}: ${value}\n`);
  const permissions = story.permissions ?? box.cli.permissions ?? [];
  writeFileSync(
    join(box.root, 'mayday/mayday.yaml'),
    // A story scripts every request of its CLI; opinions have cells of their own.
    `opinion: none\npolicy:\n${policy.join('')}permissions: ${JSON.stringify(permissions)}\n`,
  );
}

/** `once` is called when the run waits for a person, and mends the world; then the question is answered. */
export async function runSupervised(
  box: Box,
  program: string,
  story: Story,
  mend: () => void,
): Promise<SupervisedRun> {
  const begun = performance.now();
  const mayday = (...args: string[]) => callMayday(box, program, story.env ?? {}, args);
  const { exitCode, stdout, stderr } = await mayday(
    'run',
    '--agent',
    box.cli.adapter.name,
    '--check',
    CHECK,
    '--max-wait',
    MAX_WAIT,
    '--json',
    TASK,
  );
  let run = document(stdout, stderr);
  let inbox = '';
  const question = run.questions.find(({ state }) => state === 'open');
  if (story.mended !== undefined && question !== undefined) {
    mend();
    inbox = (await mayday('inbox')).stdout;
    const { answer, note } = story.mended;
    await mayday('answer', question.id, answer, ...(note === undefined ? [] : ['--note', note]));
    const answeredAt = performance.now();
    while (!ENDED.includes(run.state) && performance.now() - answeredAt < AFTER_ANSWER_MS) {
      const shown = await mayday('show', run.run_id, '--json');
      run = document(shown.stdout, shown.stderr);
    }
  }
  await eventually('everything of the run is gone', () => box.alive.length === 0, 10_000).catch(
    () => undefined,
  );
  return { exitCode, seconds: (performance.now() - begun) / 1000, run, inbox };
}

function document(stdout: string, stderr: string): RunJson {
  try {
    return JSON.parse(stdout) as RunJson;
  } catch {
    throw new Error(`no document from mayday: ${stderr.trim().slice(-500) || stdout.slice(-500)}`);
  }
}

async function callMayday(
  box: Box,
  program: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<{ exitCode: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [MAYDAY, ...args], {
    cwd: box.repo,
    env: {
      ...box.env,
      ...env,
      MAYDAY_HOME: join(box.root, 'mayday'),
      PATH: `${dirname(program)}${delimiter}${box.env['PATH']}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (data: Buffer) => (output.stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (output.stderr += data.toString()));
  const exitCode = await new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('close', done);
  });
  return { exitCode, ...output };
}
