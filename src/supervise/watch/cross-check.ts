/**
 * `problemsOf`: what does not hold in a record. A chain shows that its links fit, not that its end is there, and a program that can
 * write the file can make its checksums fit too. So the evidence, rows and numbers that must follow from the events of the journal are
 * computed again, and compared with what is stored.
 */
import { createState } from '../../core/state/create-state.ts';
import { evolve } from '../../core/state/evolve.ts';
import { ledgerEntries, type EvidenceRecord } from '../../core/state/ledger-entries.ts';
import type { RunState } from '../../core/state/run-state.ts';
import { objectOrNull } from '../../core/text/json.ts';
import { readRunMetrics } from '../../core/view/metrics-code.ts';
import { type RunMetrics, runMetrics } from '../../core/view/run-metrics.ts';
import { runRow } from '../../core/view/run-row.ts';
import { canonicalJson } from '../../record/canonical-json.ts';
import type { RunRecord } from '../../record/contract.ts';
import type { RunRow } from '../../record/contract/journal.ts';
import type { LedgerEntry } from '../../record/contract/ledger.ts';
import { readErasures } from '../erase-evidence.ts';
import { readEvent } from '../load-state.ts';

interface Problem {
  readonly runId: string | null;
  readonly problem: string;
}

/** A keeper may write between two reads; a real problem is there at every look. */
const LOOKS = 3;
/** After so many problems the answer is clear, and no run is checked a second time. */
const MAX_PROBLEMS = 50;
/** Imported sessions have no journal here: their numbers come from files of another program. */
const IMPORTED = 'session:';

export async function problemsOf(record: RunRecord): Promise<readonly Problem[]> {
  return [...(await record.verify()), ...(await crossCheck(record))];
}

async function crossCheck(record: RunRecord): Promise<readonly Problem[]> {
  const erased = new Set((await readErasures(record)).map(({ ledgerId }) => ledgerId));
  const numbers = new Map<string, RunMetrics>();
  for (const body of await record.metrics()) {
    const run = readRunMetrics(body);
    if (run !== null) numbers.set(run.id, run);
  }
  const problems: Problem[] = [];
  const rows = await record.rows({ withoutView: true });
  for (const { runId } of rows) {
    let found = await checkRun(record, runId, erased, numbers.get(runId));
    for (let look = 1; look < LOOKS && found.length > 0 && problems.length < MAX_PROBLEMS; look += 1) {
      const again = (await record.metrics()).map(readRunMetrics).find((run) => run?.id === runId);
      found = await checkRun(record, runId, erased, again ?? undefined);
    }
    problems.push(...found.map((problem) => ({ runId, problem })));
  }
  const known = new Set(rows.map(({ runId }) => runId));
  for (const id of numbers.keys())
    if (!known.has(id) && !id.startsWith(IMPORTED))
      problems.push({ runId: id, problem: 'there are numbers of a run that has no journal' });
  return problems;
}

async function checkRun(
  record: RunRecord,
  runId: string,
  erased: ReadonlySet<string>,
  numbers: RunMetrics | undefined,
): Promise<string[]> {
  const [row, stored, ledger] = [
    await record.row(runId),
    await record.events(runId),
    await record.ledger(runId),
  ];
  let state: RunState | null = null;
  const due: EvidenceRecord[] = [];
  try {
    for (const event of stored.map(readEvent)) {
      const next: RunState | null =
        state !== null
          ? evolve(state, event)
          : event.type === 'run_created'
            ? createState(runId, event)
            : null;
      if (next === null) return ['the journal does not begin with the creation of the run'];
      state = next;
      due.push(...ledgerEntries(next, event));
    }
    if (state === null) return ['the run has no journal'];
    return [
      ...compareLedger(due, ledger, erased),
      ...(row === null ? [] : compareRow(row, state)),
      ...compareNumbers(numbers, state),
    ];
  } catch (error) {
    return [`the journal cannot be folded: ${(error as Error).message}`];
  }
}

/** Finds evidence that the journal tells of and the ledger does not have, and evidence that has no event in the journal. */
function compareLedger(
  due: readonly EvidenceRecord[],
  ledger: readonly LedgerEntry[],
  erased: ReadonlySet<string>,
): string[] {
  const there = new Map(ledger.map((entry) => [entry.id, entry]));
  const wanted = new Set(due.map(({ id }) => id));
  return [
    ...due.flatMap(({ id, kind, payload }) => {
      const entry = there.get(id);
      if (entry === undefined)
        return [`the journal tells of a ${kind} (${id}) that the ledger does not have`];
      if (entry.payload === null)
        return erased.has(id)
          ? []
          : [`the payload of ledger entry ${entry.seq} (${id}) is gone without a word`];
      return entry.kind === kind && entry.payload === canonicalJson(payload)
        ? []
        : [`ledger entry ${entry.seq} (${id}) says something else than the journal`];
    }),
    ...ledger
      .filter(({ id }) => !wanted.has(id))
      .map(({ id, seq }) => `ledger entry ${seq} (${id}) has no event in the journal`),
  ];
}

const ROW_KEYS = ['state', 'stage', 'title', 'agent', 'repository', 'createdAt', 'costUsd', 'ended'] as const;
const VIEW_KEYS = ['state', 'outcome_reason', 'delivered'] as const;

/** Compares only the fields that every version of the view has written in the same way. */
function compareRow(row: RunRow, state: RunState): string[] {
  const derived = runRow(state);
  const wrong: string[] = ROW_KEYS.filter((key) => row[key] !== derived[key]);
  const [told, view] = [objectOrNull(row.view) ?? {}, objectOrNull(derived.view) ?? {}];
  wrong.push(...VIEW_KEYS.filter((key) => canonicalJson(told[key]) !== canonicalJson(view[key])));
  return wrong.length === 0 ? [] : [`the list of runs says something else than the journal: ${list(wrong)}`];
}

const NUMBER_KEYS = [
  ...(['state', 'created', 'ended', 'files', 'attempts', 'tokens', 'cost', 'result', 'agent'] as const),
  ...(['repository', 'stuckTokens', 'stuckCost'] as const),
];
const INCIDENT_KEYS = ['id', 'class', 'outcome', 'detected', 'resumed', 'verified', 'attempt'] as const;

function compareNumbers(numbers: RunMetrics | undefined, state: RunState): string[] {
  if (numbers === undefined) return ['the numbers of the run are missing'];
  const derived = runMetrics(state);
  const wrong: string[] = NUMBER_KEYS.filter((key) => numbers[key] !== derived[key]);
  const brief = ({ incidents }: RunMetrics) =>
    canonicalJson(incidents.map((incident) => INCIDENT_KEYS.map((key) => incident[key])));
  if (brief(numbers) !== brief(derived)) wrong.push('incidents');
  return wrong.length === 0 ? [] : [`the numbers of the run do not follow from the journal: ${list(wrong)}`];
}

function list(keys: readonly string[]): string {
  return [...new Set(keys)].join(', ');
}
