import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { inBox } from './box.ts';

/** What keepers read and whoever follows does not. */
function damage(path: string, table: string): void {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const { rootpage } = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table) as {
    rootpage: number;
  };
  const { page_size: bytes } = database.prepare('PRAGMA page_size').get() as { page_size: number };
  database.close();
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(bytes, 0xff), 0, bytes, (rootpage - 1) * bytes);
  closeSync(file);
}

describe('a record with a damaged page', () => {
  it('ends the run that meets it with the reason, instead of starting keepers for ever', () =>
    inBox(async (box) => {
      await box.call('run', '--detach', '--check=false', 'wait', '--', 'sh', '-c', 'sleep 600');
      const { run_id: run } = await box.show();
      await box.until('the agent works', async () => (await box.show()).attempts[0]?.['started_at'] !== null);
      // Whoever looks may have started another: none is left before the page is damaged.
      await box.until('every keeper is gone', () => {
        const keeper = box.keeper();
        if (keeper !== undefined) process.kill(keeper, 'SIGKILL');
        return keeper === undefined;
      });
      damage(join(box.home, 'record.db'), 'timers');
      const { exitCode, stderr } = await box.call('watch', run);
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/RECORD_CORRUPT|KEEPER_FAILED/);
      expect(stderr).toMatch(/malformed|is damaged/);
    }));
});
