/** `Scenario`: the format of drills: a task, an agent that breaks in a known way, and what must happen. Read from any path. */
import { parse } from 'yaml';
import { z } from 'zod';
import { RehearsalScript } from '../agents/rehearsal/script.ts';
import { isPolicyKey, JUDGE_POLICIES } from '../core/vocabulary/policy.ts';
import { readNamed } from '../platform/file/named-file.ts';
import { usageError } from '../platform/mayday-error.ts';
import { classesSchema } from '../supervise/request/classes-schema.ts';
import { yamlProblem } from '../supervise/request/read-yaml.ts';
import { safeParse } from '../platform/safe-parse.ts';

const MAX_BYTES = 16 * 1024 * 1024;

const Text = z.string().max(1_000_000);
const Amount = z.number().positive();
/** Also a file name. */
const AgentName = z.string().regex(/^[a-z][a-z0-9-]{0,40}$/, 'a short name of small letters');
const oneOrAll = <T extends z.ZodType>(schema: T) => z.union([schema, z.array(schema)]);

export const Scenario = z.strictObject({
  name: Text.min(1),
  about: Text.optional(),
  task: z.strictObject({
    text: Text.min(1),
    checks: z.array(Text).default([]),
    scope: z.array(Text).default([]),
    budget: z
      .strictObject({
        tokens: Amount.optional(),
        usd: Amount.optional(),
        turns: Amount.optional(),
        /** Working time over all attempts: seconds, or text like 2h. */
        time: z.union([Amount, Text]).optional(),
      })
      .default({}),
    expect: z.union([z.number(), Text]).optional(),
    size: z.enum(['simple', 'complex']).optional(),
    sink: Text.optional(),
    setup: Text.optional(),
    explore: z.boolean().default(false),
    decisions: z.array(z.strictObject({ question: Text, answer: Text.nullable().default(null) })).default([]),
    /** The scope was written down before the last commit. */
    scope_from_before: z.boolean().default(false),
  }),
  agent: RehearsalScript,
  /** Agents that take over, in this order; each plays a script of its own. */
  fallbacks: z.record(AgentName, RehearsalScript).default({}),
  /** As in `mayday.yaml`: other rungs for single classes. */
  classes: classesSchema.optional(),
  policy: z
    .record(z.string(), z.number().min(0).or(z.enum(JUDGE_POLICIES)))
    .refine((policy) => Object.keys(policy).every(isPolicyKey), 'a key is no policy value')
    .default({}),
  files: z.record(Text, Text).default({ 'README.md': 'a repository for a drill\n' }),
  /** Files of an earlier commit that the last one replaced. */
  before: z.record(Text, Text).optional(),
  people: z
    .array(
      z.strictObject({
        answer: z.strictObject({
          match: Text.default(''),
          option: Text,
          after_s: z.number().min(0).default(0),
          note: Text.default(''),
        }),
      }),
    )
    .default([]),
  expect: z
    .strictObject({
      state: Text.optional(),
      class: oneOrAll(Text).optional(),
      strategy: oneOrAll(Text).optional(),
      phase: oneOrAll(z.number()).optional(),
      return_to: oneOrAll(Text.nullable()).optional(),
      attempts: z.number().optional(),
      agents: z.array(Text).optional(),
      questions: z.number().optional(),
      /** What one of the questions must say. */
      question: oneOrAll(Text).optional(),
      /** What the list of what was tried must say in one of them. */
      tried: oneOrAll(Text).optional(),
      lost: z.number().optional(),
      max_seconds: z.number().optional(),
      max_seconds_to_notice: z.number().optional(),
    })
    .default({}),
});
export type Scenario = z.infer<typeof Scenario>;

export function readScenario(file: string): Scenario {
  const codes = { absent: 'NO_SCENARIO', wrong: 'WRONG_SCENARIO', large: 'WRONG_SCENARIO' };
  const text = readNamed(file, MAX_BYTES, codes);
  let document: unknown;
  try {
    document = parse(text, { maxAliasCount: 100 });
  } catch (error) {
    throw wrong(file, yamlProblem(error));
  }
  const parsed = safeParse(Scenario, document);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw wrong(file, `${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'not a scenario'}`);
}

function wrong(file: string, problem: string) {
  return usageError('WRONG_SCENARIO', `${file}: ${problem}`, [
    ['did', 'nothing: the drill was not started'],
    ['do', 'mend that place; the files in drills/ are examples'],
  ]);
}
