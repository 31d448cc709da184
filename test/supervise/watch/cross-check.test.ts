/** A forger who can write the database, makes every checksum fit and cuts the anchor to what is left. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Fact } from '../../../src/core/vocabulary/events/event.ts';
import { DEFAULT_POLICY } from '../../../src/core/vocabulary/policy.ts';
import type { RunRecord } from '../../../src/record/contract.ts';
import { eventSum } from '../../../src/record/sqlite/parts/journal.ts';
import { eventOf } from '../../../src/record/stored-rows.ts';
import { headOf, headSum } from '../../../src/record/sqlite/run-head.ts';
import { openSqliteRecord } from '../../../src/record/sqlite/open.ts';
import { problemsOf } from '../../../src/supervise/watch/cross-check.ts';
import { eraseEvidence, readErasures } from '../../../src/supervise/erase-evidence.ts';
import { RunJournal } from '../../../src/supervise/run-journal.ts';
import { CHECKPOINT, EXAMINATION, OPTIONS, PREPARED, TASK } from '../../core/story.ts';

let folder = '';
let record: RunRecord;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mayday-cross-'));
  await deliveredRun();
});
afterEach(async () => {
  await record.close();
  rmSync(folder, { recursive: true, force: true });
});

const path = () => join(folder, 'record.db');
const elsewhere = () => join(folder, 'elsewhere');
const open = async () => (record = await openSqliteRecord({ path: path(), anchorFolder: elsewhere() }));

async function deliveredRun(): Promise<void> {
  await open();
  const created: Extract<Fact, { type: 'run_created' }> = {
    type: 'run_created',
    at: 1,
    task: TASK,
    policy: { ...DEFAULT_POLICY, restarts: 0 },
    agent: { name: 'rehearsal', command: [], model: null },
    options: OPTIONS,
    repository: '/repo',
    by: 'ann',
  };
  const journal = await RunJournal.create(record, 'r1', created, { owner: 'o', ttlMs: 1e12 }, (v) => v);
  const check = (purpose: 'baseline' | 'gate', tree: string): Fact => ({
    type: 'checks_finished',
    at: 3,
    purpose,
    tree,
    changed: purpose === 'gate' ? ['a.txt'] : [],
    results: [
      {
        command: 'test -f a.txt',
        exitCode: 1,
        passed: false,
        timedOut: false,
        durationMs: 5,
        outputHash: 'o',
        outputTail: '',
        tree,
        variant: 'candidate',
      },
    ],
  });
  const checkpoint = CHECKPOINT;
  const facts: Fact[] = [
    {
      ...PREPARED,
      at: 2,
    },
    check('baseline', 't0'),
    {
      type: 'attempt_started',
      at: 4,
      attempt: 1,
      agent: 'rehearsal',
      agentVersion: null,
      agentSession: null,
      level: 'process-group',
      handle: {},
    },
    {
      type: 'attempt_ended',
      at: 5,
      attempt: 1,
      exit: { exitCode: 0, signal: null, outOfMemory: false, endedBy: 'itself', exitedAt: 5 },
    },
    {
      type: 'attempt_examined',
      at: 6,
      attempt: 1,
      examination: { ...EXAMINATION, claimsDone: true, claim: 'done', checkpoint },
    },
    check('gate', 't1'),
    {
      type: 'question_answered',
      at: 8,
      question: 'r1-q1',
      option: 'waive_with_reason',
      note: 'the key is hunter2',
      by: 'ann',
    },
    check('gate', 't1'),
    { type: 'work_delivered', at: 9, ref: 'mayday/r1', files: ['a.txt'], salvage: false, tree: 't1' },
  ];
  for (const fact of facts) expect(await journal.submit(fact), fact.type).not.toBeNull();
  expect(journal.state.life).toMatchObject({ type: 'ended', state: 'delivered' });
}

/** Changes the file behind Mayday's back. */
async function tamper(change: (database: DatabaseSync) => void): Promise<string[]> {
  await record.close();
  const database = new DatabaseSync(path());
  change(database);
  database.close();
  await open();
  return (await problemsOf(record)).map(({ problem }) => problem);
}

function cutLedger(database: DatabaseSync, rows: number): void {
  const last = `SELECT max(seq) AS seq FROM ledger JOIN runs USING (run) WHERE run_id = 'r1'`;
  for (let cut = 0; cut < rows; cut += 1)
    database.exec(
      `DELETE FROM ledger WHERE run = (SELECT run FROM runs WHERE run_id = 'r1') AND seq = (${last})`,
    );
  const end = database
    .prepare(`SELECT l.* FROM ledger l JOIN runs USING (run) WHERE run_id = 'r1' ORDER BY seq DESC`)
    .get();
  const row = database.prepare(`SELECT * FROM runs WHERE run_id = 'r1'`).get() ?? {};
  const head = { ...headOf(row), ledgerSeq: Number(end?.['seq']), ledgerHash: String(end?.['hash']) };
  database
    .prepare('UPDATE runs SET ledger_seq = ?, ledger_hash = ?, sum = ? WHERE run_id = ?')
    .run(head.ledgerSeq, head.ledgerHash, headSum(head), 'r1');
  const anchor = join(folder, 'ledger.anchor');
  const lines = readFileSync(anchor, 'utf8').split('\n');
  writeFileSync(
    anchor,
    lines
      .filter((line) => !line.startsWith('ledger ') || Number(line.split(' ')[2]) <= head.ledgerSeq)
      .join('\n'),
  );
}

function editEvent(database: DatabaseSync, type: string, from: string, to: string): void {
  const anchor = join(folder, 'ledger.anchor');
  const lines = readFileSync(anchor, 'utf8').split('\n');
  writeFileSync(anchor, lines.filter((line) => !line.startsWith('journal ')).join('\n'));
  for (const row of database.prepare('SELECT * FROM events WHERE type = ?').all(type)) {
    const event = { ...eventOf('r1', row), body: String(row['body']).replace(from, to) };
    database
      .prepare('UPDATE events SET body = ?, sum = ? WHERE run = ? AND seq = ?')
      .run(event.body, eventSum(event), row['run'] as number, event.seq);
  }
}

describe('what the parts of a record say about each other', () => {
  // The forger knows of the other place too.
  beforeEach(() => rmSync(elsewhere(), { recursive: true }));

  it('holds for a run that nobody touched', async () => expect(await tamper(() => {})).toEqual([]));

  it('shows a ledger that was cut off, head and anchor included', async () => {
    const problems = await tamper((database) => cutLedger(database, 2));
    expect(problems).toEqual([
      expect.stringMatching(/tells of a check .* that the ledger does not have/),
      expect.stringMatching(/tells of a delivery .* that the ledger does not have/),
    ]);
  });

  it('shows an event that was edited with its checksum', async () => {
    const problems = await tamper((database) =>
      editEvent(database, 'checks_finished', '"exitCode":1,"passed":false', '"exitCode":0,"passed":true'),
    );
    expect(problems.join('\n')).toContain('says something else than the journal');
  });

  it('shows an answer that was given in another name', async () => {
    const problems = await tamper((database) => editEvent(database, 'question_answered', '"ann"', '"bob"'));
    expect(problems.join('\n')).toContain('says something else than the journal');
  });

  it('shows an ending that was edited in the journal', async () => {
    const problems = await tamper((database) =>
      editEvent(database, 'ended', 'not proven', 'every gate passed'),
    );
    expect(problems.join('\n')).toContain('the list of runs says something else');
  });

  it('shows numbers that were edited, and numbers that are gone', async () => {
    const edited = await tamper((database) =>
      database.exec(`UPDATE run_metrics SET body = replace(body, '"false_success"', '"crashed"')`),
    );
    expect(edited).toEqual(['the numbers of the run do not follow from the journal: incidents']);
    expect(await tamper((database) => database.exec('DELETE FROM run_metrics'))).toEqual([
      'the numbers of the run are missing',
    ]);
  });

  it('shows a payload that was taken away without a word', async () => {
    const problems = await tamper((database) =>
      database.exec(`UPDATE ledger SET payload = NULL, salt = '' WHERE id LIKE '%answer'`),
    );
    expect(problems).toEqual([expect.stringContaining('is gone without a word')]);
  });
});

describe('the heads that are noted elsewhere', () => {
  it('show a ledger that was cut off in everything that lies in the home', async () => {
    const problems = await tamper((database) => cutLedger(database, 1));
    expect(problems.join('\n')).toContain('is not the one that was anchored');
  });

  it('show any event that was changed, also one that leaves no evidence', async () => {
    const problems = await tamper((database) =>
      editEvent(database, 'attempt_planned', 'rehearsal', 'claude'),
    );
    expect(problems.join('\n')).toContain('are not those that were anchored: they were changed');
  });

  it('are not needed: a record that moved to another machine still verifies', async () => {
    rmSync(elsewhere(), { recursive: true });
    expect(await tamper(() => {})).toEqual([]);
  });
});

describe('evidence that a person erases', () => {
  const erase = () => eraseEvidence(record, { name: 'r1@4', by: 'ann', note: 'a key was in it', at: 20 });

  it('is gone from the file, and the chain still holds and says whose word it was', async () => {
    const [entry] = (await record.ledger('r1')).filter(({ seq }) => seq === 4);
    expect(entry?.payload).toContain('hunter2');
    await erase();
    expect((await record.ledger('r1')).find(({ seq }) => seq === 4)?.payload).toBeNull();
    expect(await tamper(() => {})).toEqual([]);
    expect(await readErasures(record)).toMatchObject([
      { ledgerId: entry?.id, run: 'r1', seq: 4, by: 'ann', note: 'a key was in it', at: 20 },
    ]);
  });

  it('is erased once', async () => {
    await erase();
    await expect(erase()).rejects.toThrow(/gone already/);
  });
});
