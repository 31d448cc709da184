/** `mayday ledger RUN`: prints the evidence of a run, link by link, and beside it what was only claimed. */
import { counted } from '../../core/text/counted.ts';
import { writeFileDurably } from '../../platform/file/durable-write.ts';
import { usageError } from '../../platform/mayday-error.ts';
import { resolve } from 'node:path';
import { runJson } from '../../core/view/run-json.ts';
import type { LedgerEntry } from '../../record/contract/ledger.ts';
import { problemsOf } from '../../supervise/watch/cross-check.ts';
import { loadState } from '../../supervise/load-state.ts';
import type { Invocation } from '../command.ts';
import { plain } from '../render/plain.ts';
import { clockTime } from '../render/time.ts';
import { findRun, type Opened, withRecord } from '../with-record.ts';
import { eraseEvidence } from '../../supervise/erase-evidence.ts';
import { print } from '../print.ts';
import { textOf } from '../option-values.ts';
import { userName } from '../../use-cases/caller.ts';

const SHOWN_HASH = 12;

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async (opened) => {
    const { record } = opened;
    if (invocation.args.length === 2) return await eraseOrRefuse(opened, invocation);
    const runId = await findRun(record, invocation.args[0] ?? '');
    const entries = await record.ledger(runId);
    const { claims, scope } = runJson(await loadState(record, runId));
    const problems = (await problemsOf(record))
      .filter((problem) => problem.runId === runId || problem.runId === null)
      .map(({ problem }) => problem);
    const document = {
      run_id: runId,
      holds: problems.length === 0,
      problems,
      scope,
      entries: entries.map(entryJson),
      claims,
    };
    const file = textOf(invocation, 'export');
    if (file === undefined) print(invocation, document, `${render(entries, claims, problems).join('\n')}\n`);
    else {
      const path = resolve(invocation.cwd, file);
      await writeFileDurably(path, `${JSON.stringify(document, null, 2)}\n`, { mode: 0o644 });
      const written = `ledger of ${runId}: ${entries.length} records in ${path}\n`;
      print(invocation, { file: path, entries: entries.length }, written);
    }
    return problems.length === 0 ? 0 : 1;
  });
}

async function eraseOrRefuse(opened: Opened, invocation: Invocation): Promise<number> {
  if (invocation.args[0] !== 'erase')
    throw usageError('WRONG_CALL', `mayday ledger has no word ${JSON.stringify(invocation.args[0])}`, [
      ['do', 'mayday ledger RUN, or mayday ledger erase RUN@SEQ --note "why"'],
    ]);
  return await erase(opened, invocation);
}

function entryJson(entry: LedgerEntry) {
  return {
    id: entry.id,
    seq: entry.seq,
    kind: entry.kind,
    at: new Date(entry.at).toISOString(),
    payload: entry.payload === null ? null : (JSON.parse(entry.payload) as unknown),
    erased: entry.payload === null,
    salt: entry.salt,
    commitment: entry.commitment,
    previous_hash: entry.previousHash,
    hash: entry.hash,
  };
}

function render(
  entries: readonly LedgerEntry[],
  claims: readonly { readonly text: string }[],
  problems: readonly string[],
): string[] {
  return [
    ...entries.map((entry) =>
      [
        `${String(entry.seq).padStart(3)}  ${clockTime(entry.at)}  ${entry.kind.padEnd(10)} `,
        `${plain(sentence(entry))}  ${entry.hash.slice(0, SHOWN_HASH)}`,
      ].join(''),
    ),
    ...(claims.length === 0 ? [] : ['', 'claims without a record (they open no gate)']),
    ...claims.map(({ text }) => `     · ${plain(text).split('\n')[0] ?? ''}`),
    '',
    problems.length === 0 ? 'the chain holds' : `${problems.length} problems`,
    ...problems.map((problem) => `! ${plain(problem)}`),
  ];
}

function sentence({ kind, payload }: LedgerEntry): string {
  if (payload === null) return '(erased)';
  const facts = JSON.parse(payload) as Record<string, unknown>;
  const text = (key: string) => {
    const value = facts[key] ?? '';
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  switch (kind) {
    case 'check':
      return [
        `${text('purpose')}: ${text('command')}: `,
        facts['passed'] === true ? 'passed' : `exit ${text('exitCode')}`,
        ` (${text('variant')}, tree ${text('tree').slice(0, SHOWN_HASH)})`,
      ].join('');
    case 'scope':
      return `${(facts['allowed'] as string[]).join(', ')} (${text('by')})`;
    case 'approval':
      return `${text('by')} lifts ${(facts['lifts'] as string[]).join('; ')} for tree ${text('tree').slice(0, SHOWN_HASH)}`;
    case 'answer':
      return `${text('by')} answers ${text('question')}: ${text('option')}${facts['note'] ? ` (${text('note')})` : ''}`;
    case 'acceptance':
      return `${text('by')} accepts${facts['note'] ? `: ${text('note')}` : ''}`;
    case 'delivery':
      return `${text('ref')}, ${counted(Number(text('files')), 'file')}, tree ${text('tree').slice(0, SHOWN_HASH)}`;
    default:
      return payload;
  }
}

/**
 * Deletes the payload of one ledger record for good (`mayday ledger erase RUN@SEQ --note`). The chain still holds and names the person.
 */
async function erase(opened: Opened, invocation: Invocation): Promise<number> {
  const note = (textOf(invocation, 'note') ?? '').trim();
  if (note === '')
    throw usageError('NOTE_MISSING', 'erasing evidence needs its reason', [
      ['did', 'nothing: no record was erased'],
      ['do', 'mayday ledger erase RUN@SEQ --note "a token was in it"'],
    ]);
  const name = invocation.args[1] ?? '';
  const { ledgerId, run, seq, by } = await eraseEvidence(opened.record, {
    name,
    by: userName(invocation.env),
    note,
    at: Date.now(),
  });
  const text = [
    `erased the payload of ${ledgerId}; the chain still holds (mayday verify)\n`,
    'the journal may hold the same words: if a secret leaked, change the secret\n',
  ];
  return print(invocation, { ledger_id: ledgerId, run_id: run, seq, by, note, erased: true }, text.join(''));
}
