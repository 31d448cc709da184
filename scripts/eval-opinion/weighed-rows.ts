/** `weighedRows`: the outputs with the answers of the rules, of the model, and of both weighed, as `mayday diagnose` would give them. */
import { askOpinion } from '../../src/agents/opinion/ask-opinion.ts';
import type { DiagnoseAnswer } from '../../src/core/opinion/diagnose-check.ts';
import { weighDiagnosis } from '../../src/core/opinion/weigh-diagnosis.ts';
import type { Diagnosis } from '../../src/core/vocabulary/diagnosis.ts';
import type { OpinionOutcome } from '../../src/core/vocabulary/opinion.ts';
import type { ReadRow } from './asked-rows.ts';
import type { Recordings } from './recordings.ts';

export interface WeighedRow {
  readonly read: ReadRow;
  /** Null: nobody answered its prompt. */
  readonly outcome: OpinionOutcome<DiagnoseAnswer> | null;
  /** What Mayday says: asked only where the rules are not sure. */
  readonly got: Diagnosis;
}

const LIMITS = { deadlineMs: 10_000, costUsd: 1 };

export async function weighedRows(
  rows: readonly ReadRow[],
  recordings: Recordings,
): Promise<readonly WeighedRow[]> {
  const weighed: WeighedRow[] = [];
  for (const each of rows) {
    const { read, question, hash } = each.question();
    const reply = recordings.replyTo(hash, each.row.id, read.lines);
    if (reply === null) {
      weighed.push({ read: each, outcome: null, got: each.rules });
      continue;
    }
    const provider = {
      name: 'recording',
      ask: () => Promise.resolve({ text: reply, costUsd: null, tokens: null }),
    };
    const outcome = await askOpinion(question, provider, LIMITS, new AbortController().signal);
    weighed.push({
      read: each,
      outcome,
      got: each.isAsked ? weighDiagnosis(each.rules, outcome, read) : each.rules,
    });
  }
  return weighed;
}
