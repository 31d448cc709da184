/**
 * `supervise`: runs one task under supervision, in this process, until it is delivered, waits for a person, or is abandoned. The run is in
 * the same record as those of the command line: if this process dies, any Mayday process continues it from the journal.
 */
import { resolve } from 'node:path';
import { refusalError } from '../use-cases/refusal-error.ts';
import type { Policy } from '../core/vocabulary/policy.ts';
import type { Question } from '../core/vocabulary/questions/question.ts';
import { openQuestion, type RunState } from '../core/state/run-state.ts';
import { runJson } from '../core/view/run-json.ts';
import type { RunRecord } from '../record/contract.ts';
import { createRedactor } from '../record/redaction/redact.ts';
import { adoptRun } from '../supervise/lease/adopt-run.ts';
import { maydayHome } from '../supervise/home.ts';
import { openRecord } from '../supervise/open-record.ts';
import { loadState } from '../supervise/load-state.ts';
import { RunTeller } from '../supervise/run-teller.ts';
import { answerQuestion } from '../use-cases/steer/answer-question.ts';
import { type Caller, userName } from '../use-cases/caller.ts';
import { type NewRun, planRun } from '../use-cases/start/plan-run.ts';
import { startRun } from '../use-cases/start/start-run.ts';
import { MomentQueue, momentOf, type RunMoment } from './run-moment.ts';

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
  /** The command that makes a fresh workspace usable, or `none`; left out: that of mayday.yaml. */
  readonly setup?: string;
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

/** Awaited, the document of the run when it has settled; iterated, what happens on the way. */
export interface Supervision extends Promise<RunDocument>, AsyncIterable<RunMoment> {}

export function supervise(options: SuperviseOptions): Supervision {
  const moments = new MomentQueue();
  const settled = settle(options, moments).finally(() => moments.end());
  // A program that only iterates hears of a failure when it awaits.
  settled.catch(() => undefined);
  return Object.assign(settled, { [Symbol.asyncIterator]: () => moments[Symbol.asyncIterator]() });
}

async function settle(options: SuperviseOptions, moments: MomentQueue): Promise<RunDocument> {
  const env = options.env ?? process.env;
  const home = resolve(options.home ?? maydayHome(env));
  const record = await openRecord(home, env);
  try {
    return runJson(await keepUntilSettled(options, moments, { home, env, record }));
  } finally {
    await record.close();
  }
}

interface Place {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly record: RunRecord;
}

async function keepUntilSettled(
  options: SuperviseOptions,
  moments: MomentQueue,
  { home, env, record }: Place,
): Promise<RunState> {
  const redactor = createRedactor({ environment: env });
  const { onLine, onQuestion, signal = new AbortController().signal } = options;
  let teller: RunTeller | null = null;
  // This process keeps the run itself: a word is heard when the run has settled again.
  const hear = async (runId: string): Promise<RunState> => {
    teller ??= new RunTeller(record, runId, (event, state) => {
      const moment = momentOf(event, state);
      moments.push(moment);
      if (onLine !== undefined) for (const line of moment.lines) onLine(line);
    });
    await adoptRun({ home, record, runId, env, redactor, signal, onTurn: () => void teller?.tell() });
    await teller?.tell();
    return await loadState(record, runId);
  };
  const caller: Caller = { home, record, by: userName(env, 'a program'), hear };
  const plan = await planRun({ home, env, by: caller.by }, wishOf(options));
  let { state } = await startRun(caller, plan);
  for (;;) {
    const question = openQuestion(state)?.question;
    const answer = question === undefined ? null : ((await onQuestion?.(question)) ?? null);
    if (question === undefined || answer === null) return state;
    const { option, note = '' } = answer;
    const result = await answerQuestion(caller, { name: question.id, option, note });
    // Another person, or the deadline, answered first: the run continues with that.
    if (result.type === 'answered') state = result.state;
    else if (result.because === 'question_closed') state = await hear(state.runId);
    else throw refusalError(result);
  }
}

function wishOf({ repository, environment, ...options }: SuperviseOptions): NewRun {
  return { ...options, cwd: resolve(repository ?? '.'), given: { names: environment ?? [], values: {} } };
}
