/** Four people answer one question at the same time, each with a process of their own. */
import { expect, it } from 'vitest';
import { eventsOf } from '../crash/disk.ts';
import { inBox } from './box.ts';

it('four people answer one question at the same time: one is heard, and the others are told', () =>
  inBox(async (box) => {
    box.policy({ restarts: 0, backoff_ms: 20, stop_soft_ms: 300, stop_term_ms: 300 });
    await box.call('run', '--check', 'false', '--', 'sh', '-c', 'touch half');
    const { run_id } = await box.show();
    const said = await Promise.all(
      ['abandon', 'retry', 'abandon', 'retry'].map((option, person) =>
        box.call('answer', `${run_id}-q1`, option, '--note', `words of person ${person}`),
      ),
    );
    await box.until('nothing runs any more', () => box.processes().length === 0);
    const answered = eventsOf(box).filter(({ type }) => type === 'question_answered');
    expect(answered.filter((event) => event['question'] === `${run_id}-q1`)).toHaveLength(1);
    const refused = said.filter(({ stderr }) => stderr.includes('(QUESTION_CLOSED)'));
    expect(refused, JSON.stringify(said)).toHaveLength(3);
    expect(said.filter(({ exitCode }) => exitCode === 2)).toHaveLength(3);
    expect((await box.call('verify')).exitCode).toBe(0);
  }));
