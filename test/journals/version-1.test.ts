/**
 * Journals that Mayday wrote when events had version 1: drills with real agents, and stories of the core for every blocker and option.
 * Each was stored with the public document and the evidence that it folded to then. They are never recorded anew.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createState } from '../../src/core/create-state.ts';
import type { RunEvent } from '../../src/core/event.ts';
import { evolve } from '../../src/core/evolve.ts';
import { type EvidenceRecord, ledgerEntries } from '../../src/core/ledger-entries.ts';
import type { RunState } from '../../src/core/run-state.ts';
import { runJson } from '../../src/core/view/run-json.ts';
import { readEvent } from '../../src/supervise/run-journal.ts';

interface Recorded {
  readonly name: string;
  readonly run: string;
  readonly events: readonly RunEvent[];
  readonly document: Readonly<Record<string, unknown>>;
  readonly evidence: readonly EvidenceRecord[];
}

const journals = readFileSync(new URL('version-1.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

test.each(journals)('$name: folds to the document and the evidence of its time', (journal) => {
  const { run, events, document, evidence } = journal;
  let state: RunState | null = null;
  const left: EvidenceRecord[] = [];
  for (const [index, event] of events.entries()) {
    const { type, at } = event;
    const stored = {
      runId: run,
      seq: index + 1,
      at,
      version: 1,
      type,
      fence: 1,
      body: JSON.stringify(event),
    };
    const read = readEvent(stored);
    state = state === null ? createState(run, read as never) : evolve(state, read);
    left.push(...ledgerEntries(state, read as never));
  }
  expect(asJson(runJson(state as RunState))).toMatchObject(document);
  expect(asJson(left)).toEqual(evidence);
});

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
