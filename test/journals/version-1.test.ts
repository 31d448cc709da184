/**
 * Journals that Mayday wrote when events had version 1: drills with real agents, and stories of the core for every blocker and option.
 * Each was stored with the public document and the evidence that it folded to then. They are never recorded anew.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createState } from '../../src/core/state/create-state.ts';
import type { RunEvent } from '../../src/core/vocabulary/events/event.ts';
import { evolve } from '../../src/core/state/evolve.ts';
import { BLOCKERS } from '../../src/core/vocabulary/blockers/blocker.ts';
import { keyText } from '../../src/core/vocabulary/blockers/blocker-key.ts';
import { type EvidenceRecord, ledgerEntries } from '../../src/core/state/ledger-entries.ts';
import type { RunState } from '../../src/core/state/run-state.ts';
import { journalTurns } from '../../src/core/replay/journal-turns.ts';
import { fold } from '../../src/core/state/fold.ts';
import { step } from '../../src/core/step.ts';
import { runJson } from '../../src/core/view/run-json.ts';
import { asThen, isProvenThen } from './as-then.ts';
import { readEvent } from '../../src/supervise/load-state.ts';

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
  expect(asJson(runJson(state as RunState))).toMatchObject(asThen(document));
  expect(asJson(left)).toEqual(evidence);
  expect(runJson(state as RunState).proven).toBe(isProvenThen(document));
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
    expect(today === null ? null : terms(today.state)).toEqual(terms(before));
  }
});

/** The words of a blocker are written anew from time to time; what was decided under the old ones stays decided. */
test.each(journals)('$name: folds the same when the words for every blocker are others', (journal) => {
  const folded = () => {
    const state = fold(journal.run, eventsOf(journal)) as RunState;
    return { terms: terms(state), document: asJson(runJson(state)) };
  };
  const then = folded();
  const rows = Object.values(BLOCKERS) as { case: unknown; details: unknown }[];
  const words = rows.map((row) => ({ ...row }));
  for (const row of rows) Object.assign(row, { case: () => 'other words', details: () => ['more of them'] });
  try {
    expect(folded()).toEqual(then);
  } finally {
    for (const [index, row] of rows.entries()) Object.assign(row, words[index]);
  }
});

/** Values that no public document shows. */
test.each([
  ['budget: raise_budget', { budget: { tokens: 200, usd: 4, wallClockMs: 7_200_000 } }],
  ['budget: revise_work', { budget: { tokens: 125, usd: 2.5, wallClockMs: 4_500_000 } }],
  ['permission: allow', { options: { permissions: ['Bash(x)'] } }],
  ['login: pass_env', { options: { environment: ['KEY'] } }],
  ['check_not_recorded: retry', { task: { checks: ['test -f a.txt', 'npm run audit'] } }],
  ['change_conflict: choose_patch_output', { sink: { type: 'patch', againstBase: true } }],
  ['sink_not_writable: fix_sink', { sink: { type: 'branch', name: 'because' } }],
])('%s: the answer still gives what it gave then', (name, given) => {
  const journal = journals.find((one) => one.name.startsWith(`${name} `)) as Recorded;
  const events = eventsOf(journal);
  const answer = events.findIndex(({ type }) => type === 'question_answered');
  expect(fold(journal.run, events.slice(0, answer + 1))).toMatchObject(given);
});

/** What an answer gives the run, and where it leads. Today an answer has a line more, and the key of a blocker has fields, not words. */
function terms(state: RunState): unknown {
  const { budget, scope, staleScope, explore, options, task, sink, holds, judgments } = state;
  const { accepted } = state.delivery;
  const approvals = state.approvals.map((one) => ({ ...one, id: '', keys: one.keys.map(keyText) }));
  const judged = judgments.map(({ question, answer, by }) => ({ question, answer, by }));
  const led = { stage: state.stage, life: state.life.type, abandonAsked: state.asked.abandon };
  return {
    budget,
    scope,
    staleScope,
    explore,
    options,
    task,
    sink,
    holds,
    judged,
    accepted,
    approvals,
    led,
  };
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
