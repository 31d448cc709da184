/**
 * `readFailure`: a failed output by structure alone: the judged step, the shape of each line, and which lines only echo, list or greet.
 * `isFailureLine`, `isNearFailureLine`: which of them state a failure or a result, or stand next to one.
 */
import { collectFindings } from '../diagnose/collect-findings.ts';
import { readCommand } from '../diagnose/command/command-line.ts';
import type { Role } from '../lexicon/programs.ts';
import { rolesInText } from '../diagnose/command/text-roles.ts';
import type { LineFinding } from '../diagnose/finding.ts';
import { shapeOf } from '../diagnose/lines/line-shape.ts';
import { quotedLines } from '../diagnose/lines/passages.ts';
import { promoted } from '../diagnose/lines/promote.ts';
import type { Line } from '../diagnose/lines/read-lines.ts';
import type { Shape } from '../diagnose/lines/shape.ts';
import { RECOGNISERS } from '../lexicon/all.ts';
import { judgedStep, type JudgedStep } from '../diagnose/steps/judged-step.ts';
import { complains } from '../text/complains.ts';
import { FAILED_COUNT } from '../text/failed-count.ts';
import type { Diagnosis, DiagnosisInput } from '../vocabulary/diagnosis.ts';

export type FailureStatus = Omit<DiagnosisInput, 'output'>;

export interface ReadFailure {
  readonly original: readonly Line[];
  /** The same, redacted. */
  readonly lines: readonly Line[];
  readonly shapes: readonly Shape[];
  readonly quoted: readonly boolean[];
  readonly status: FailureStatus;
  readonly step: Pick<JudgedStep, 'name' | 'command' | 'exitCode'>;
  /** True for the lines of the judged step. */
  readonly inStep: readonly boolean[];
  /** What kind of program spoke. */
  readonly roles: ReadonlySet<Role>;
  /** Of the judged step, the surest first, one per class and line. */
  readonly findings: readonly LineFinding[];
  readonly rules: Diagnosis;
}

/**
 * `original`: the lines as they came; `redact` takes from them what a model must not see. What is quoted must be redacted before it can be
 * found again.
 */
export function readFailure(
  original: readonly Line[],
  status: FailureStatus,
  rules: Diagnosis,
  redact: (text: string) => string,
): ReadFailure {
  const lines = redactedLines(original, redact);
  const hasFailed =
    typeof status.exitCode === 'number'
      ? status.exitCode !== 0
      : typeof status.signal === 'string' && status.signal !== ''
        ? true
        : null;
  const { name, command, exitCode, lines: judged } = judgedStep(lines, hasFailed);
  const shapes = promoted(lines, lines.map(shapeOf));
  const quoted = quotedLines(lines, shapes);
  // A step may hold copies of the lines.
  const own = new Set(judged.map(({ number, text }) => `${number} ${text}`));
  const inStep = lines.map(({ number, text }) => own.has(`${number} ${text}`));
  const facts = readCommand(command ?? status.command);
  const roles = new Set<Role>([...facts.roles, ...rolesInText(judged)]);
  if (roles.size === 0) roles.add('unknown');
  const findings = collectFindings({ lines, shapes, quoted, roles }, RECOGNISERS, facts.ranLast)
    .filter(({ index: at }) => inStep[at])
    .toSorted((a, b) => b.authority - a.authority);
  return {
    original,
    lines,
    shapes,
    quoted,
    status,
    step: { name, command, exitCode },
    inStep,
    roles,
    findings,
    rules,
  };
}

const STATES: ReadonlySet<Shape['kind']> = new Set<Shape['kind']>([
  'wrapper',
  'test-mark',
  'diagnostic',
  'exception',
  'statement',
]);

/** An echoed command, a listing or a passed test states nothing, whatever words it holds. */
export function isFailureLine({ lines, shapes, quoted }: ReadFailure, at: number): boolean {
  const shape = shapes[at] as Shape;
  const { text } = lines[at] as Line;
  if (quoted[at] === true || shape.kind === 'source' || shape.kind === 'pass' || text === '') return false;
  if (STATES.has(shape.kind)) return true;
  if (shape.level === 'error' || shape.level === 'fatal') return true;
  return complains(text) || (text.length < SUMMARY_CHARS && FAILED_COUNT.test(text));
}

/** Also what stands next to such a line: values, places, what was expected. */
export function isNearFailureLine(read: ReadFailure, at: number): boolean {
  if (isFailureLine(read, at)) return true;
  const { kind } = read.shapes[at] ?? { kind: 'blank' };
  if (kind === 'pass' || kind === 'source' || read.inStep[at] !== true) return false;
  const near = [...read.lines.keys()].slice(Math.max(0, at - NEAR_LINES), at + NEAR_LINES + 1);
  return near.some((look) => isFailureLine(read, look));
}

const NEAR_LINES = 3;
/** Longer lines are no summary. */
const SUMMARY_CHARS = 300;

/** A secret may go over several lines; as long as it is as many lines afterwards, each keeps its number. */
function redactedLines(lines: readonly Line[], redact: (text: string) => string): readonly Line[] {
  const columns = (['raw', 'shown', 'text'] as const).map((key) => {
    const told = lines.map((line) => line[key].replaceAll('\n', ' '));
    const joined = redact(told.join('\n')).split('\n');
    return joined.length === told.length ? joined : told.map(redact);
  });
  return lines.map((line, at) => {
    const [raw = '', shown = '', text = ''] = columns.map((column) => column[at]);
    return raw === line.raw && shown === line.shown ? line : { ...line, raw, shown, text };
  });
}
