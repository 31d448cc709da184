/** `ruleFindings`: which rules of the repository a change breaks. Patterns are RE2, and long lines are cut. */
import { RE2JS } from 're2js';
import { matchesAny } from '../text/glob.ts';
import type { RuleFinding } from '../vocabulary/events/compose-facts.ts';
import type { Rule } from '../vocabulary/rules.ts';

export interface ChangedFile {
  readonly path: string;
  readonly type: 'created' | 'changed' | 'deleted';
  /** Added lines with their numbers in the new file; bounded by the reader. */
  readonly added: readonly { readonly line: number; readonly text: string }[];
  /** Where a symbolic link that leads out of the tree leads to. */
  readonly leavesTo: string | null;
}

/** Longer lines are generated, so only their beginning is searched. */
const MAX_LINE = 2_000;
const SHOWN = 8;

export function ruleFindings(rules: readonly Rule[], change: readonly ChangedFile[]): RuleFinding[] {
  return rules.flatMap((rule) => findingsOf(rule, change));
}

function findingsOf(rule: Rule, change: readonly ChangedFile[]): RuleFinding[] {
  const touched = change.filter(({ path }) => matchesAny(path, rule.paths));
  if (touched.length === 0) return [];
  const starts = hits(rule.whenAdded, touched);
  if (rule.whenAdded.length > 0 && starts.length === 0) return [];
  const { id, says, approval } = rule;
  const finding = (kind: RuleFinding['kind'], evidence: readonly string[]): RuleFinding => ({
    kind,
    rule: id,
    says,
    approval,
    evidence: evidence.slice(0, SHOWN),
  });
  const forbidden = hits(rule.forbid, touched);
  const missing = rule.require.filter((pattern) => hits([pattern], change).length === 0);
  const alone =
    rule.requireChanged.length > 0 && !change.some(({ path }) => matchesAny(path, rule.requireChanged));
  const paths = touched.map(({ path }) => path);
  return [
    ...(forbidden.length > 0 ? [finding('forbidden', forbidden)] : []),
    ...(missing.length > 0
      ? [finding('missing', [...missing.map((pattern) => `nothing matches ${pattern}`), ...starts])]
      : []),
    ...(alone ? [finding('not_changed', rule.requireChanged)] : []),
    ...rule.checks.map((command) => finding('check', [command])),
    ...(rule.approval === null || rule.approval === 'before' ? [] : [finding('approval', paths)]),
    ...(rule.touchPoint ? [finding('touch_point', paths)] : []),
  ];
}

function hits(patterns: readonly string[], change: readonly ChangedFile[]): string[] {
  if (patterns.length === 0) return [];
  const lines = patterns.map((pattern) => RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE));
  const texts = patterns.map((pattern) => RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE | RE2JS.MULTILINE));
  const bound = patterns.some((pattern) => /\\[AzZ]/.test(pattern));
  return change.flatMap(({ path, added }) => {
    // Most files have no hit: one test of all their lines together is faster than a test of each line.
    const text = added.map((one) => one.text.slice(0, MAX_LINE)).join('\n');
    if (!bound && !texts.some((pattern) => pattern.test(text))) return [];
    return added
      .filter((one) => lines.some((pattern) => pattern.test(one.text.slice(0, MAX_LINE))))
      .map((one) => `${path}:${one.line}: ${one.text.trim().slice(0, 200)}`);
  });
}

export function isPattern(text: string): boolean {
  try {
    RE2JS.compile(text, RE2JS.CASE_INSENSITIVE);
    return true;
  } catch {
    return false;
  }
}
