/**
 * `placeSession`: a session that a real CLI left on disk, where the CLI itself would have left it. opencode's rows are put back into a database
 * of its shape, which stays open (`openSession`) until `closeSessions`.
 */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export const CLIS = ['codex', 'gemini', 'opencode'] as const;
let open: DatabaseSync | null = null;

export const openSession = (): DatabaseSync | null => open;

export function closeSessions(): void {
  open?.close();
  open = null;
}

export function placeSession(home: string, cli: (typeof CLIS)[number], name: string): string {
  const recording = new URL(`../recordings/${cli}/sessions/${name}.jsonl`, import.meta.url);
  const [folder, file] = {
    codex: ['.codex/sessions/2026/11/15', 'rollout-2026-11-15T05-26-24-01a1ddab.jsonl'],
    gemini: ['.gemini/tmp/repo/chats', 'session-2026-11-15T05-27-53de6ac6.jsonl'],
    opencode: ['.local/share/opencode', 'opencode.db'],
  }[cli] as [string, string];
  mkdirSync(join(home, folder), { recursive: true });
  const path = join(home, folder, file);
  if (cli === 'opencode') fill(path, readFileSync(recording, 'utf8'));
  else copyFileSync(recording, path);
  return path;
}

/** As a killed opencode leaves it: everything is in the write-ahead log, and the file was not closed. */
function fill(path: string, rows: string): void {
  open = new DatabaseSync(path);
  open.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0');
  for (const line of rows.trim().split('\n')) {
    const { table, ...row } = JSON.parse(line) as Record<string, string | number | null>;
    const columns = Object.keys(row);
    open.exec(`CREATE TABLE IF NOT EXISTS ${table} (${columns.join(', ')})`);
    open
      .prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
      .run(...Object.values(row));
  }
}
