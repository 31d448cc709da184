/** Many runs with real processes on one record, for drills that one scenario cannot tell. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RehearsalScript } from '../../src/agents/rehearsal/script.ts';
import { DEFAULT_POLICY, type Policy, withPolicy } from '../../src/core/policy.ts';
import type { RunState } from '../../src/core/run-state.ts';
import { personGit } from '../../src/platform/git.ts';
import type { RunRecord } from '../../src/record/contract.ts';
import { createRedactor } from '../../src/record/redact.ts';
import { createRun } from '../../src/supervise/create-run.ts';
import { openRecord } from '../../src/supervise/open-record.ts';
import { loadState } from '../../src/supervise/run-journal.ts';
import { work } from '../../src/supervise/work.ts';
import { storeRehearsalScript } from '../../src/supervise/write-rehearsal-script.ts';
import { TASK } from '../core/story.ts';

export interface Fleet {
  readonly folder: string;
  readonly home: string;
  readonly record: RunRecord;
  submit(script: RehearsalScript, policy: Partial<Policy>): Promise<string>;
  /** Until every run has ended or waits for a person. */
  work(concurrency: number, env?: NodeJS.ProcessEnv): Promise<void>;
  state(runId: string): Promise<RunState>;
  remove(): Promise<void>;
}

export async function openFleet(): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-fleet-'));
  const home = join(folder, 'home');
  const repository = join(folder, 'repository');
  mkdirSync(repository, { recursive: true });
  writeFileSync(join(repository, 'README.md'), 'a repository for a drill\n');
  const git = (...args: string[]) =>
    personGit({
      args: ['-c', 'user.name=Drill', '-c', 'user.email=drill@localhost', ...args],
      cwd: repository,
      env: process.env,
    });
  await git('init', '--quiet', '--initial-branch=main', '.');
  await git('add', '--all');
  await git('commit', '--quiet', '--no-gpg-sign', '--message', 'before the drill');
  const record = await openRecord(home, {});
  const redactor = createRedactor();
  return {
    folder,
    home,
    record,
    submit: async (script, policy) => {
      const journal = await createRun(record, redactor, async (runId) => ({
        type: 'run_created',
        at: Date.now(),
        task: { ...TASK, sink: { type: 'branch', name: `mayday/${runId}` } },
        policy: withPolicy(DEFAULT_POLICY, policy),
        agent: { name: 'rehearsal', command: [storeRehearsalScript(home, runId, script)], model: null },
        options: {
          inPlace: false,
          includeDirty: false,
          autoResume: true,
          fallbacks: [],
          permissions: [],
          setup: null,
          ignoredToCopy: [],
          nodeModules: 'setup',
          environment: [],
          script: null,
        },
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
    state: (runId) => loadState(record, runId),
    remove: async () => {
      await record.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
