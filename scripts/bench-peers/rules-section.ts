/** `recordRules`, `rulesSection`: noticing and diagnosis beside the rules that other tools have, as data that is kept, and as tables. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { table } from '../docs/table.ts';
import { type Score, share } from '../eval-detect/score.ts';
import type { Scores } from '../eval-diagnose/score.ts';

const DATA = join(resolve(import.meta.dirname, '../..'), 'bench/rules.json');

type Named<T> = T & { readonly name: string };

export interface DiagnosisRow {
  readonly origin: string;
  readonly outputs: number;
  readonly scores: readonly Named<Scores>[];
}

export interface Rules {
  readonly detection: readonly Named<Score>[];
  readonly diagnosis: readonly DiagnosisRow[];
}

export function recordedRules(): Rules {
  if (!existsSync(DATA)) return { detection: [], diagnosis: [] };
  return JSON.parse(readFileSync(DATA, 'utf8')) as Rules;
}

/** The part that was not measured now stays as it was. */
export function recordRules(measured: Partial<Rules>): Rules {
  const all = { ...recordedRules(), ...measured };
  writeFileSync(DATA, `${JSON.stringify(all, null, 2)}\n`);
  return all;
}

export function rulesSection({ detection, diagnosis }: Rules): string {
  const percent = (value: number): string => `${(value * 100).toFixed(1)} %`;
  return `## Noticing: beside the rules that other tools publish

The same public runs of coding agents, read blind by an operator (26 stuck, 54 not; 23 more that were resolved). A catch is in time up to ten steps after the
operator would have stepped in. The rules compare exactly, as they are published. The runs were partly chosen because such rules fire on them, which flatters
the rules. Mayday's figure is by values that were fitted without the source of the run (\`npm run eval:detect -- --record FILE...\`).

${table(
  ['rule', 'stuck, caught in time', 'not stuck, stopped', 'resolved, stopped'],
  detection.map((row) => [
    row.name,
    share(row.inTime, row.stuck),
    share(row.falseLabelled, row.otherLabelled),
    share(row.falseResolved, row.resolved),
  ]),
)}

## Diagnosis: beside a table of keywords

A table of words, looked for in the output, the most specific first, is what most tools have. Mayday's figures are with one origin left out: every rule that only this
origin justifies is taken away before it is scored (\`npm run eval:diagnose -- --record FILE...\`). False alarms: fine output that is called a failure.

${table(
  ['outputs', 'by', 'right', 'macro-F1', 'false alarms', 'line of the cause first', 'recoverable or not'],
  diagnosis.flatMap(({ origin, outputs, scores }) =>
    scores.map((row) => [
      `${origin} (${outputs})`,
      row.name,
      percent(row.accuracy),
      row.macroF1.toFixed(3),
      percent(row.falseAlarms),
      percent(row.causeFirst),
      percent(row.recoverable),
    ]),
  ),
)}`;
}
