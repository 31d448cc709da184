/** `diagnose`: what failed, why, and whether a person is needed. Pure: output, exit status and command in, diagnosis out. */
import type { Diagnosis, DiagnosisInput, Evidence, Hypothesis } from '../vocabulary/diagnosis.ts';
import { FAILURE_CLASSES, type FailureClass, isFailureClass } from '../vocabulary/classes/failure-class.ts';
import { parseResetTime, retryOf } from '../text/reset-time/parse-reset-time.ts';
import type { ResetTime } from '../text/reset-time/instant.ts';
import { wholeWords } from '../text/few-names.ts';
import { adviceFor } from './advice.ts';
import { unmarked } from './cause-message.ts';
import { confidenceOf, LOG_LINES } from './confidence.ts';
import { type CauseFacts, factsOf } from './facts.ts';
import { type CauseVerdict, REMARK } from './find-cause.ts';
import { judged } from './judged-output.ts';
import { fingerprint } from './fingerprint.ts';
import { EVIDENCE_LINES } from './lines/limits.ts';
import { BUILT_IN_PATTERNS } from './patterns/built-in-patterns.ts';
import { matchPattern, type Pattern, withPattern } from './patterns/pattern.ts';
import { type Line, readLines } from './lines/read-lines.ts';
import { ranOutOf } from './ran-out-of.ts';
import type { Recogniser } from '../lexicon/recogniser.ts';
import { RECOGNISERS } from '../lexicon/all.ts';
import { rootCauseOf } from './root-cause.ts';

/** The whole script stands in the output. */
const STEP_CHARS = 200;
/** After this many failed tries one more does not help. */
export const RETRIES_BEFORE_PERSON = 3;
/** Plain words and remarks further away belong to another matter. */
const NEAR_LINES = 80;
/** How many lines around the cause are searched for a reset time. */
const RESET_CHARS = 8_000;

export function diagnose(input: DiagnosisInput, patterns: readonly Pattern[] = BUILT_IN_PATTERNS): Diagnosis {
  return diagnoseLines(readLines(input.output), input, patterns);
}

/** For callers that have read the output line by line already, or measure with other recognisers. */
export function diagnoseLines(
  lines: readonly Line[],
  input: Omit<DiagnosisInput, 'output'>,
  patterns: readonly Pattern[] = BUILT_IN_PATTERNS,
  recognisers: readonly Recogniser[] = RECOGNISERS,
): Diagnosis {
  const plain = byRules(lines, input, recognisers);
  return withPattern(plain, matchPattern(patterns, plain, lines, input));
}

function byRules(
  all: readonly Line[],
  input: Omit<DiagnosisInput, 'output'>,
  recognisers: readonly Recogniser[],
): Diagnosis {
  const { step, exit, verdict } = judged(all, input, recognisers);
  const { lines } = step;
  const facts = factsOf(verdict.cause, lines, input.command ?? '');
  const root = rootCauseOf(verdict, facts, lines, exit);
  if (verdict.failureType === 'success') return nothingFailed(verdict);

  const failureType = verdict.failureType;
  const rule = FAILURE_CLASSES[failureType];
  const transient = verdict.cause?.recogniser?.transient ?? rule.transient;
  const tired = (input.retryCount ?? 0) >= RETRIES_BEFORE_PERSON && rule.isPatient !== true;
  const recoverable = (verdict.cause?.recogniser?.recoverable ?? rule.recoverable) && !tired;
  // Only a test has a name.
  const named = failureType === 'timeout' && !verdict.roles.has('test') ? { ...facts, test: '' } : facts;
  const there =
    verdict.cause === null
      ? 'the end of the output'
      : `line ${verdict.cause.line.number} of the output (${wholeWords(unmarked(verdict.cause.line.text), 120)})`;
  const advice = adviceFor(failureType, root, named, input.command ?? '', transient, there);
  const reason = tired
    ? `it was tried ${input.retryCount} times without improvement; ${advice.escalation}`
    : advice.escalation;
  const key =
    failureType === 'git_conflict' ? root.paths.join(' ') : (verdict.cause?.line.text ?? exit.words);
  const reset = rule.tellsReset === true ? resetTime(all, input) : null;
  const plain: Diagnosis = {
    failureType,
    rootCause: root.sentence,
    recoverable,
    recoveryPlan: recoverable
      ? `${advice.plan || advice.steps.join(' ')}${workedOn(input, ' This is for ', '.')}`
      : null,
    humanInstructions: recoverable
      ? null
      : advice.steps.map((step, index) => `${index + 1}. ${step}`).join('\n'),
    suggestedActions: advice.actions,
    escalationReason: recoverable ? null : `${reason}${workedOn(input, ' (', ')')}`,
    transient,
    category: verdict.cause?.recogniser?.category ?? rule.category,
    concern: rule.concern,
    returnTo: rule.returnTo,
    scope: rule.scope,
    ...retryOf(reset),
    // An exit code tells at least that it failed.
    confidence: confidenceOf(verdict.support, step.name !== '' || (!exit.known && lines.length > LOG_LINES)),
    evidence: evidenceOf(verdict),
    hypotheses: [...takenFor(input.failureTypeHint, failureType), ...hypothesesFor(verdict, facts)],
    ...(step.name === '' ? {} : { step: wholeWords(step.name.replace(/ # timeout=\d+$/, ''), STEP_CHARS) }),
    subject: {
      file: facts.file,
      row: facts.row,
      module: failureType === 'missing_dependency' ? (facts.groups['module'] ?? '') : '',
      script: facts.groups['script'] ?? '',
      call: root.call,
    },
    pattern: null,
    origin: 'read',
    fingerprint: fingerprint(
      failureType,
      verdict.cause?.recogniser?.id ?? verdict.cause?.shape.name ?? '',
      key,
    ),
  };
  return failureType === 'resource_exhausted' ? { ...plain, ranOutOf: ranOutOf(plain) } : plain;
}

/** The feature and the issue, where the caller names them. */
function workedOn(input: Omit<DiagnosisInput, 'output'>, before: string, after: string): string {
  const named = [
    input.featureId ? `feature ${input.featureId}` : '',
    typeof input.issueNumber === 'number' ? `issue #${input.issueNumber}` : '',
  ].filter((part) => part !== '');
  return named.length === 0 ? '' : `${before}${named.join(', ')}${after}`;
}

/** What the caller took it for, where the rules say otherwise: a hint, not evidence. */
function takenFor(hint: string | null | undefined, failureType: FailureClass): readonly Hypothesis[] {
  const named = hint === 'error' ? 'runtime_error' : hint;
  if (named === null || named === undefined || !isFailureClass(named) || named === failureType) return [];
  return [{ cause: `${named}: what the caller took it for`, test: 'a line of the output says so' }];
}

function nothingFailed(verdict: CauseVerdict): Diagnosis {
  return {
    failureType: 'success',
    rootCause: 'Nothing failed.',
    recoverable: true,
    recoveryPlan: null,
    humanInstructions: null,
    suggestedActions: [],
    escalationReason: null,
    transient: false,
    category: 'missing_context',
    concern: 'code',
    returnTo: null,
    scope: 'session',
    retryAt: null,
    confidence: confidenceOf(verdict.support),
    evidence: [],
    hypotheses: [],
    pattern: null,
    origin: 'read',
    fingerprint: 'success',
  };
}

/** The cause first, then the other lines that say the same, in order. */
function evidenceOf(verdict: CauseVerdict): readonly Evidence[] {
  const cause = verdict.cause;
  if (cause === null) return [];
  const others = verdict.findings
    .filter(
      (finding) =>
        finding.line !== cause.line &&
        (finding.shape.kind !== 'test-mark' || finding.shape.message !== '') &&
        finding.failureClass === cause.failureClass &&
        finding.authority >= 0.4 &&
        ((finding.shape.kind !== 'text' && finding.authority >= REMARK) ||
          Math.abs(finding.index - cause.index) <= NEAR_LINES) &&
        (finding.shape.level !== 'warning' || cause.shape.level === 'warning') &&
        /\w/.test(finding.shape.message || finding.shape.body),
    )
    .slice(0, EVIDENCE_LINES - 1);
  return [cause, ...others].map((finding) => ({ line: finding.line.number, text: finding.line.raw }));
}

function resetTime(lines: readonly Line[], input: Omit<DiagnosisInput, 'output'>): ResetTime | null {
  if (input.nowMs === undefined) return null;
  const text = lines
    .map((line) => line.text)
    .join('\n')
    .slice(-RESET_CHARS);
  return parseResetTime(text, input.nowMs, input.timeZone ?? 'UTC');
}

/** A person weighs three hypotheses, not more. */
const MOST = 3;

function hypothesesFor(verdict: CauseVerdict, facts: CauseFacts): readonly Hypothesis[] {
  if (verdict.failureType === 'success') return [];
  const list: Hypothesis[] = [];
  const other = verdict.findings.find(
    (finding) =>
      finding.failureClass !== verdict.failureType && finding.authority >= 0.6 && finding.recogniser !== null,
  );
  if (other !== undefined)
    list.push({
      cause: `${other.failureClass}: ${other.line.text.slice(0, 160)}`,
      test: `line ${other.line.number} appears also without the line that was taken as the cause`,
    });
  const host = facts.host === '' ? 'the service' : facts.host;
  for (const [cause, test] of FAILURE_CLASSES[verdict.failureType].hypotheses)
    list.push({ cause: cause.replaceAll('{host}', host), test: test.replaceAll('{host}', host) });
  return list.slice(0, MOST);
}
