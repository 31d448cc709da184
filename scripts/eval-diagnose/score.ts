/** Scores of a list of answers against their labels. */
import type { Diagnosis } from '../../src/core/vocabulary/diagnosis.ts';
import type { Row } from './row.ts';
import { printable } from '../../src/core/diagnose/lines/clean-line.ts';

/** What is scored of a diagnosis, Mayday's or another. */
export interface Scored {
  readonly row: Row;
  readonly got: Pick<Diagnosis, 'failureType' | 'recoverable' | 'evidence'>;
}

export interface Answer extends Scored {
  readonly got: Diagnosis;
}

export interface Scores {
  readonly accuracy: number;
  readonly macroF1: number;
  readonly falseAlarms: number;
  readonly causeFirst: number;
  readonly recoverable: number;
  /** Failures called success. */
  readonly missed: number;
}

export function isRight({ row, got }: Scored): boolean {
  return got.failureType === row.failure_type || got.failureType === row.second_label;
}

export function scoresOf(answers: readonly Scored[]): Scores {
  const right = answers.filter(isRight).length;
  const fine = answers.filter(({ row }) => row.failure_type === 'success');
  const failed = answers.filter(({ row }) => row.failure_type !== 'success');
  const named = failed.filter(({ row }) => causes(row).length > 0);
  return {
    accuracy: share(right, answers.length),
    macroF1: macroF1(answers),
    falseAlarms: share(fine.filter(({ got }) => got.failureType !== 'success').length, fine.length),
    causeFirst: share(named.filter(({ row, got }) => namesCause(row, got)).length, named.length),
    recoverable: share(
      failed.filter(({ row, got }) => got.recoverable === row.recoverable).length,
      failed.length,
    ),
    missed: failed.filter(({ got }) => got.failureType === 'success').length,
  };
}

export function classesOf(answers: readonly Scored[]): readonly string[] {
  return [...new Set(answers.map(({ row }) => row.failure_type))].toSorted();
}

/** Over the classes that occur in the labels. */
function macroF1(answers: readonly Scored[]): number {
  const classes = classesOf(answers);
  let sum = 0;
  for (const name of classes) {
    const hit = answers.filter((answer) => answer.row.failure_type === name && isRight(answer)).length;
    const labelled = answers.filter(({ row }) => row.failure_type === name).length;
    const said = answers.filter(
      (answer) => (isRight(answer) ? answer.row.failure_type : answer.got.failureType) === name,
    ).length;
    sum += hit === 0 ? 0 : (2 * hit) / (labelled + said);
  }
  return share(sum, classes.length);
}

function causes(row: Row): readonly string[] {
  return [...(row.root_cause_lines ?? []), row.root_cause_line].filter((line) => line !== '');
}

/** The first evidence line holds a labelled cause, or is the telling part of one. */
export function namesCause(row: Row, got: Scored['got']): boolean {
  const text = printable(got.evidence[0]?.text ?? '').trim();
  return (
    text !== '' &&
    causes(row).some((cause) => text.includes(cause.trim()) || (text.length > 8 && cause.includes(text)))
  );
}

export function calibration(answers: readonly Answer[]): readonly string[] {
  const bins = [0, 0.5, 0.7, 0.85, 0.93, 0.96, 1.01];
  const lines: string[] = [];
  for (let index = 1; index < bins.length; index += 1) {
    const low = bins[index - 1] as number;
    const high = bins[index] as number;
    const inside = answers.filter(({ got }) => got.confidence >= low && got.confidence < high);
    if (inside.length === 0) continue;
    const said = inside.reduce((sum, { got }) => sum + got.confidence, 0) / inside.length;
    const right = inside.filter(isRight).length / inside.length;
    lines.push(`  said ${said.toFixed(2)}   right ${right.toFixed(2)}   n ${inside.length}`);
  }
  return lines;
}

export function confusion(answers: readonly Answer[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { row, got } of answers)
    if (!isRight({ row, got })) {
      const key = `  ${row.failure_type} taken for ${got.failureType}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  return [...counts].toSorted((a, b) => b[1] - a[1]).map(([key, count]) => `${key}: ${count}`);
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
