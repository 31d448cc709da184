/**
 * One task under supervision, in this process, until delivered, waiting for a person, or abandoned. The run is in the same
 * record as those of the command line: if this process dies, any Mayday process goes on from the journal.
 */
import { resolve } from 'node:path';
import { assertHomeOutside } from '../act/workspace/home-outside.ts';
import { inspectRepository } from '../act/workspace/inspect-repository.ts';
import { tell } from '../cli/render/story.ts';
import type { Policy } from '../core/policy.ts';
import { lacksWords, type Question } from '../core/question.ts';
import { openQuestion, type RunState } from '../core/run-state.ts';
import { runJson } from '../core/view/run-json.ts';
import { usageError } from '../platform/mayday-error.ts';
import type { RunRecord } from '../record/contract.ts';
import { createRedactor } from '../record/redact.ts';
import { adoptRun } from '../supervise/adopt-run.ts';
import { loadRunConfig } from '../supervise/config-trust.ts';
import { createRun } from '../supervise/create-run.ts';
import { maydayHome } from '../supervise/home.ts';
import { postWord } from '../supervise/mail.ts';
import { openRecord } from '../supervise/open-record.ts';
import { loadState } from '../supervise/run-journal.ts';
import { runSpec } from '../supervise/run-spec.ts';
import { RunTeller } from '../supervise/run-teller.ts';

export interface SuperviseOptions {
  readonly task: string;
  /** An agent that Mayday knows, or one of mayday.yaml. */
  readonly agent?: string;
  /** Or any program as the agent. */
  readonly command?: readonly string[];
  /** Shell command lines that prove the work. */
  readonly checks?: readonly string[];
  /** Globs of what may change. */
  readonly scope?: readonly string[];
  readonly sink?: string;
  /** Hard limits. One that the agent does not report is refused; working time can be kept for every agent. */
  readonly budgetUsd?: number;
  readonly budgetTokens?: number;
  readonly maxTurns?: number;
  readonly budgetTimeMs?: number;
  readonly timeoutMs?: number;
  readonly policy?: Partial<Policy>;
  /** Default: the working directory. */
  readonly repository?: string;
  /** Default: MAYDAY_HOME or ~/.mayday. */
  readonly home?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Names of variables in `env` that the agent sees besides the common ones. */
  readonly environment?: readonly string[];
  /** Aborting leaves the run to the next Mayday process; it does not stop the agent. */
  readonly signal?: AbortSignal;
  /** The story, line by line. */
  readonly onLine?: (line: string) => void;
  /** A person's decision; null, or no function: the question stays open. */
  readonly onQuestion?: (question: Question) => Promise<{ option: string; note?: string } | null>;
}

export type RunDocument = ReturnType<typeof runJson>;

export async function supervise(options: SuperviseOptions): Promise<RunDocument> {
  const env = options.env ?? process.env;
  const home = resolve(options.home ?? maydayHome(env));
  const record = await openRecord(home, env);
  try {
    return runJson(await keepUntilSettled(options, { home, env, record }));
  } finally {
    await record.close();
  }
}

interface Place {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly record: RunRecord;
}

async function keepUntilSettled(options: SuperviseOptions, { home, env, record }: Place): Promise<RunState> {
  const redactor = createRedactor({ environment: env });
  const journal = await createRun(record, redactor, (runId) => factOf(options, runId, home, env));
  const { runId } = journal.state;
  await record.releaseLease(runId, journal.fence);
  const { onLine, onQuestion, signal = new AbortController().signal } = options;
  const teller =
    onLine === undefined
      ? null
      : new RunTeller(record, runId, (event, state) => {
          for (const line of tell(event, state)) onLine(line);
        });
  for (;;) {
    await adoptRun({ home, record, runId, env, redactor, signal, onTurn: () => void teller?.tell() });
    await teller?.tell();
    const state = await loadState(record, runId);
    const question = openQuestion(state)?.question;
    const answer = question === undefined ? null : ((await onQuestion?.(question)) ?? null);
    if (question === undefined || answer === null) return state;
    if (lacksWords(question, answer.option, answer.note ?? ''))
      throw usageError(
        'NOTE_MISSING',
        `${answer.option} needs a note: the answer in the person's own words`,
        [
          ['do', 'return { option, note } from onQuestion'],
          ['the run', `waits with its question: mayday show ${runId}`],
        ],
      );
    await postWord({ home, record }, runId, {
      type: 'question_answered',
      question: question.id,
      option: answer.option,
      note: answer.note ?? '',
      by: env['USER'] || 'a person',
    });
  }
}

async function factOf(options: SuperviseOptions, runId: string, home: string, env: NodeJS.ProcessEnv) {
  const repository = await inspectRepository(resolve(options.repository ?? '.'), { home, env });
  await assertHomeOutside(repository, { home, env, savesAll: false });
  return await runSpec({
    runId,
    task: options.task,
    repository: repository.root,
    config: await loadRunConfig({ home, repository: repository.root, trust: false }),
    agent: options.agent,
    command: options.command ?? [],
    script: null,
    checks: options.checks ?? [],
    scope: options.scope ?? [],
    expectedMs: null,
    size: undefined,
    budgetUsd: options.budgetUsd ?? null,
    budgetTokens: options.budgetTokens ?? null,
    maxTurns: options.maxTurns ?? null,
    budgetTimeMs: options.budgetTimeMs ?? null,
    timeoutMs: options.timeoutMs ?? null,
    sink: options.sink,
    isGit: repository.kind === 'git',
    inPlace: false,
    includeDirty: false,
    autoResume: true,
    fallbacks: [],
    environment: options.environment ?? [],
    policy: options.policy ?? {},
    by: env['USER'] || 'a program',
    now: Date.now(),
  });
}
