import { expect, test } from 'vitest';
import { DETECTORS } from '../../../src/core/detect/detectors.ts';
import type { Tick } from '../../../src/core/detect/tick.ts';
import { createWatch, watchNext } from '../../../src/core/detect/watch.ts';
import type { Signal } from '../../../src/core/vocabulary/signal.ts';
import type { TranscriptEntry } from '../../../src/core/vocabulary/transcript.ts';

/** Every kind of entry among calls that repeat, fail, edit and wait, in an order that does not repeat soon. */
function mixedEntries(count: number): readonly (TranscriptEntry | Tick)[] {
  let seed = 7;
  const pick = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  const commands = ['npm test', 'cat a.ts', 'sleep 30; ./ready', 'frobnicate', 'submit', 'git status'];
  const answers = ['1 failed', 'Error: frobnicate: command not found', 'ok', '', 'permission denied: a.ts'];
  return Array.from({ length: count }).flatMap((_, n): readonly (TranscriptEntry | Tick)[] => {
    const at = 1_000 * n;
    const id = `call-${n}`;
    switch (pick(16)) {
      case 0:
        return [{ type: 'message', at, role: 'agent', text: `It is done now, as I said ${pick(2)} times.` }];
      case 1:
        return [{ type: 'message', at, role: 'person', text: `Please go on with part ${'abc'[pick(3)]}.` }];
      case 2:
        return [{ type: 'progress', at, kind: 'tree', detail: `tree ${pick(4)}` }];
      case 3:
        return [{ type: 'progress', at, kind: 'check', detail: `check ${pick(40)}` }];
      case 4:
        return [{ type: 'retry', at, attempt: 1, delayMs: 100, status: 529, text: 'overloaded' }];
      case 5:
        return [{ type: 'compaction', at, text: 'the conversation was compacted' }];
      case 6:
        return [{ type: 'output', at, stream: 'stdout', text: `line ${'xyz'[pick(2)]}` }];
      case 7:
        return [{ type: 'error', at, status: null, text: 'the answer could not be read' }];
      case 8:
        return [{ type: 'result', at, text: 'done', isError: false, subtype: 'success', deniedTools: [] }];
      case 9:
        return [{ type: 'unknown', at, raw: '?' }];
      case 10:
        return [
          { type: 'tick', at, lastOutputAt: at - 90_000, children: pick(3), cpuMs: n, gatesFailing: true },
        ];
      case 11:
        return [
          { type: 'tool_call', at, id, tool: 'Edit', input: `{"file_path":"a.ts","old_str":"${pick(2)}"}` },
          { type: 'tool_result', at, id, output: 'The file a.ts has been updated.', isError: false },
        ];
      default:
        return [
          { type: 'tool_call', at, id, tool: 'Bash', input: commands[pick(commands.length)] as string },
          { type: 'tool_result', at, id, output: answers[pick(5)] as string, isError: pick(3) === 0 },
        ];
    }
  });
}

test('a detector that is asked about every entry says and remembers what it does if asked only about what it hears', () => {
  let watch = createWatch({ scope: ['src/**'] });
  let states = watch.states;
  const raised = new Set<string>();
  for (const entry of mixedEntries(1_500)) {
    const watched = watchNext(watch, entry);
    watch = watched.watch;
    const { step, trail, life, policy } = watch;
    const answers = DETECTORS.map((detector, index) =>
      detector.next(states[index], { entry, step, turn: watched.turn, trail, life, policy }),
    );
    states = answers.map(([state]) => state);
    const signals: readonly Signal[] = answers.flatMap(([, some]) => some);
    expect(watched.signals).toEqual(signals);
    expect(watch.states).toEqual(states);
    for (const { type } of signals) raised.add(type);
  }
  expect(raised.size).toBeGreaterThan(10);
});
