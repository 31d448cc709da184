import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRecord } from '../../src/supervise/open-record.ts';
import { journal } from '../crash/disk.ts';
import { inBox } from './box.ts';

const QUICK = { backoff_ms: 20, backoff_max_ms: 50, stop_soft_ms: 300, stop_term_ms: 300 };
/** Line breaks and tabs are the only orders that a terminal may get. */
const isObeyed = (character: string) => /\p{Cc}/u.test(character) && !'\n\t'.includes(character);

describe('what comes in while a run lives', () => {
  it('a run that is refused leaves no process: the keeper that was called for it ends', () =>
    inBox(async (box) => {
      const called = await box.call('run', '--check', 'true', '--sink', 'nowhere', '--', 'true');
      expect({ exitCode: called.exitCode, processes: box.processes() }).toEqual({
        exitCode: 2,
        processes: [],
      });
    }));

  it('output of any bytes is output: the run is delivered and its log can be read', () =>
    inBox(async (box) => {
      const output = Buffer.concat([
        Buffer.from([0xef, 0xbb, 0xbf]),
        Buffer.from('first line after a mark\r\ntwo\r\nlines\r\n'),
        Buffer.from([0, 1, 2, 0xff, 0xfe, 10]),
        Buffer.from('{"type":"result","is_error":fal\n{"type":"assistant","message":{"content":[{"te'),
        Buffer.from(`\n${'['.repeat(100_000)}\n\u001b]0;title\u0007\u001b[2Jcleared\n`),
        Buffer.from([0xe2, 0x82]),
      ]);
      const file = join(box.folder, 'output');
      writeFileSync(file, output);
      const script = `cat '${file}'; cat '${file}' >&2; touch done`;
      const called = await box.call('run', '--json', '--check', 'test -f done', '--', 'sh', '-c', script);
      expect({ exitCode: called.exitCode, run: JSON.parse(called.stdout) as unknown }).toMatchObject({
        exitCode: 0,
        run: { state: 'delivered', attempts: [{ exit_code: 0 }] },
      });
      const { run_id } = await box.show();
      const logs = await box.call('logs', run_id);
      expect(logs.exitCode).toBe(0);
      expect(logs.stdout).toContain('first line after a mark');
      expect(Array.from(logs.stdout).filter(isObeyed), 'nothing that a terminal obeys').toEqual([]);
    }));

  it('a foreign option, a closed question and a second answer are refused, and the journal stays as it was', () =>
    inBox(async (box) => {
      box.policy({ ...QUICK, restarts: 0 });
      await box.call('run', '--check', 'false', '--', 'sh', '-c', 'touch half');
      const { run_id, questions } = (await box.show()) as unknown as {
        run_id: string;
        questions: { id: string }[];
      };
      const question = questions[0]?.id ?? '';
      const before = journal(box);
      for (const option of ['fly', '0', '99', '-1', '', 'abandon\n', 'ABANDON', '__proto__']) {
        const called = await box.call('answer', question, option);
        expect({ option, exitCode: called.exitCode }, called.stderr).toEqual({ option, exitCode: 2 });
        expect(called.stderr).toMatch(/\((UNKNOWN_OPTION|WRONG_OPTION)\)/);
      }
      expect((await box.call('answer', `${run_id}-q99`, 'abandon')).stderr).toContain('(QUESTION_CLOSED)');
      expect(journal(box)).toEqual(before);
      expect((await box.call('answer', question, 'abandon', '--follow')).exitCode).toBe(4);
      expect((await box.call('answer', question, 'abandon')).stderr).toContain('(QUESTION_CLOSED)');
    }));

  it('an event of a newer Mayday keeps its place, and the run goes on', () =>
    inBox(async (box) => {
      box.policy({ ...QUICK, restarts: 0 });
      const script = '[ "$MAYDAY_ATTEMPT" = 1 ] && exit 7; touch done';
      await box.call('run', '--check', 'test -f done', '--', 'sh', '-c', script);
      const { run_id } = await box.show();
      const body = '{"type":"telepathy","at":1,"mood":"calm"}';
      await tellByNewer(box.home, run_id, body);
      const resumed = await box.call('resume', run_id);
      expect(resumed.exitCode, resumed.stderr).toBe(0);
      expect((await box.call('show', run_id)).exitCode).toBe(0);
      const lines = journal(box);
      expect(lines.filter((line) => line.body === body)).toHaveLength(1);
      expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1));
    }));
});

/** A line of the journal as a newer version would have written it. */
async function tellByNewer(home: string, runId: string, body: string): Promise<void> {
  const record = await openRecord(home, {});
  try {
    const fence = await record.acquireLease({ runId, owner: 'a newer Mayday', ttlMs: 60_000 });
    const [row, events] = [await record.row(runId), await record.events(runId)];
    if (fence === null || row === null) throw new Error(`run ${runId} cannot be taken`);
    const event = { at: 1, version: 99, type: 'telepathy', body };
    await record.commit({ runId, fence, expectedSeq: events.length, events: [event], row });
    await record.releaseLease(runId, fence);
  } finally {
    await record.close();
  }
}
