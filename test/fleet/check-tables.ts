/** `checkTables`: judges a fleet by its tables alone; it shares no code with Mayday. Returns what does not hold. */

type Ask = <T extends object>(sql: string) => Promise<T[]>;

/** Each gives the runs that break a promise. */
const BROKEN: Readonly<Record<string, string>> = {
  'has not ended delivered': `SELECT run_id FROM run_rows WHERE state <> 'delivered'`,
  'asked a person': `SELECT DISTINCT r.run_id FROM events e JOIN runs r USING (run) WHERE e.type = 'question_asked'`,
  'has gaps in its journal': `SELECT r.run_id FROM runs r JOIN events e USING (run) GROUP BY r.run, r.run_id, r.head_seq
    HAVING count(*) <> r.head_seq OR max(e.seq) <> r.head_seq OR min(e.seq) <> 1`,
  'was written to under an older fence after a newer one': `SELECT DISTINCT run_id FROM (
    SELECT r.run_id, e.fence, lag(e.fence) OVER (PARTITION BY e.run ORDER BY e.seq) AS before FROM events e JOIN runs r USING (run)
    ) AS one WHERE fence < before`,
  'was not delivered exactly once': `SELECT r.run_id FROM runs r LEFT JOIN events e ON e.run = r.run AND e.type = 'work_delivered'
    WHERE r.run_id NOT LIKE '@%' GROUP BY r.run, r.run_id HAVING count(e.seq) <> 1`,
  'had an attempt begin before the last one ended': `SELECT DISTINCT run_id FROM (
    SELECT r.run_id, e.type, lag(e.type) OVER (PARTITION BY e.run ORDER BY e.seq) AS before FROM events e JOIN runs r USING (run)
    WHERE e.type IN ('attempt_started', 'attempt_ended')) AS one WHERE type = before`,
  'has evidence with gaps': `SELECT r.run_id FROM runs r JOIN ledger l USING (run) GROUP BY r.run, r.run_id, r.ledger_seq
    HAVING count(*) <> r.ledger_seq OR max(l.seq) <> r.ledger_seq`,
};

/** Runs whose journal is told, and how much of each event. */
const [MAX_TOLD, MAX_EVENT_CHARS] = [3, 400];

export async function checkTables(ask: Ask): Promise<string[]> {
  const problems: string[] = [];
  const broken = new Set<string>();
  for (const [what, sql] of Object.entries(BROKEN))
    for (const { run_id } of await ask<{ run_id: string }>(sql)) {
      problems.push(`run ${run_id} ${what}`);
      broken.add(run_id);
    }
  for (const run of [...broken].slice(0, MAX_TOLD)) problems.push(await journalOf(ask, run));
  return problems;
}

/** The database is gone after the test: the journal says why. */
async function journalOf(ask: Ask, run: string): Promise<string> {
  const events = await ask<{
    told: string;
  }>(`SELECT concat_ws(' ', seq, type, left(body, ${MAX_EVENT_CHARS})) AS told
    FROM events JOIN runs USING (run) WHERE run_id = '${run}' ORDER BY seq`);
  return [`run ${run}, its journal:`, ...events.map(({ told }) => `    ${told}`)].join('\n');
}
