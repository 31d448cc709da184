/** `askedRows`: the labelled outputs of some files, each read as `mayday diagnose` reads it, and those of which the rules are not sure. */
import { createHash } from 'node:crypto';
import { materialMark } from '../../src/agents/opinion/material-mark.ts';
import { diagnoseLines } from '../../src/core/diagnose/diagnose.ts';
import { readLines } from '../../src/core/diagnose/lines/read-lines.ts';
import type { DiagnoseAnswer } from '../../src/core/opinion/diagnose-check.ts';
import type { OpinionQuestion } from '../../src/core/opinion/opinion-question.ts';
import { diagnoseQuestion, failureMaterial } from '../../src/core/opinion/diagnose-question.ts';
import { type ReadFailure, readFailure } from '../../src/core/opinion/read-failure.ts';
import { createRedactor } from '../../src/record/redaction/redact.ts';
import type { Diagnosis } from '../../src/core/vocabulary/diagnosis.ts';
import { rulesAreSure } from '../../src/core/opinion/weigh-diagnosis.ts';
import { originOf, readRows, type Row } from '../eval-diagnose/row.ts';

export interface ReadRow {
  readonly row: Row;
  readonly origin: string;
  readonly rules: Diagnosis;
  readonly isAsked: boolean;
  readonly question: () => {
    readonly read: ReadFailure;
    readonly question: OpinionQuestion<DiagnoseAnswer>;
    readonly hash: string;
  };
}

/** Prompts are redacted as in the product, without the secrets of this machine. */
const REDACTOR = createRedactor({ environment: {} });

export function readRow(row: Row): ReadRow {
  const lines = readLines(row.output);
  const status = { exitCode: row.exit_code, signal: row.signal, command: row.command };
  const rules = diagnoseLines(lines, status);
  const read = readFailure(lines, status, rules, (text) => REDACTOR.redact(text));
  return {
    row,
    origin: originOf(row),
    rules,
    isAsked: !rulesAreSure(read),
    question: () => {
      const question = diagnoseQuestion(read, materialMark(...failureMaterial(read)));
      return { read, question, hash: sha256(question.prompt) };
    },
  };
}

export function readFiles(files: readonly string[]): readonly ReadRow[] {
  return files.flatMap((file) => readRows(file).map(readRow));
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The same draw for the same seed. */
export function drawn<Value>(values: readonly Value[], most: number, seed: number): readonly Value[] {
  let state = seed >>> 0 || 1;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return values
    .map((value) => ({ value, key: next() }))
    .toSorted((a, b) => a.key - b.key)
    .slice(0, most)
    .map(({ value }) => value);
}
