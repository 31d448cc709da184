import { describe, expect, test } from 'vitest';
import { suspectStep } from '../../../../src/core/detect/autopsy/suspect-step.ts';
import { watchOver } from '../../../../src/core/detect/watch.ts';
import { call, edit, failedCall, type Part, transcript } from '../transcript-builder.ts';

const LOOK = call('cat a.ts', 'const a = 1;');
const suspect = (parts: readonly Part[]) =>
  suspectStep(
    transcript(parts),
    [...watchOver(transcript(parts))].flatMap(({ signals }) => signals),
  );

describe('the suspected step', () => {
  test('is where the loop that ended the run began', () => {
    const again = Array.from({ length: 5 }, () => failedCall('make', 'make: *** No rule'));
    const other = call('cat b.ts', 'const b = 2;');
    expect(suspect([LOOK, failedCall('ls c', 'No such file'), other, ...again])).toBe(6);
  });

  test('is the crash that the run broke off with', () => {
    const crash = 'Next speaker\nTraceback (most recent call last):\n  File "a.py", line 1';
    expect(suspect([LOOK, failedCall('ls b', 'No such file'), { say: crash }])).toBe(4);
    expect(suspect([LOOK, { entry: { type: 'error', at: 0, text: 'overloaded', status: 529 } }])).toBe(2);
  });

  test('is not a crash that the run survived', () => {
    expect(
      suspect([{ say: 'Traceback (most recent call last)' }, failedCall('ls b', 'No such file'), LOOK]),
    ).toBe(1);
  });

  test('is the first deed that cannot be taken back', () => {
    const order = call('{"order_id":"7"}', '{"status":"cancelled"}', 'cancel_pending_order');
    expect(suspect([LOOK, failedCall('ls b', 'No such file'), order])).toBe(4);
  });

  test('is not a file or a plan: these can be written again', () => {
    const file = call('{"path":"/repo/a.ts","content":"x"}', 'ok', 'create_file');
    const plan = call('{"plan":[]}', 'ok', 'update_plan');
    expect(suspect([file, plan, edit('a.ts', 'a', 'b'), failedCall('ls b', 'No such file')])).toBe(6);
  });

  test('is the first call that failed or came back with nothing', () => {
    expect(suspect([LOOK, call('python find.py', 'None'), failedCall('ls b', 'No such file')])).toBe(2);
  });

  test('is the first answer to the task where nothing else can be seen', () => {
    expect(suspect([{ say: 'how many?', role: 'person' }, { say: 'Seven.' }])).toBe(1);
    expect(suspect([])).toBe(null);
  });
});
