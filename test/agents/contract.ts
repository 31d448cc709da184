/** What every adapter must do, run over its recordings. A new adapter passes this before anything else is said of it. */
import { describe, expect, it } from 'vitest';
import type { AgentAdapter } from '../../src/agents/adapter.ts';
import { openCalls } from '../../src/act/attempt/attempt-knowledge.ts';
import type { FailureClass } from '../../src/core/vocabulary/classes/failure-class.ts';
import { loadRecording, readRecording, recordingNames } from './recording.ts';

export interface ExpectedEnding {
  readonly class: FailureClass | null;
  readonly claimsDone?: boolean;
  readonly status?: number;
  /** Tools in flight at the end. */
  readonly open?: number;
  readonly retryAt?: string;
  readonly denied?: readonly string[];
  readonly unknownLines?: number;
}

export function describeAdapterContract(
  adapter: AgentAdapter,
  cli: string,
  expected: Readonly<Record<string, ExpectedEnding>>,
): void {
  describe(`${adapter.name} over the recordings of ${cli}`, () => {
    it('every recording has an expected ending', () => {
      expect(Object.keys(expected).toSorted()).toEqual([...recordingNames(cli)].toSorted());
    });

    for (const [name, ending] of Object.entries(expected))
      it(`${name} ends as ${ending.class ?? 'done'}`, () => {
        const { entries, unknownLines, verdict } = readRecording(adapter, loadRecording(cli, name));
        expect(unknownLines).toBe(ending.unknownLines ?? 0);
        expect(verdict.failure?.class ?? null).toBe(ending.class);
        expect(verdict.claimsDone).toBe(ending.claimsDone ?? ending.class === null);
        expect(verdict.failure?.status ?? null).toBe(ending.status ?? null);
        expect(verdict.deniedTools).toEqual(ending.denied ?? []);
        expect(openCalls(entries)).toHaveLength(ending.open ?? 0);
        const retryAt = verdict.failure?.retryAt ?? null;
        expect(retryAt === null ? undefined : new Date(retryAt).toISOString()).toBe(ending.retryAt);
        if (verdict.failure !== null) expect(verdict.failure.reason).not.toBe('');
      });

    it('a line cut anywhere, noise and foreign types are kept, counted and never fatal', () => {
      const [first = ''] = recordingNames(cli);
      const whole = loadRecording(cli, first).lines[0] as string;
      const reader = adapter.reader();
      const strange = [
        'not json',
        '[1,2]',
        'null',
        '"x"',
        '{"type":"from_the_future"}',
        '{',
        '\u0000',
        '{"type":5}',
      ];
      for (const line of strange)
        expect(reader.push(line, 'stdout', 1)).toEqual([{ at: 1, type: 'unknown', raw: line }]);
      for (let end = 1; end < whole.length; end += 7) reader.push(whole.slice(0, end), 'stdout', 1);
      expect(reader.push('', 'stdout', 1)).toEqual([]);
    });

    it('reading twice gives the same transcript', () => {
      for (const name of recordingNames(cli)) {
        const recording = loadRecording(cli, name);
        expect(readRecording(adapter, recording)).toEqual(readRecording(adapter, recording));
      }
    });
  });
}
