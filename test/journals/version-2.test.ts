/**
 * Journals of events of version 2, each stored with the public document and the evidence that it folded to when it was recorded:
 * stories for blockers and options, drills, and simulated runs cut off in every life. They are never recorded anew.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createState } from '../../src/core/state/create-state.ts';
import type { RunEvent } from '../../src/core/vocabulary/events/event.ts';
import { evolve } from '../../src/core/state/evolve.ts';
import { type EvidenceRecord, ledgerEntries } from '../../src/core/state/ledger-entries.ts';
import type { RunState } from '../../src/core/state/run-state.ts';
import { runJson } from '../../src/core/view/run-json.ts';
import { asThen, isProvenThen } from './as-then.ts';

interface Recorded {
  readonly name: string;
  readonly run: string;
  readonly events: readonly RunEvent[];
  readonly document: Readonly<Record<string, unknown>>;
  readonly evidence: readonly EvidenceRecord[];
}

const journals = readFileSync(new URL('version-2.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

test.each(journals)('$name: folds to the document and the evidence of its time', (journal) => {
  const { run, events, document, evidence } = journal;
  let state: RunState | null = null;
  const left: EvidenceRecord[] = [];
  for (const event of events) {
    state = state === null ? createState(run, event as never) : evolve(state, event);
    left.push(...ledgerEntries(state, event));
  }
  expect(asJson(runJson(state as RunState))).toMatchObject(asThen(document));
  expect(asJson(left)).toEqual(evidence);
  expect(runJson(state as RunState).proven).toBe(isProvenThen(document));
});

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
