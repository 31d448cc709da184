/**
 * `Pattern`: what a team knows about one of its failures: symptom, recovery, prevention. Data from the repository's configuration, matched
 * before the generic rules. A pattern may name the class, the cause and whether a person is needed; the rules answer what it leaves open.
 */
import type { Diagnosis, DiagnosisInput, PatternMatch } from '../../vocabulary/diagnosis.ts';
import { ruleColumns } from '../../vocabulary/classes/class-rule.ts';
import { FAILURE_CLASSES, type FailureClass } from '../../vocabulary/classes/failure-class.ts';
import { fingerprint } from '../fingerprint.ts';
import type { Line } from '../lines/read-lines.ts';

/** Runs in linear time: what a team wrote is RE2. */
export interface Expression {
  test(text: string): boolean;
}

export interface Pattern extends PatternMatch {
  /** All that are given must hold. */
  readonly when: {
    /** One of them matches a line. */
    readonly says?: readonly Expression[];
    /** One of them matches the command. */
    readonly commands?: readonly Expression[];
    /** What the generic rules say. */
    readonly classes?: readonly FailureClass[];
    /** What the attempt left behind: subtasks missing, or everything there. */
    readonly work?: 'partial' | 'complete';
  };
  readonly failureClass?: FailureClass;
  readonly cause?: string;
  readonly recoverable?: boolean;
}

interface Matched {
  readonly pattern: Pattern;
  readonly line: Line | null;
}

export function matchPattern(
  patterns: readonly Pattern[],
  plain: Diagnosis,
  lines: readonly Line[],
  input: Omit<DiagnosisInput, 'output'>,
): Matched | null {
  for (const pattern of patterns) {
    const { says, commands, classes, work } = pattern.when;
    if (says === undefined && plain.failureType === 'success') continue;
    if (classes !== undefined && (plain.failureType === 'success' || !classes.includes(plain.failureType)))
      continue;
    if (work !== undefined && work !== workOf(input)) continue;
    const command = input.command ?? '';
    if (commands !== undefined && !commands.some((each) => each.test(command))) continue;
    if (says === undefined) return { pattern, line: null };
    const line = lines.find(({ text }) => says.some((each) => each.test(text)));
    // Exit code 0 is believed: words alone do not make a failure of it.
    if (line !== undefined && !(plain.failureType === 'success' && input.exitCode === 0))
      return { pattern, line };
  }
  return null;
}

function workOf(input: Omit<DiagnosisInput, 'output'>): 'partial' | 'complete' | 'unknown' {
  const work = input.work;
  if (work === undefined || work === null || !work.changed) return 'unknown';
  return work.missing.length > 0 ? 'partial' : work.completed.length > 0 ? 'complete' : 'unknown';
}

export function withPattern(plain: Diagnosis, matched: Matched | null): Diagnosis {
  if (matched === null) return plain;
  const { pattern, line } = matched;
  const failureType =
    pattern.failureClass ?? (plain.failureType === 'success' ? 'unknown' : plain.failureType);
  const changed = failureType !== plain.failureType;
  const rule = FAILURE_CLASSES[failureType];
  const recoverable = pattern.recoverable ?? (changed ? rule.recoverable : plain.recoverable);
  const evidence =
    line === null
      ? plain.evidence
      : [
          { line: line.number, text: line.raw },
          ...plain.evidence.filter((each) => each.line !== line.number),
        ];
  return {
    ...plain,
    failureType,
    rootCause: pattern.cause ?? (plain.failureType === 'success' ? pattern.title : plain.rootCause),
    recoverable,
    recoveryPlan: recoverable ? pattern.recovery : null,
    humanInstructions: recoverable ? null : pattern.recovery,
    escalationReason: recoverable ? null : (plain.escalationReason ?? pattern.title),
    suggestedActions: [pattern.recovery, ...plain.suggestedActions],
    ...(changed ? ruleColumns(rule) : {}),
    confidence: Math.max(plain.confidence, line === null ? plain.confidence : TEAM_CONFIDENCE),
    evidence,
    fingerprint:
      changed || line !== null
        ? fingerprint(failureType, `pattern:${pattern.id}`, line?.text ?? '')
        : plain.fingerprint,
    pattern: {
      id: pattern.id,
      title: pattern.title,
      recovery: pattern.recovery,
      prevention: pattern.prevention,
    },
  };
}

/** The team wrote it down from experience; it still may be stale. */
const TEAM_CONFIDENCE = 0.9;
