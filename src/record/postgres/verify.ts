/** `verifyStore`: checks the numbers of journals and the chains of ledgers, run by run. */
import { brokenLink, GENESIS_HASH } from '../ledger-chain.ts';
import { foreignHold, holdIn } from '../signed-hold.ts';
import type { Connection } from './connection.ts';
import { ledgerEntryOf } from '../stored-rows.ts';

type Problem = { readonly runId: string | null; readonly problem: string };

/** So many entries of a ledger are read at once. */
const PAGE = 1000;

export async function verifyStore(connection: Connection): Promise<readonly Problem[]> {
  const journals = await connection.read(
    `SELECT r.run_id, r.head_seq, count(e.seq) AS events, coalesce(max(e.seq), 0) AS last
     FROM runs r LEFT JOIN events e USING (run) GROUP BY r.run
     HAVING count(e.seq) <> r.head_seq OR coalesce(max(e.seq), 0) <> r.head_seq ORDER BY r.run`,
  );
  const problems: Problem[] = journals.map((row) => ({
    runId: row['run_id'] as string,
    problem:
      `the journal should have ${row['head_seq'] as number} events; ` +
      `it has ${row['events'] as number}, the last is ${row['last'] as number}`,
  }));
  for (const row of await connection.read(
    'SELECT run, count(*) AS events FROM events e WHERE NOT EXISTS (SELECT 1 FROM runs r WHERE r.run = e.run) GROUP BY run',
  ))
    problems.push({ runId: null, problem: `${row['events'] as number} events belong to no run` });
  const unlisted = await connection.read(
    `SELECT run_id FROM runs r WHERE head_seq > 0 AND NOT EXISTS (SELECT 1 FROM run_rows v WHERE v.run = r.run)`,
  );
  for (const row of unlisted)
    problems.push({ runId: row['run_id'] as string, problem: 'the run is missing from the list of runs' });
  const ledgers = await connection.read(
    'SELECT run, run_id, ledger_seq, ledger_hash FROM runs WHERE ledger_seq > 0 ORDER BY run',
  );
  for (const row of ledgers) {
    const runId = row['run_id'] as string;
    const problem = await brokenLedger(connection, row['run'] as number, runId, {
      seq: row['ledger_seq'] as number,
      hash: row['ledger_hash'] as string,
    });
    if (problem !== null) problems.push({ runId, problem });
  }
  for (const row of await connection.read('SELECT key, body FROM holds ORDER BY key'))
    if (holdIn(row['body'] as string, connection.signer) === null)
      problems.push({ runId: null, problem: foreignHold(row['key'] as string) });
  return problems;
}

async function brokenLedger(
  connection: Connection,
  run: number,
  runId: string,
  end: { readonly seq: number; readonly hash: string },
): Promise<string | null> {
  let head = { seq: 0, hash: GENESIS_HASH };
  for (;;) {
    const page = await connection.read(
      'SELECT * FROM ledger WHERE run = $1 AND seq > $2 ORDER BY seq LIMIT $3',
      [run, head.seq, PAGE],
    );
    for (const row of page) {
      const entry = ledgerEntryOf(runId, row);
      const broken = brokenLink(head, entry);
      if (broken !== null) return broken;
      head = entry;
    }
    if (page.length < PAGE) break;
  }
  return head.seq === end.seq && head.hash === end.hash
    ? null
    : `the ledger once reached entry ${end.seq}: its end was lost or cut off`;
}
