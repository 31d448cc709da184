/**
 * `parseRules`: policies (`.mayday/policies/*.yaml`) and decisions (`.mayday/decisions/*.md`) of a repository, as data. A file that cannot
 * be understood is reported, never skipped in silence, because its author relies on it.
 */
import { parse } from 'yaml';
import { z } from 'zod';
import { isPattern } from '../../core/gates/rule-findings.ts';
import {
  type DecisionRecord,
  POLICY_FOLDER,
  type RepositoryRules,
  type Rule,
} from '../../core/vocabulary/rules.ts';
import { splitFrontMatter } from './front-matter.ts';
import { firstLine } from '../../core/text/first-line.ts';

const Text = z.string().trim().min(1).max(2_000);
const Texts = z.union([Text.transform((one) => [one]), z.array(Text).max(100)]);
const Patterns = Texts.refine((all) => all.every(isPattern), 'a pattern is not a regular expression (RE2)');

const PolicyFile = z.strictObject({
  id: Text.regex(/^[\w.-]+$/, 'an id has letters, digits, dots, dashes').optional(),
  policy: Text,
  paths: Texts.default(['**']),
  when_added: Patterns.default([]),
  forbid: Patterns.default([]),
  require: Patterns.default([]),
  require_changed: Texts.default([]),
  checks: Texts.default([]),
  approval: z.enum(['before', 'compose', 'delivery']).optional(),
  touch_point: z.boolean().default(false),
});

const DecisionFile = z.looseObject({
  question: Text,
  answer: Text.nullish(),
  by: Text.nullish(),
  since: z.union([Text, z.date().transform((date) => date.toISOString().slice(0, 10))]).nullish(),
  paths: Texts.default(['**']),
});

export interface RuleFile {
  readonly path: string;
  readonly text: string;
}

export function parseRules(files: readonly RuleFile[]): RepositoryRules {
  const rules: Rule[] = [];
  const decisions: DecisionRecord[] = [];
  const broken: string[] = [];
  for (const { path, text } of files) {
    const isPolicy = path.startsWith(`${POLICY_FOLDER}/`);
    const name = (path.split('/').at(-1) ?? '').replace(/\.[^.]*$/, '');
    try {
      if (isPolicy) rules.push(toRule(PolicyFile.parse(parse(text, { maxAliasCount: 50 })), name, path));
      else decisions.push(toDecision(text, name, path));
    } catch (error) {
      broken.push(`${path}: ${reason(error)}`);
    }
  }
  return { rules, decisions, broken };
}

function toRule(file: z.infer<typeof PolicyFile>, name: string, path: string): Rule {
  return {
    id: file.id ?? name,
    says: file.policy,
    file: path,
    paths: file.paths,
    whenAdded: file.when_added,
    forbid: file.forbid,
    require: file.require,
    requireChanged: file.require_changed,
    checks: file.checks,
    approval: file.approval ?? null,
    touchPoint: file.touch_point,
  };
}

/** Without a question in the front matter, the first heading is the question and there is no answer yet. */
function toDecision(text: string, name: string, path: string): DecisionRecord {
  const { front, body } = splitFrontMatter(text);
  const data = (parse(front, { maxAliasCount: 50 }) ?? {}) as Record<string, unknown>;
  const heading = /^#\s+(.+)$/m.exec(body)?.[1];
  const file = DecisionFile.parse({ ...(heading === undefined ? {} : { question: heading }), ...data });
  return {
    id: name,
    question: file.question,
    answer: file.answer ?? null,
    by: file.by ?? null,
    since: file.since ?? null,
    paths: file.paths,
    file: path,
  };
}

function reason(error: unknown): string {
  if (error instanceof z.ZodError) {
    const issue = error.issues[0];
    const keys = issue?.code === 'unrecognized_keys' ? issue.keys.join(', ') : issue?.path.join('.');
    return `${keys ?? ''}: ${issue?.message ?? 'wrong'}`;
  }
  return firstLine((error as Error).message) || 'not readable';
}
