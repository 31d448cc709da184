/**
 * `rulesAreSure`: whether their answer needs no opinion. `weighDiagnosis`: what the rules say and what a model says, weighed openly: what
 * both say is surer, what they differ in is decided by the safer reading, and both are shown. Words of the model stay in `opinion`: the
 * cause is told by the line that it quoted.
 */
import { readCommand } from '../diagnose/command/command-line.ts';
import { cleanLine, printable } from '../diagnose/lines/clean-line.ts';
import { fingerprint } from '../diagnose/fingerprint.ts';
import { wholeWords } from '../text/few-names.ts';
import { ruleColumns } from '../vocabulary/classes/class-rule.ts';
import { FAILURE_CLASSES, type FailureClass } from '../vocabulary/classes/failure-class.ts';
import type { Diagnosis, Evidence } from '../vocabulary/diagnosis.ts';
import type { Opinion, OpinionOutcome, OpinionQuote } from '../vocabulary/opinion.ts';
import { type DiagnoseAnswer, isBorneOut } from './diagnose-check.ts';
import type { ReadFailure } from './read-failure.ts';

/** Calibrated: of such answers one in twenty is wrong. */
const SURE = 0.9;
/** What two independent readers say alike, with a line of the output. */
const AGREED = 0.95;
/** The model alone, with a sign besides. */
const DECIDED_MOST = 0.85;
/** A model that is less sure than that guesses too. */
const DECIDES_LEAST = 0.5;
/** Two that differ are no proof of either. */
const DIFFERED_MOST = 0.6;
/** Less is a mention. */
const CONTRADICTS = 0.6;
const LINE_CHARS = 300;

/**
 * A success needs an exit code that nothing hides. What another line of the step contradicts is not proven either: on real logs such
 * answers were wrong three times as often as others of the same confidence.
 */
export function rulesAreSure({ rules, status, findings }: ReadFailure): boolean {
  const { failureType, confidence, origin } = rules;
  if (origin !== 'read') return true;
  if (failureType === 'unknown' || confidence < SURE) return false;
  if (failureType === 'success')
    return typeof status.exitCode === 'number' && !readCommand(status.command).hidesExit;
  return !findings.some(
    ({ failureClass, authority, recogniser }) =>
      failureClass !== failureType && recogniser !== null && authority >= CONTRADICTS,
  );
}

export function weighDiagnosis(
  rules: Diagnosis,
  outcome: OpinionOutcome<DiagnoseAnswer>,
  read: ReadFailure,
): Diagnosis {
  if (outcome.type !== 'answered') return { ...rules, opinion: outcome };
  const weighed = weigh(rules, outcome.opinion, read);
  return { ...weighed, confidence: Math.round(weighed.confidence * 100) / 100, opinion: outcome };
}

function weigh(rules: Diagnosis, opinion: Opinion<DiagnoseAnswer>, read: ReadFailure): Diagnosis {
  const { answer, quotes, confidence } = opinion;
  const [quote] = quotes;
  const holds = isBorneOut(opinion);
  if (answer.class === 'unknown' && rules.failureType === 'unknown') return rules;
  if (answer.class === rules.failureType)
    return holds && confidence >= rules.confidence / 2 ? agreed(rules, quote, read) : rules;
  if (!holds || confidence < DECIDES_LEAST) return differed(rules, opinion);
  if (answer.class === 'unknown') return undecided(rules, opinion);
  if (answer.class === 'success')
    return rules.recoverable && rules.confidence < SURE ? success(rules, opinion) : differed(rules, opinion);
  return quote === undefined ? differed(rules, opinion) : decided(rules, opinion, answer.class, quote, read);
}

/** The line that the model quoted leads where it is another one. */
function agreed(rules: Diagnosis, quote: OpinionQuote | undefined, read: ReadFailure): Diagnosis {
  const confidence = Math.max(rules.confidence, AGREED);
  if (quote === undefined || rules.failureType === 'success') return { ...rules, confidence };
  const line = lineOf(quote, read);
  const isSame = rules.evidence[0]?.line === line.line;
  return {
    ...rules,
    confidence,
    rootCause: isSame ? rules.rootCause : causeOf(line),
    evidence: [line, ...rules.evidence.filter((each) => each.line !== line.line)],
  };
}

/** Both are shown, and nobody is sure. */
function differed(rules: Diagnosis, { by, answer }: Opinion<DiagnoseAnswer>): Diagnosis {
  return {
    ...rules,
    confidence: Math.min(rules.confidence, DIFFERED_MOST),
    hypotheses: [
      {
        cause: `${answer.class}: so the opinion of ${by}, which nothing else bears out`,
        test: 'read the line that it quotes',
      },
      ...rules.hypotheses,
    ],
  };
}

function undecided(rules: Diagnosis, opinion: Opinion<DiagnoseAnswer>): Diagnosis {
  const shown = differed(rules, opinion);
  if (!rules.recoverable) return shown;
  return {
    ...shown,
    failureType: 'unknown',
    confidence: Math.min(shown.confidence, 1 - opinion.confidence / 2),
  };
}

function success(rules: Diagnosis, opinion: Opinion<DiagnoseAnswer>): Diagnosis {
  return {
    ...rules,
    failureType: 'success',
    rootCause: 'Nothing failed.',
    recoverable: true,
    recoveryPlan: null,
    humanInstructions: null,
    suggestedActions: [],
    escalationReason: null,
    retryAt: null,
    returnTo: null,
    confidence: Math.min(opinion.confidence, DECIDED_MOST),
    evidence: [],
    hypotheses: [rulesSaid(rules), ...rules.hypotheses].slice(0, 3),
    fingerprint: 'success',
  };
}

/** A failure that needs a person by either reading needs one. */
function decided(
  rules: Diagnosis,
  { by, answer, confidence }: Opinion<DiagnoseAnswer>,
  failureType: FailureClass,
  quote: OpinionQuote,
  read: ReadFailure,
): Diagnosis {
  const rule = FAILURE_CLASSES[failureType];
  const line = lineOf(quote, read);
  const wasPersons = rules.failureType !== 'success' && !rules.recoverable;
  const recoverable = rule.recoverable && answer.recoverable && !wasPersons;
  const look = `Look first at line ${line.line} of the output (${wholeWords(textOf(line), 120)}).`;
  const plain: Diagnosis = {
    ...rules,
    ...ruleColumns(rule),
    transient: rule.transient && recoverable,
    failureType,
    rootCause: causeOf(line),
    recoverable,
    recoveryPlan: recoverable ? look : null,
    humanInstructions: recoverable ? null : `1. ${look}`,
    escalationReason: recoverable
      ? null
      : wasPersons && rule.recoverable
        ? `the rules take it for ${rules.failureType}, which needs a person; ${by} takes it for ${failureType}`
        : `${failureType.replaceAll('_', ' ')} is not mended without a person`,
    suggestedActions: [],
    retryAt: null,
    confidence: Math.min(confidence, DECIDED_MOST),
    evidence: [line, ...rules.evidence.filter((each) => each.line !== line.line)],
    hypotheses: [rulesSaid(rules), ...rules.hypotheses].slice(0, 3),
    pattern: null,
    fingerprint: fingerprint(failureType, 'opinion', textOf(line)),
  };
  return failureType === 'resource_exhausted' ? { ...plain, ranOutOf: 'other' } : plain;
}

function rulesSaid({ failureType, evidence }: Diagnosis) {
  const [line] = evidence;
  const by = line === undefined ? '' : `, by line ${line.line}: ${wholeWords(textOf(line), 120)}`;
  return {
    cause: `${failureType}: so the rules${by}`,
    test: 'the line that was quoted instead follows from that one',
  };
}

/** As it stands in the output; what a model saw of it was redacted. */
function lineOf({ entry, text }: OpinionQuote, { lines, original }: ReadFailure): Evidence {
  const at = lines.findIndex(
    ({ number, raw, shown, text: said }) =>
      number === entry && [raw, shown, said].some((each) => each.includes(text)),
  );
  return { line: entry, text: original[at]?.raw ?? text };
}

function causeOf(line: Evidence): string {
  return `Line ${line.line} says: ${wholeWords(textOf(line), LINE_CHARS)}`;
}

function textOf({ text }: Evidence): string {
  return printable(cleanLine(text).text).trim();
}
