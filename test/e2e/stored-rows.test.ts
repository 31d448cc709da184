import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inBox } from './box.ts';

it('a row of the record that this version cannot read is left out of every number, counted, and kept', () =>
  inBox(async (box) => {
    expect((await box.call('run', '--check', 'true', '--', 'sh', '-c', 'echo A > a.txt')).exitCode).toBe(0);
    const odd = '{"id":"old1","title":"t","agent":"claude"}';
    const database = new DatabaseSync(join(box.home, 'record.db'));
    try {
      const insert = 'INSERT INTO run_metrics (id, repository, at, imported, body) VALUES (?, ?, ?, 1, ?)';
      database.prepare(insert).run('old1', box.repository, Date.now(), odd);
    } finally {
      database.close();
    }
    const report = await box.call('report', '--json');
    expect({ exitCode: report.exitCode, said: report.stderr }).toEqual({ exitCode: 0, said: '' });
    expect(JSON.parse(report.stdout)).toMatchObject({ unread_rows: 1, tasks: { total: 1 } });
    expect((await box.call('report')).stdout).toContain('1 rows of the record are not readable');
    for (const command of ['sync', 'agents', 'missions']) {
      const { exitCode, stderr } = await box.call(command);
      expect({ exitCode, stderr }, command).toEqual({ exitCode: 0, stderr: '' });
    }
  }));
