/** Many runs with real processes on one record, for drills that one scenario cannot tell. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RehearsalScript } from '../../src/agents/rehearsal/script.ts';
import type { AgentChoice, RunEvent } from '../../src/core/vocabulary/events/event.ts';
import { DEFAULT_POLICY, type Policy, withPolicy } from '../../src/core/vocabulary/policy.ts';
import type { RunState } from '../../src/core/state/run-state.ts';
import { closedGit } from '../../src/platform/git/git.ts';
import type { RunRecord } from '../../src/record/contract.ts';
import { createRedactor } from '../../src/record/redaction/redact.ts';
import { createRun } from '../../src/supervise/request/create-run.ts';
import { openRecord } from '../../src/supervise/open-record.ts';
import { loadState, readEvent } from '../../src/supervise/load-state.ts';
import { work } from '../../src/supervise/work.ts';
import { storeRehearsalScript } from '../../src/supervise/request/store-rehearsal-script.ts';
import { OPTIONS, TASK } from '../core/story.ts';
import { MAYDAY } from '../mayday-under-test.ts';

export interface Fleet {
  readonly folder: string;
  readonly home: string;
  readonly repository: string;
  readonly record: RunRecord;
  /** A script for the rehearsal agent, or the command line of a program. */
  submit(agent: RehearsalScript | readonly string[], policy: Partial<Policy>): Promise<string>;
  /** Until every run has ended or waits for a person. */
  work(concurrency: number, env?: NodeJS.ProcessEnv): Promise<void>;
  /** `mayday work` as a process of its own. */
  worker(concurrency: number): Worker;
  state(runId: string): Promise<RunState>;
  events(runId: string): Promise<readonly RunEvent[]>;
  remove(): Promise<void>;
}

export interface Worker {
  readonly child: ChildProcess;
  /** Its exit code and what it said. */
  readonly done: Promise<{ readonly exitCode: number | null; readonly said: string }>;
}

export async function openFleet(): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-fleet-'));
  const home = join(folder, 'home');
  const repository = join(folder, 'repository');
  mkdirSync(repository, { recursive: true });
  writeFileSync(join(repository, 'README.md'), 'a repository for a drill\n');
  const git = (...args: string[]) =>
    closedGit(
      {
        args: ['-c', 'user.name=Drill', '-c', 'user.email=drill@localhost', ...args],
        cwd: repository,
        env: process.env,
      },
      [],
    );
  await git('init', '--quiet', '--initial-branch=main', '.');
  await git('add', '--all');
  await git('commit', '--quiet', '--no-gpg-sign', '--message', 'before the drill');
  const record = await openRecord(home, {});
  const redactor = createRedactor();
  return {
    folder,
    home,
    repository,
    record,
    submit: async (agent, policy) => {
      const journal = await createRun(record, redactor, async (runId) => ({
        type: 'run_created',
        at: Date.now(),
        task: { ...TASK, sink: { type: 'branch', name: `mayday/${runId}` } },
        policy: withPolicy(DEFAULT_POLICY, policy),
        agent: choice(home, runId, agent),
        options: OPTIONS,
        repository,
        by: 'drill',
      }));
      await record.releaseLease(journal.state.runId, journal.fence);
      return journal.state.runId;
    },
    work: (concurrency, env = {}) =>
      work({
        home,
        record,
        env: { ...process.env, ...env },
        redactor,
        concurrency,
        signal: AbortSignal.timeout(540_000),
        untilIdle: true,
      }),
    worker: (concurrency) => startWorker(home, repository, concurrency),
    state: (runId) => loadState(record, runId),
    events: async (runId) => (await record.events(runId)).map(readEvent),
    remove: async () => {
      await record.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function choice(home: string, runId: string, agent: RehearsalScript | readonly string[]): AgentChoice {
  return 'attempts' in agent
    ? { name: 'rehearsal', command: [storeRehearsalScript(home, runId, agent)], model: null }
    : { name: 'command', command: agent, model: null };
}

function startWorker(home: string, cwd: string, concurrency: number): Worker {
  const child = spawn(process.execPath, [MAYDAY, 'work', '--until-idle', '--concurrency', `${concurrency}`], {
    cwd,
    env: { ...process.env, MAYDAY_HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const done = new Promise<{ exitCode: number | null; said: string }>((settle) =>
    child.once('close', (exitCode) => settle({ exitCode, said })),
  );
  return { child, done };
}
