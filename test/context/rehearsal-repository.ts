/** A repository, a home and a record of their own, in which the rehearsal agent plays scripts under the real keeper. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RehearsalScript } from '../../src/agents/rehearsal/script.ts';
import type { Policy } from '../../src/core/vocabulary/policy.ts';
import { openQuestion, type RunState } from '../../src/core/state/run-state.ts';
import type { CallerSigns } from '../../src/platform/process/callers.ts';
import { closedGit } from '../../src/platform/git/git.ts';
import type { RunRecord } from '../../src/record/contract.ts';
import { createRedactor } from '../../src/record/redaction/redact.ts';
import { adoptRun } from '../../src/supervise/lease/adopt-run.ts';
import { postWord, type Word } from '../../src/supervise/mail/mail.ts';
import { openRecord } from '../../src/supervise/open-record.ts';
import { loadState } from '../../src/supervise/load-state.ts';
import type { Caller } from '../../src/use-cases/caller.ts';
import { planRun } from '../../src/use-cases/start/plan-run.ts';
import { startRun } from '../../src/use-cases/start/start-run.ts';

/** Ten runs that fail alike within minutes are the point here, not a reason to hold them all. */
const FAST = { backoff_ms: 10, backoff_max_ms: 10 };

export class RehearsalRepository {
  readonly folder = mkdtempSync(join(tmpdir(), 'mayday-lessons-'));
  readonly home = join(this.folder, 'home');
  readonly repository = join(this.folder, 'shop');
  readonly #redactor = createRedactor();
  record!: RunRecord;
  /** So long a run is kept. */
  patienceMs = 120_000;

  static async make(env: NodeJS.ProcessEnv = {}): Promise<RehearsalRepository> {
    const made = new RehearsalRepository();
    mkdirSync(made.repository, { recursive: true });
    writeFileSync(join(made.repository, 'README.md'), 'x\n');
    const git = (...args: string[]) =>
      closedGit(
        {
          args: ['-c', 'user.name=T', '-c', 'user.email=t@localhost', ...args],
          cwd: made.repository,
          env: process.env,
        },
        [],
      );
    await git('init', '--quiet', '--initial-branch=main', '.');
    await git('add', '--all');
    await git('commit', '--quiet', '--no-gpg-sign', '--message', 'first');
    made.record = await openRecord(made.home, env);
    return made;
  }

  /** One run until it ends or waits for a person. */
  async run(
    script: RehearsalScript,
    text = 'write a.txt',
    {
      checks = ['test -f a.txt'],
      policy = {},
      sink = 'none',
    }: { checks?: readonly string[]; policy?: Partial<Policy>; sink?: string } = {},
  ): Promise<RunState> {
    const plan = await planRun(
      { home: this.home, env: process.env, by: 'test' },
      {
        task: text,
        cwd: this.repository,
        config: {},
        script,
        checks,
        sink,
        policy: { ...FAST, ...policy },
      },
    );
    return (await startRun(this.caller(), plan)).state;
  }

  async answer(state: RunState, option: string, note: string): Promise<RunState> {
    const question = openQuestion(state)?.question.id ?? 'none';
    return await this.say(state, { type: 'question_answered', question, option, note, by: 'ann' });
  }

  /** A person's rescue mission that injects what was missing. */
  async rescue(state: RunState, injection: string): Promise<RunState> {
    const plan = {
      category: 'missing_context' as const,
      rootCause: null,
      evidence: [],
      injection,
      filesAdded: [],
      specChanges: [],
    };
    return await this.say(state, { type: 'rescue_requested', by: 'ann', plan });
  }

  /** A person's word, and what the run does with it. */
  async say({ runId }: RunState, word: Word): Promise<RunState> {
    await postWord(this, runId, word);
    return await this.keep(runId);
  }

  /** A person in this process: what they say is heard by a keeper in this process too. */
  caller(signs: Partial<CallerSigns> = {}): Caller {
    const { home, record } = this;
    return {
      home,
      record,
      by: 'ann',
      hear: (runId) => this.keep(runId),
      signs: { markers: [], attendants: [], groups: [], ...signs },
    };
  }

  async remove(): Promise<void> {
    await this.record.close();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Until it ends or waits for a person. */
  async keep(runId: string): Promise<RunState> {
    const { home, record } = this;
    const signal = AbortSignal.timeout(this.patienceMs);
    await adoptRun({ home, record, runId, env: process.env, redactor: this.#redactor, signal });
    return await loadState(record, runId);
  }
}
