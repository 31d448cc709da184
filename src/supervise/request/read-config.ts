/** `readConfig`, `parseConfig`: read a `mayday.yaml` that is there. Errors name the line and the key. */
import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { DETECT_KEYS } from '../../core/vocabulary/agent-limits.ts';
import { isPolicyKey, POLICY_RULES, policyChoices, policyNumber } from '../../core/vocabulary/policy.ts';
import { usageError } from '../../platform/mayday-error.ts';
import { notifySchema } from '../notify/notify-config.ts';
import { unknownClass } from './class-policies.ts';
import { classesSchema } from './classes-schema.ts';
import { readYaml } from './read-yaml.ts';

/** A configuration larger than this was not written by a person. */
const MAX_BYTES = 256 * 1024;
/** A year in milliseconds; no count needs to be larger either. */
const MAX_LIMIT = 366 * 86_400_000;

const Text = z.string().min(1).max(10_000);

const amount = z.number().positive().max(1e12).optional();
export const BudgetConfig = z.strictObject({
  usd: amount,
  tokens: amount,
  turns: amount,
  time: Text.optional(),
});

/** Every key, with what the reference says of it. */
export const configSchema = z.strictObject({
  agent: Text.optional().describe('agent used when --agent is not given'),
  fallbacks: z.array(Text).optional().describe('agents that take over when the first does not get on'),
  agents: z
    .record(
      Text,
      z.strictObject({
        command: z.array(Text).min(1),
        model: Text.optional(),
        env: z.array(Text).optional(),
      }),
    )
    .optional()
    .describe(
      'own names for agents: a command line each; env: names of variables it gets besides the login that its program documents',
    ),
  checks: z.array(Text).optional().describe('commands that prove the work; Mayday runs them itself'),
  setup: Text.optional().describe(
    'command that makes a fresh workspace usable, e.g. npm ci; none: nothing runs',
  ),
  copy: z
    .array(Text)
    .optional()
    .describe('ignored files and folders that workspace and check trees need, e.g. .env, vendor'),
  node_modules: z
    .enum(['link', 'copy', 'setup'])
    .optional()
    .describe(
      'how a workspace gets installed modules: node_modules, and .venv, which is copied where this says link',
    ),
  environment: z.array(Text).optional().describe('environment variables that the agent may see'),
  permissions: z.array(Text).optional().describe('what the agent may do beyond edits and the checks'),
  as_user: Text.optional().describe('the user that agents and checks are, when root runs Mayday'),
  scope: z.array(Text).optional().describe('globs of what may change'),
  protect: z
    .array(Text)
    .optional()
    .describe('globs of what judges here: a change of it is asked about; data, works without trust'),
  sink: Text.optional().describe(
    'where delivered work goes: branch:NAME, none, dir:PATH, patch:FILE, merge:BRANCH, pr',
  ),
  delivery: z
    .strictObject({
      commits: z
        .enum(['squash', 'keep'])
        .optional()
        .describe('squash (default): one commit that quotes the messages; keep: they stay below it'),
    })
    .optional()
    .describe("what becomes of the agent's own commits (docs/decisions/0016-agent-commits-and-hooks.md)"),
  budget: BudgetConfig.optional().describe('hard limits; time is working time over all attempts, like 2h'),
  patterns: z
    .array(z.unknown())
    .optional()
    .describe('failures the team knows: symptom, recovery, prevention (docs/reference/diagnose.md)'),
  opinion: z
    .union([
      Text,
      z.strictObject({ command: Text }),
      z.strictObject({
        agent: Text,
        command: z.array(Text).min(1).optional(),
        model: Text.optional(),
      }),
      z.strictObject({
        provider: z.enum(['anthropic', 'openai']),
        url: Text,
        model: Text,
        key_variable: Text.describe('environment variable that holds the key; never the key itself'),
      }),
    ])
    .optional()
    .describe(
      'who is asked for opinions: claude, codex, gemini, opencode, command:LINE, none, or a provider (docs/reference/opinions.md)',
    ),
  classes: classesSchema
    .optional()
    .describe('per failure class: first_phase (1 to 3), rungs (retry, hint, fresh), wait_ms, horizon_ms'),
  notify: notifySchema
    .optional()
    .describe(
      "webhooks, commands and the terminal bell: told of questions, incidents and ends; read from Mayday's own folder only",
    ),
  desk_url: z.url().optional().describe('address of the desk in those messages, e.g. behind a reverse proxy'),
  desk: z
    .strictObject({
      start: z.array(
        z.strictObject({
          repository: Text,
          agents: z.array(Text).min(1),
          checks: z.array(Text).default([]),
        }),
      ),
    })
    .optional()
    .describe(
      "what people with a starter's link to the desk may start: repositories, agents and checks; read from Mayday's own folder only",
    ),
  policy: z
    .record(
      z.string(),
      z
        .number()
        .min(0)
        .max(MAX_LIMIT)
        .or(z.enum(Object.keys(POLICY_RULES).filter(isPolicyKey).flatMap(policyChoices))),
    )
    .optional()
    .describe('any limit of `mayday doctor --policy`'),
  agent_policy: z
    .record(Text, z.partialRecord(z.enum(DETECT_KEYS), z.number().min(0).max(MAX_LIMIT)))
    .optional()
    .describe(
      'thresholds of detection for one agent (`claude`) or one of its models (`claude/haiku`: a part of its name)',
    ),
});
export type Config = z.infer<typeof configSchema>;

/** Keys of earlier versions, each with what it is now. */
const withRenamed = configSchema.extend({
  recovery: z
    .never({ error: 'this key is `opinion:` now; docs/reference/opinions.md says what it takes' })
    .optional(),
});

export async function readConfig(path: string): Promise<Config> {
  const facts = statSync(path);
  if (!facts.isFile()) throw configError(path, 1, 'not a file');
  if (facts.size > MAX_BYTES)
    throw usageError(
      'CONFIG_TOO_LARGE',
      `${path} has ${facts.size} bytes; a configuration has at most ${MAX_BYTES}`,
      [
        ['do', 'mayday init writes a starter configuration'],
        ['did', 'the run was not started and nothing was changed'],
      ],
    );
  return await parseConfig(readFileSync(path, 'utf8'), path);
}

export async function parseConfig(text: string, path: string): Promise<Config> {
  const read = readYaml(text, withRenamed);
  if (read.type === 'wrong') throw configError(path, read.line, read.what);
  const { value: config, lineOf } = read;
  if (config.patterns !== undefined) {
    const { readPatterns } = await import('../../context/patterns.ts');
    const patterns = readPatterns(config.patterns);
    if (patterns.type === 'refused')
      throw configError(path, lineOf(['patterns']), `patterns: ${patterns.reasons[0] ?? 'wrong'}`);
  }
  const odd = unknownClass(Object.keys(config.classes ?? {}));
  if (odd !== undefined)
    throw configError(
      path,
      lineOf(['classes', odd]),
      `classes.${odd}: there is no such failure class or blocker (docs/reference/classes.md lists them)`,
    );
  const unknown = Object.keys(config.policy ?? {}).find((key) => !isPolicyKey(key));
  if (unknown !== undefined) {
    const near = Object.keys(POLICY_RULES).filter((key) => key.split('_')[0] === unknown.split('_')[0]);
    throw configError(
      path,
      lineOf(['policy', unknown]),
      `policy.${unknown}: there is no such limit${near.length > 0 ? ` (did you mean ${near.join(', ')}?)` : ''}`,
    );
  }
  const wrong = Object.entries(config.policy ?? {}).find(([key, value]) => policyNumber(key, value) === null);
  if (wrong !== undefined) {
    const [key] = wrong;
    const choices = isPolicyKey(key) ? policyChoices(key) : [];
    const kind = choices.length > 0 ? `one of ${choices.join(', ')}` : 'a number';
    throw configError(path, lineOf(['policy', key]), `policy.${key}: this must be ${kind}`);
  }
  return config;
}

function configError(path: string, line: number, what: string) {
  return usageError('WRONG_CONFIG', `${path}:${line}: ${what}`, [
    ['do', 'mend that line; docs/reference/configuration.md lists every key'],
    ['did', 'the run was not started and nothing was changed'],
  ]);
}
