/** `readTaskFile`: reads a task from Markdown with front matter: the body is the task, the head has its scope, checks and limits. */
import { z } from 'zod';
import { splitFrontMatter } from '../../context/rules/front-matter.ts';
import type { Task, TaskDecision } from '../../core/vocabulary/task.ts';
import { readNamed } from '../../platform/file/named-file.ts';
import { usageError } from '../../platform/mayday-error.ts';
import { parseDuration } from './duration.ts';
import { BudgetConfig } from './read-config.ts';
import { readYaml } from './read-yaml.ts';
import { MAX_TASK_CHARS } from './run-spec.ts';

/** A character takes up to four bytes. */
const MAX_BYTES = 4 * MAX_TASK_CHARS;

const Text = z.string().min(1).max(10_000);
const Texts = z.union([Text.transform((one) => [one]), z.array(Text).max(200)]);

const Head = z.strictObject({
  title: Text.optional(),
  scope: Texts.optional(),
  scope_at: z
    .string()
    .regex(/^[0-9a-f]{7,64}$/, 'a commit')
    .optional(),
  checks: Texts.optional(),
  decisions: z
    .array(z.strictObject({ question: Text, answer: Text.nullish() }))
    .max(50)
    .optional(),
  budget: BudgetConfig.optional(),
  expect: Text.optional(),
  size: z.enum(['simple', 'complex']).optional(),
  sink: Text.optional(),
});

export interface TaskFile extends Pick<Task, 'text' | 'checks' | 'scope' | 'expectedMs'> {
  readonly scopeAt: string | undefined;
  readonly decisions: readonly TaskDecision[];
  readonly budget: {
    readonly usd: number | null;
    readonly tokens: number | null;
    readonly turns: number | null;
    readonly timeMs: number | null;
  };
  readonly size: string | undefined;
  readonly sink: string | undefined;
}

export function readTaskFile(path: string): TaskFile {
  return parseTaskFile(readNamed(path, MAX_BYTES, { wrong: 'NO_TASK_FILE', large: 'TASK_TOO_LONG' }), path);
}

export function parseTaskFile(source: string, path: string): TaskFile {
  const { front, body, line } = splitFrontMatter(source);
  const read = readYaml(front, Head);
  if (read.type === 'wrong') throw wrong(path, line + read.line - 1, read.what);
  const { title, scope, scope_at, checks, decisions, budget, expect, size, sink } = read.value;
  return {
    text: [title, body.trim()].filter(Boolean).join('\n\n'),
    scope: scope ?? [],
    scopeAt: scope_at,
    checks: checks ?? [],
    decisions: (decisions ?? []).map(({ question, answer }) => ({ question, answer: answer ?? null })),
    budget: {
      usd: budget?.usd ?? null,
      tokens: budget?.tokens ?? null,
      turns: budget?.turns ?? null,
      timeMs: budget?.time === undefined ? null : parseDuration(budget.time, 'budget.time'),
    },
    expectedMs: expect === undefined ? null : parseDuration(expect, 'expect'),
    size,
    sink,
  };
}

function wrong(path: string, line: number, what: string) {
  return usageError('WRONG_TASK_FILE', `${path}:${line}: ${what}`, [
    ['do', 'title, scope, scope_at, checks, decisions, budget, expect, size, sink'],
    ['did', 'the run was not started and nothing was changed'],
  ]);
}
