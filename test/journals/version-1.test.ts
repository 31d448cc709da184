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
import { journalTurns } from '../../src/core/replay/journal-turns.ts';
import { step } from '../../src/core/step.ts';
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
  const { run, document, evidence } = journal;
  let state: RunState | null = null;
  const left: EvidenceRecord[] = [];
  for (const event of eventsOf(journal)) {
    state = state === null ? createState(run, event as never) : evolve(state, event);
    left.push(...ledgerEntries(state, event));
  }
  expect(asJson(runJson(state as RunState))).toMatchObject(document);
  expect(asJson(left)).toEqual(evidence);
});

/** Mayday was updated while a question was open. */
test.each(journals)('$name: today each answer leads where it led then', (journal) => {
  let before: RunState | null = null;
  for (const { fact, decisions, unread } of journalTurns(eventsOf(journal))) {
    const answered: RunState | null = before;
    before = answered === null ? createState(journal.run, fact as never) : evolve(answered, fact);
    before = [...decisions, ...unread].reduce(evolve, before);
    if (answered === null || fact.type !== 'question_answered') continue;
    const today = step(answered, fact);
    expect(today === null ? null : withoutPlaces(today.state)).toEqual(withoutPlaces(before));
  }
});

/** Today an answer has a line more in the journal. */
function withoutPlaces(state: RunState): unknown {
  return JSON.parse(JSON.stringify(runJson(state)).replaceAll(/\.\d+\.(approval|check)/g, '.N.$1'));
}

function eventsOf({ run, events }: Recorded): readonly RunEvent[] {
  return events.map((event, index) => {
    const { type, at } = event;
    return readEvent({
      runId: run,
      seq: index + 1,
      at,
      version: 1,
      type,
      fence: 1,
      body: JSON.stringify(event),
    });
  });
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
