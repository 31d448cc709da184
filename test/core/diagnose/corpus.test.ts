import { describe, expect, it } from 'vitest';
import { readRows } from '../../../scripts/eval-diagnose/row.ts';
import { type Answer, scoresOf } from '../../../scripts/eval-diagnose/score.ts';
import { diagnose } from '../../../src/core/diagnose/diagnose.ts';

const rows = readRows(new URL('../../fixtures/corpus/dev.jsonl', import.meta.url).pathname);
const full: Answer[] = rows.map((row) => ({
  row,
  got: diagnose({ output: row.output, exitCode: row.exit_code, signal: row.signal, command: row.command }),
}));
const text: Answer[] = rows.map((row) => ({ row, got: diagnose({ output: row.output }) }));

describe('on the corpus of captured outputs', () => {
  it('the class is right with exit code and command', () => {
    expect(scoresOf(full).macroF1).toBeGreaterThanOrEqual(0.97);
  });
  it('the class is right from the text alone', () => {
    expect(scoresOf(text).macroF1).toBeGreaterThanOrEqual(0.95);
  });
  it('fine outputs are left alone', () => {
    expect(scoresOf(full).falseAlarms).toBeLessThanOrEqual(0.01);
  });
  it('the line that names the cause comes first', () => {
    expect(scoresOf(full).causeFirst).toBeGreaterThanOrEqual(0.92);
  });
  it('recoverable is told by the stated rules', () => {
    expect(scoresOf(full).recoverable).toBeGreaterThanOrEqual(0.98);
  });
  it('every evidence line occurs in its output', () => {
    for (const { row, got } of [...full, ...text])
      for (const { text: quoted } of got.evidence) expect(row.output).toContain(quoted);
  });
  it('a plan exists exactly where it is recoverable, instructions and a reason where it is not', () => {
    for (const { got } of full) {
      if (got.failureType === 'success') continue;
      expect(got.recoveryPlan !== null).toBe(got.recoverable);
      expect(got.humanInstructions !== null).toBe(!got.recoverable);
      expect(got.escalationReason !== null).toBe(!got.recoverable);
      expect(got.rootCause.length).toBeGreaterThan(5);
    }
  });
});

describe('on outputs of about a hundred other tools', () => {
  const others = readRows(new URL('../../fixtures/corpus/other-tools.jsonl', import.meta.url).pathname);
  const got: Answer[] = others.map((row) => ({
    row,
    got: diagnose({ output: row.output, exitCode: row.exit_code, signal: row.signal, command: row.command }),
  }));
  it('the class is right, fine outputs are left alone, the cause comes first', () => {
    const scores = scoresOf(got);
    expect(scores.accuracy).toBeGreaterThanOrEqual(0.97);
    expect(scores.falseAlarms).toBe(0);
    expect(scores.causeFirst).toBeGreaterThanOrEqual(0.85);
    expect(scores.recoverable).toBeGreaterThanOrEqual(0.97);
  });
});

describe('on outputs of tools that came later', () => {
  const unseen = readRows(new URL('../../fixtures/corpus/unseen.jsonl', import.meta.url).pathname);
  const answers = (half: string): readonly Answer[] =>
    unseen
      .filter((row) => row.half === half)
      .map((row) => ({
        row,
        got: diagnose({
          output: row.output,
          exitCode: row.exit_code,
          signal: row.signal,
          command: row.command,
        }),
      }));
  // Of the fifth capture two fine outputs say nothing but what failing ones say, and six failing ones say only what is wrong with a text.
  it('capture E stays right with exit code', () => {
    const scores = scoresOf(answers('E'));
    expect(scores.accuracy).toBeGreaterThanOrEqual(0.94);
    expect(scores.falseAlarms).toBe(0);
  });
  it.each(['A', 'B', 'C', 'D'])('capture %s stays right, with exit code and from the text alone', (part) => {
    const scores = scoresOf(answers(part));
    expect(scores.macroF1).toBeGreaterThanOrEqual(0.96);
    expect(scores.falseAlarms).toBe(0);
    expect(scores.causeFirst).toBeGreaterThanOrEqual(0.9);
    expect(scores.recoverable).toBeGreaterThanOrEqual(0.97);
    const bare = answers(part).map(({ row }) => ({ row, got: diagnose({ output: row.output }) }));
    expect(scoresOf(bare).macroF1).toBeGreaterThanOrEqual(0.92);
  });
});
