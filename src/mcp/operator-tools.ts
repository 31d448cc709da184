/** `operatorTools`: the tools for the assistant of a person who looks after runs. They only read; words to a run stay the person's own. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { newestSessions, readSession, sessionFileAt } from '../agents/sessions/session-stores.ts';
import { readView } from '../core/view/read-view.ts';
import { autopsy } from '../core/detect/autopsy/autopsy.ts';
import { diagnose } from '../core/diagnose/diagnose.ts';
import { diagnosisJson } from '../core/view/diagnosis-json.ts';
import { runJson } from '../core/view/run-json.ts';
import { wordText } from '../core/view/state-word.ts';
import type { RunRecord } from '../record/contract.ts';
import { verdictJson } from '../report/autopsy/verdict-json.ts';
import { loadState } from '../supervise/load-state.ts';
import { newChance } from '../supervise/new-chance.ts';
import { findRun } from '../use-cases/find-run.ts';
import { type McpTool, type ToolAnswer, tool } from './tool.ts';

export interface OperatorPlace {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Opened for each call: an assistant sits there for days, and the record must not stay open that long. */
  readonly withRecord: <T>(use: (record: RunRecord) => Promise<T>) => Promise<T>;
}

const MAX_RUNS = 200;
const MAX_OUTPUT_CHARS = 4 * 1024 * 1024;

export function operatorTools({ env, cwd, withRecord }: OperatorPlace): readonly McpTool[] {
  return [
    tool({
      name: 'list_runs',
      description:
        'The runs on this machine, newest first: task, state, whether its delivery is proven, stage, cost, and what waits for a person.',
      input: z.object({
        state: z
          .string()
          .max(40)
          .optional()
          .describe('only runs in this state: working, waiting, delivered...'),
        limit: z.int().min(1).max(MAX_RUNS).default(50),
      }),
      readOnly: true,
      call: async ({ state, limit }) =>
        await withRecord(async (record) => {
          const rows = await record.rows({ limit: MAX_RUNS, listed: true });
          const runs = rows
            .map(readView)
            .filter((run) => state === undefined || run.state === state)
            .slice(0, limit);
          return document({ runs: runs.map(listed) });
        }),
    }),
    tool({
      name: 'show_run',
      description: 'The whole document of one run, as `mayday show RUN --json` prints it.',
      input: z.object({ run: z.string().min(1).max(80) }),
      readOnly: true,
      call: async ({ run }) =>
        await withRecord(async (record) => {
          const state = await loadState(record, await findRun(record, run));
          return document(runJson(state));
        }),
    }),
    tool({
      name: 'diagnose',
      description: 'What failed in a captured output, why, and what to do. Rules only; no model is asked.',
      input: z.object({
        output: z.string().max(MAX_OUTPUT_CHARS),
        exit_code: z.int().optional(),
        signal: z.string().max(20).optional(),
        command: z.string().max(2_000).optional(),
      }),
      readOnly: true,
      call: ({ output, exit_code, signal, command }) => {
        const clock = { nowMs: Date.now(), timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone };
        const status = { exitCode: exit_code ?? null, signal: signal ?? null, command: command ?? null };
        return document(diagnosisJson(diagnose({ output, ...status, ...clock })));
      },
    }),
    tool({
      name: 'autopsy',
      description:
        'How an agent session went that Mayday did not supervise: stuck, failed or finished, and where it began.',
      input: z.object({
        path: z.string().max(4_096).optional().describe('a session file; without it the newest'),
      }),
      readOnly: true,
      call: ({ path }) => {
        const file = path === undefined ? newestSessions(env, 1)[0] : sessionFileAt(resolve(cwd, path));
        if (file === undefined || file === null)
          return { text: 'There is no session there that Mayday can read.', isError: true };
        const { facts, entries } = readSession(file);
        return document(
          verdictJson(autopsy(facts.sessionId ?? file.path, entries, diagnose, {}, newChance())),
        );
      },
    }),
  ];
}

function listed(run: ReturnType<typeof runJson>) {
  const { run_id, task, agent, state, word, stage, outcome_reason, updated_at, usage, next_step } = run;
  const questions = run.questions.filter((question) => question.state === 'open');
  const waits = questions.map(({ id, text, options }) => ({
    id,
    text,
    options: options.map((one) => one.id),
  }));
  return {
    run_id,
    task,
    agent,
    state,
    called: wordText(word),
    proven: run.proven,
    not_proven: run.not_proven,
    stage,
    outcome_reason,
    updated_at,
    usage,
    next_step,
    questions: waits,
  };
}

function document(data: Readonly<Record<string, unknown>>): ToolAnswer {
  return { text: JSON.stringify(data), data };
}
