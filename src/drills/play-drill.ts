/** Plays one scenario with real processes, a real repository and a record of its own, then compares with what must happen. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { lacksWords, type Question } from '../core/question.ts';
import { openQuestion, type RunState } from '../core/run-state.ts';
import type { PolicyKey } from '../core/policy.ts';
import { stateWord } from '../core/view/state-word.ts';
import type { RunRecord } from '../record/contract.ts';
import { createRedactor } from '../record/redact.ts';
import { adoptRun } from '../supervise/adopt-run.ts';
import { createRun } from '../supervise/create-run.ts';
import { parseDuration } from '../supervise/duration.ts';
import { writeMail } from '../supervise/mail.ts';
import { openRecord } from '../supervise/open-record.ts';
import { loadState } from '../supervise/run-journal.ts';
import { runSpec } from '../supervise/run-spec.ts';
import { storeRehearsalScript } from '../supervise/write-rehearsal-script.ts';
import { compare } from './compare.ts';
import { countLost } from './count-lost.ts';
import { makeRepository } from './make-repository.ts';
import type { Scenario } from './scenario.ts';
import { type Listener, RunTeller } from '../supervise/run-teller.ts';

/** A drill that takes longer is stuck itself. */
const LIMIT_MS = 10 * 60_000;

export interface DrillResult {
  readonly name: string;
  readonly passed: boolean;
  readonly state: string;
  readonly class: string | null;
  readonly strategy: string | null;
  readonly attempts: number;
  readonly seconds: number;
  readonly seconds_to_notice: number | null;
  readonly lost: number;
  readonly why: string;
}

export interface PlayOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Hears every journal line as it is written, e.g. to tell the story. */
  readonly onEvent?: Listener;
  /** A person at the keyboard; the scripted answers are for when nobody is there. */
  readonly person?: Person;
}

export type Person = (question: Question) => Promise<{ readonly option: string; readonly note: string }>;

export async function playDrill(
  scenario: Scenario,
  { env, onEvent, person }: PlayOptions,
): Promise<DrillResult> {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-drill-'));
  const begun = performance.now();
  try {
    const home = join(folder, 'home');
    const repository = join(folder, 'repository');
    await makeRepository(repository, scenario, env);
    const record = await openRecord(home, {});
    try {
      const state = await rescue(scenario, {
        home,
        repository,
        record,
        env,
        ...(onEvent === undefined ? {} : { onEvent }),
        ...(person === undefined ? {} : { person }),
      });
      const seconds = (performance.now() - begun) / 1000;
      return await judge(scenario, state, home, seconds);
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
  readonly onEvent?: Listener;
  readonly person?: Person;
}

async function rescue(
  scenario: Scenario,
  { home, repository, record, env, onEvent, person }: Stage,
): Promise<RunState> {
  const redactor = createRedactor();
  const { task } = scenario;
  const journal = await createRun(record, redactor, (runId) =>
    runSpec({
      runId,
      task: task.text,
      repository,
      config: {},
      agent: undefined,
      command: [],
      script: storeRehearsalScript(home, runId, scenario.agent),
      checks: task.checks,
      scope: task.scope,
      expectedMs:
        task.expect === undefined
          ? null
          : typeof task.expect === 'number'
            ? task.expect * 1000
            : parseDuration(task.expect, 'expect'),
      size: task.size,
      budgetUsd: task.budget.usd ?? null,
      budgetTokens: task.budget.tokens ?? null,
      maxTurns: task.budget.turns ?? null,
      budgetTimeMs: null,
      timeoutMs: null,
      sink: task.sink,
      explore: task.explore,
      decisions: task.decisions,
      scopeAt: task.scope_from_before ? 'HEAD~1' : undefined,
      isGit: true,
      inPlace: false,
      includeDirty: false,
      autoResume: true,
      fallbacks: [],
      policy: scenario.policy as Partial<Record<PolicyKey, number>>,
      by: 'drill',
      now: Date.now(),
    }),
  );
  const { runId } = journal.state;
  await record.releaseLease(runId, journal.fence);
  const answers = scenario.people.map(({ answer }) => answer);
  const signal = AbortSignal.timeout(LIMIT_MS);
  const teller = onEvent === undefined ? null : new RunTeller(record, runId, onEvent);
  for (;;) {
    await adoptRun({ home, record, runId, env, redactor, signal, onTurn: () => void teller?.tell() });
    await teller?.tell();
    const state = await loadState(record, runId);
    const question = openQuestion(state)?.question;
    if (question === undefined) return state;
    const answer = await (person?.(question) ?? scripted(question, answers));
    if (answer === null) return state;
    await record.post(
      runId,
      Date.now(),
      writeMail({
        type: 'question_answered',
        question: question.id,
        option: answer.option,
        note: lacksWords(question, answer.option, answer.note) ? SCRIPTED_WORDS : answer.note,
        by: 'drill',
      }),
    );
  }
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

async function judge(
  scenario: Scenario,
  state: RunState,
  home: string,
  seconds: number,
): Promise<DrillResult> {
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
function secondsToNotice({ incidents, attempts }: RunState): number | null {
  const incident = incidents[0];
  const attempt = attempts.find(({ number }) => number === incident?.attempt);
  if (incident === undefined || attempt === undefined) return null;
  const signal = attempt.signals.find(
    ({ severity, at }) => severity === 'critical' && at <= incident.detectedAt,
  );
  const began = signal?.sinceAt ?? attempt.exitedAt ?? incident.detectedAt;
  return Math.max(0, incident.detectedAt - began) / 1000;
}

function round(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}
