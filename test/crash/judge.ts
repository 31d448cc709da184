/** The judge of the promises P1 to P6: reads only what lies on disk and in /proc, and shares no code with Mayday. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Box } from '../e2e/box.ts';

export interface Line {
  readonly seq: number;
  readonly type: string;
  readonly body: string;
}

export function journal(home: string): Line[] {
  const path = join(home, 'record.db');
  if (!existsSync(path)) return [];
  const database = new DatabaseSync(path, { readOnly: true, timeout: 10_000 });
  try {
    const made = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'events'").get();
    if (made === undefined) return [];
    return database
      .prepare('SELECT seq, type, body FROM events ORDER BY run, seq')
      .all() as unknown as Line[];
  } finally {
    database.close();
  }
}

/** Everything that is wrong, in words. `before` is the journal as it lay on disk right after the crash; `log` is what the agent itself noted. */
export function broken(
  box: Box,
  before: readonly Line[],
  log: string,
  expectedFiles: readonly string[],
): string[] {
  const after = journal(box.home);
  const problems: string[] = [];
  for (const [index, line] of before.entries())
    if (after[index]?.body !== line.body)
      problems.push(`P1: event ${line.seq} (${line.type}) is gone or changed`);
  after.forEach((line, index) => {
    if (line.seq !== index + 1) problems.push(`P1: event ${index + 1} has number ${line.seq}`);
  });
  problems.push(...overlaps(log));
  const bodies = after.map(
    ({ body }) =>
      JSON.parse(body) as {
        type: string;
        state?: string;
        purpose?: string;
        results?: { passed: boolean }[];
        ref?: string;
      },
  );
  const ended = bodies.find(({ type }) => type === 'ended');
  const asked = bodies.filter(({ type }) => type === 'question_asked').length;
  const answered = bodies.filter(({ type }) => type === 'question_answered').length;
  if (ended === undefined && asked <= answered)
    problems.push('P3: neither ended nor waiting with an open question');
  if (ended?.state === 'delivered') {
    const proven = bodies.some(
      ({ type, purpose, results }) =>
        type === 'checks_finished' && purpose === 'gate' && results?.length === 1 && results[0]?.passed,
    );
    if (!proven || ledgerChecks(box.home) === 0)
      problems.push('P4: delivered without a passing check on record');
    const refs = bodies.filter(({ type }) => type === 'work_delivered');
    if (refs.length !== 1) problems.push(`delivered ${refs.length} times`);
    const names = execFileSync('git', ['ls-tree', '-r', '--name-only', refs[0]?.ref ?? ''], {
      cwd: box.repository,
      encoding: 'utf8',
    });
    for (const file of expectedFiles)
      if (!names.split('\n').includes(file)) problems.push(`P5: ${file} is not in the delivered tree`);
  } else problems.push(`not delivered: ${ended?.state ?? 'waiting'}`);
  return problems;
}

/** At most one live attempt, and no attempt started twice, by the agent's own notes. */
function overlaps(log: string): string[] {
  const live = new Set<string>();
  const seen = new Set<string>();
  const problems: string[] = [];
  for (const line of log.split('\n').filter(Boolean)) {
    const [word = '', attempt = ''] = line.split(' ');
    if (word === 'start') {
      if (seen.has(attempt)) problems.push(`P2: attempt ${attempt} was started twice`);
      if (live.size > 0) problems.push(`P2: attempt ${attempt} began while ${[...live].join(', ')} lived`);
      seen.add(attempt);
      live.add(attempt);
    } else live.delete(attempt);
  }
  return problems;
}

function ledgerChecks(home: string): number {
  const database = new DatabaseSync(join(home, 'record.db'), { readOnly: true, timeout: 10_000 });
  try {
    return Number(
      database.prepare("SELECT count(*) AS n FROM ledger WHERE kind = 'check'").get()?.['n'] ?? 0,
    );
  } finally {
    database.close();
  }
}

export function readLog(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
