import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  call,
  callsUntilCritical,
  edit,
  failedCall,
  hear,
  type Part,
  transcript,
} from './transcript-builder.ts';

const times = <T>(count: number, part: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => part(index));

const critical = (parts: readonly Part[]) =>
  hear(parts).signals.filter((signal) => signal.severity === 'critical');

describe('a call that repeats', () => {
  test('is worth a word at the third equal result and ends at the fifth', () => {
    const parts = times(5, () => call('ls build', 'out.js'));
    expect(hear(parts.slice(0, 2)).signals).toEqual([]);
    const third = hear(parts.slice(0, 3));
    expect(third.signals.map((signal) => signal.severity)).toContain('warning');
    expect(third.watch.advice).not.toBe('stop');
    expect(callsUntilCritical(transcript(parts))).toBe(5);
    expect(hear(parts).watch.advice).toBe('stop');
  });

  test('says since when, with evidence, how sure, what to do and what would prove it wrong', () => {
    const [signal] = critical(times(5, () => failedCall('./mvnw test', 'Error: JAVA_HOME is not defined')));
    expect(signal).toMatchObject({ type: 'looping', sinceAt: 0, sinceStep: 0, atStep: 9 });
    expect(signal?.evidence).toContain('Error: JAVA_HOME is not defined');
    expect(signal?.confidence).toBeGreaterThan(0.8);
    expect(signal?.suggestedAction).not.toBe('');
    expect(signal?.disproof).not.toBe('');
  });

  test('is no loop when Mayday saw a new tree between the calls', () => {
    const parts = times(8, (index) => index).flatMap((index): readonly Part[] => [
      call('./migrate-next.sh', 'done'),
      { progress: 'tree', detail: `tree-${index}` },
    ]);
    expect(critical(parts)).toEqual([]);
  });

  test('is a loop when the tree that came was there before', () => {
    const parts = times(8, (index) => index).flatMap((index): readonly Part[] => [
      call('./toggle.sh', 'done'),
      { progress: 'tree', detail: `tree-${index % 2}` },
    ]);
    expect(critical(parts)).not.toEqual([]);
  });

  test('is a loop when it is the same edit, though every edit changes the tree', () => {
    const parts = times(6, (index) => index).flatMap((index): readonly Part[] => [
      { call: 'edit 147:147\ndiff = compare(other)', tool: 'edit', result: 'file updated: 201 lines' },
      { progress: 'tree', detail: `tree-${index}` },
    ]);
    expect(critical(parts)).not.toEqual([]);
  });

  test('is no loop when a person speaks in between', () => {
    const parts = times(
      8,
      (index): Part =>
        index % 2 === 0
          ? call('npm test', 'Tests failed: 1')
          : { say: 'go on, try once more', role: 'person' },
    );
    expect(critical(parts)).toEqual([]);
  });

  test('is no loop when an edit comes between two test runs', () => {
    const parts = times(6, (index) => index).flatMap((index) => [
      edit('src/a.ts', `version ${index}`, `version ${index + 1}`),
      failedCall('npm test', `1 failed: expected ${'x'.repeat(index)} to be y`),
    ]);
    expect(critical(parts)).toEqual([]);
  });

  test('is counted once when the equal calls were made side by side', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    const entries = [
      ...ids.map(
        (id, index) => ({ type: 'tool_call', at: index, id, tool: 'Edit', input: `file ${id}` }) as const,
      ),
      ...ids.map(
        (id, index) =>
          ({
            type: 'tool_result',
            at: 100 + index,
            id,
            output: 'Sibling tool call errored',
            isError: true,
          }) as const,
      ),
    ];
    expect(callsUntilCritical(entries)).toBe(null);
  });
});

describe('a round of calls', () => {
  test('is told as a round, with its calls, after the third time; a round with another result each time is work', () => {
    const round = (answer: string) =>
      ['a', 'b', 'c'].map((name) => call(`cat ${name}.txt`, `${name} ${answer}`));
    const [signal] = critical(times(3, () => round('same')).flat()).filter(({ type }) => type === 'looping');
    expect(signal).toMatchObject({
      reason: 'the same 3 calls in the same order, 3 times, with the same results',
      evidence: ['cat a.txt', 'cat b.txt', 'cat c.txt'],
    });
    const work = times(3, (index) => round('xyz'.charAt(index))).flat();
    expect(hear(work).signals.filter(({ type }) => type === 'looping')).toEqual([]);
  });

  test.each(Array.from({ length: 15 }, (_, index) => index + 2))(
    'of length %i is caught within three turns of the cycle',
    (length) => {
      const parts = times(length * 3, (index) =>
        call(
          `look at part ${'abcdefghijklmnop'[index % length]}`,
          `it is ${'abcdefghijklmnop'[index % length]}${'long '.repeat(index % length)}`,
        ),
      );
      const caught = callsUntilCritical(transcript(parts));
      expect(caught).not.toBe(null);
      expect(caught).toBeLessThanOrEqual(3 * length);
    },
  );

  test('is caught wherever it begins', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 16 }), fc.integer({ min: 0, max: 40 }), (length, before) => {
        const honest = times(before, (index) =>
          call(`read chapter ${'i'.repeat(index + 1)}`, `text ${'o'.repeat(index + 1)}`),
        );
        const round = times(3 * length, (index) =>
          call(`step ${'x'.repeat((index % length) + 1)}`, `seen ${'y'.repeat((index % length) + 1)}`),
        );
        const caught = callsUntilCritical(transcript([...honest, ...round]));
        return caught !== null && caught > before && caught <= before + 3 * length;
      }),
    );
  });
});

describe('honest repetition', () => {
  test('of 200 similar calls with new results raises nothing', () => {
    const names = times(200, (index) =>
      call(
        `convert image-${index}.png`,
        `wrote image-${index}.webp, saved ${'#'.repeat((index * 7) % 23)} bytes`,
      ),
    );
    expect(hear(names).signals).toEqual([]);
  });

  test('of 200 similar edits that are all acknowledged alike raises nothing', () => {
    const parts = times(200, (index) =>
      edit('src/big.ts', `old${'a'.repeat(index + 1)}`, `new${'a'.repeat(index + 1)}`),
    );
    expect(hear(parts).signals).toEqual([]);
  });

  test.each([
    ['sleep 30 && gh run view 12', 'in_progress'],
    ['gh pr checks 12 --watch', 'pending'],
    ['kubectl rollout status deployment/web', 'Waiting for deployment'],
    ['./deployment-info 42', 'state: queued'],
  ])('of a poll that waits for a build raises nothing: %s', (command, result) => {
    expect(hear(times(40, () => call(command, result))).signals).toEqual([]);
  });
});
