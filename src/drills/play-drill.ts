/** `playDrill`: plays one scenario with real processes, a real repository and a record of its own, then compares with what it expects. */
import { mkdtempSync, rmSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { lacksWords, type Question } from '../core/vocabulary/questions/question.ts';
import { openQuestion, type RunState } from '../core/state/run-state.ts';
import { policyOf } from '../supervise/request/config.ts';
import type { CallerSigns } from '../platform/process/callers.ts';
import { MaydayError } from '../platform/mayday-error.ts';
import type { RunRecord } from '../record/contract.ts';
import { createRedactor } from '../record/redaction/redact.ts';
import { adoptRun } from '../supervise/lease/adopt-run.ts';
import { parseDuration } from '../supervise/request/duration.ts';
import { openRecord } from '../supervise/open-record.ts';
import { loadState } from '../supervise/load-state.ts';
import { answerQuestion } from '../use-cases/steer/answer-question.ts';
import type { Caller } from '../use-cases/caller.ts';
import { type NewRun, planRun } from '../use-cases/start/plan-run.ts';
import { startRun } from '../use-cases/start/start-run.ts';
import { type DrillResult, judgeDrill } from './judge-drill.ts';
import type { Scenario } from './scenario.ts';
import { type Listener, RunTeller } from '../supervise/run-teller.ts';
import { postWord } from '../supervise/mail/mail.ts';
import { closedGit } from '../platform/git/git.ts';

/** A drill that takes longer is stuck: its run is abandoned, which also ends its agent. */
const LIMIT_MS = 10 * 60_000;
/** Stopping an agent that ignores every signal, and saving its work, takes less. */
const CLEAN_UP_MS = 2 * 60_000;

export interface PlayOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Hears every journal line as it is written, e.g. to tell the story. */
  readonly onEvent?: Listener;
  /** A person at the keyboard; without one, the scripted answers are given. */
  readonly person?: Person;
  readonly limitMs?: number;
  /** The address of an empty store in PostgreSQL; without one, the record is a file. */
  readonly store?: string;
}

export type Person = (question: Question) => Promise<{ readonly option: string; readonly note: string }>;

export async function playDrill(scenario: Scenario, options: PlayOptions): Promise<DrillResult> {
  const { env, limitMs = LIMIT_MS, store = '' } = options;
  const folder = mkdtempSync(join(tmpdir(), 'mayday-drill-'));
  const begun = performance.now();
  try {
    const home = join(folder, 'home');
    const repository = join(folder, 'repository');
    await makeRepository(repository, scenario, env);
    const record = await openRecord(home, { MAYDAY_STORE: store });
    try {
      const state = await rescue(scenario, { ...options, home, repository, record, limitMs });
      const seconds = (performance.now() - begun) / 1000;
      const result = await judgeDrill(scenario, state, home, seconds);
      return state.asked.abandon?.by === OVERTIME
        ? { ...result, passed: false, why: tooLong(limitMs) }
        : result;
    } finally {
      await record.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Stage {
  readonly home: string;
  readonly repository: string;
  readonly record: RunRecord;
  readonly env: NodeJS.ProcessEnv;
  readonly limitMs: number;
  readonly onEvent?: Listener;
  readonly person?: Person;
}

async function rescue(
  scenario: Scenario,
  { home, repository, record, env, limitMs, onEvent, person }: Stage,
): Promise<RunState> {
  const redactor = createRedactor();
  const tend = overtime({ home, record }, limitMs);
  const signal = AbortSignal.timeout(limitMs + CLEAN_UP_MS);
  const caller: Caller = { home, record, by: 'drill', signs: NO_SIGNS, hear };
  let teller: RunTeller | null = null;
  async function hear(runId: string): Promise<RunState> {
    if (onEvent !== undefined) teller ??= new RunTeller(record, runId, onEvent);
    const onTurn = () => void teller?.tell();
    const kept = { home, record, runId, env, redactor, signal, onTurn, tend: () => tend(runId) };
    await adoptRun(kept).catch((error: unknown) => {
      if (!signal.aborted) throw error;
      throw new MaydayError('DRILL_TOO_LONG', `drill ${scenario.name}: ${tooLong(limitMs)}`, [
        ['did', 'gave up on it; an agent of it may still run'],
        ['do', `play it alone: mayday drill ${scenario.name}`],
      ]);
    });
    await teller?.tell();
    return await loadState(record, runId);
  }
  const answers = scenario.people.map(({ answer }) => answer);
  const plan = await planRun({ home, env, by: 'drill' }, wishOf(scenario, repository));
  let { state } = await startRun(caller, plan);
  for (;;) {
    const question = openQuestion(state)?.question;
    if (question === undefined) return state;
    const answer = await (person?.(question) ?? scripted(question, answers));
    if (answer === null) {
      const leftMs = (question.deadlineAt ?? Infinity) - Date.now();
      if (leftMs > limitMs) return state;
      // Without an answer the question's own deadline decides.
      await pause(Math.max(0, leftMs));
      state = await hear(state.runId);
      continue;
    }
    const { option } = answer;
    const note = lacksWords(question, option, answer.note) ? SCRIPTED_WORDS : answer.note;
    const result = await answerQuestion(caller, { name: question.id, option, note });
    state = result.type === 'answered' ? result.state : await hear(state.runId);
  }
}

/** A drill has a record of its own: no run in it can have started this process. */
const NO_SIGNS: CallerSigns = { markers: [], attendants: [], groups: [] };

function wishOf({ task, agent, classes, fallbacks, policy }: Scenario, cwd: string): NewRun {
  return {
    task: task.text,
    cwd,
    config: classes === undefined ? {} : { classes },
    script: agent,
    scriptedFallbacks: fallbacks,
    checks: task.checks,
    scope: task.scope,
    scopeAt: task.scope_from_before ? 'HEAD~1' : undefined,
    expectedMs: durationOf(task.expect, 'expect'),
    size: task.size,
    budgetUsd: task.budget.usd,
    budgetTokens: task.budget.tokens,
    maxTurns: task.budget.turns,
    budgetTimeMs: durationOf(task.budget.time, 'budget.time'),
    sink: task.sink,
    setup: task.setup,
    explore: task.explore,
    decisions: task.decisions,
    policy: policyOf({ policy }),
  };
}

/** Seconds, or text like 2h. */
function durationOf(value: number | string | undefined, what: string): number | null {
  if (value === undefined) return null;
  return typeof value === 'number' ? value * 1000 : parseDuration(value, what);
}

/** What a scripted person says where the scenario gives them no words and the option needs some. */
const SCRIPTED_WORDS = 'as the drill says';

type ScriptedAnswer = Scenario['people'][number]['answer'];

/** Each answer of the script is given once; null: the script has no word for this question. */
async function scripted(question: Question, answers: ScriptedAnswer[]): Promise<ScriptedAnswer | null> {
  const asked = `${question.kind} ${question.text}`.toLowerCase();
  const at = answers.findIndex(({ match }) => asked.includes(match.toLowerCase()));
  const [answer] = at === -1 ? [] : answers.splice(at, 1);
  if (answer === undefined) return null;
  await pause(answer.after_s * 1000);
  return answer;
}

/** The name under which the run is ended. */
const OVERTIME = 'the limit of drills';

/**
 * Abandons the run of a drill past its limit, so that its agent ends and its work is saved; the drill fails. Tells the run once that its
 * time is over.
 */
function overtime(
  opened: { readonly home: string; readonly record: RunRecord },
  limitMs: number,
): (runId: string) => Promise<void> {
  const deadline = performance.now() + limitMs;
  let told = false;
  return async (runId) => {
    if (told || performance.now() < deadline) return;
    told = true;
    await postWord(opened, runId, { type: 'abandon_requested', by: OVERTIME, reason: tooLong(limitMs) });
  };
}

function tooLong(limitMs: number): string {
  return `still not over after ${Math.round(limitMs / 1000)} s, its limit`;
}

async function makeRepository(
  path: string,
  { files, before }: Scenario,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  mkdirSync(path, { recursive: true });
  const git = (...args: string[]) =>
    closedGit(
      { args: ['-c', 'user.name=Drill', '-c', 'user.email=drill@localhost', ...args], cwd: path, env },
      [],
    );
  const commit = async (content: Readonly<Record<string, string>>, message: string) => {
    for (const [name, text] of Object.entries(content)) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), text);
    }
    await git('add', '--all');
    await git('commit', '--quiet', '--no-gpg-sign', '--message', message);
  };
  await git('init', '--quiet', '--initial-branch=main', '.');
  if (before !== undefined) {
    await commit(before, 'long before the drill');
    for (const name of Object.keys(before)) rmSync(join(path, name));
  }
  await commit(files, 'before the drill');
}
