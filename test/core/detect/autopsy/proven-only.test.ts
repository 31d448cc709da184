/** An autopsy says what the record proves: one verdict with the signals, a line that stands in the record, and that why is not proven. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { entriesOfSteps } from '../../../../src/agents/neutral/steps.ts';
import { type Autopsy, autopsy } from '../../../../src/core/detect/autopsy/autopsy.ts';
import { diagnose } from '../../../../src/core/diagnose/diagnose.ts';
import type { TranscriptEntry } from '../../../../src/core/vocabulary/transcript.ts';
import { stops } from '../../../../src/core/vocabulary/signal.ts';
import { call, edit, failedCall, type Part, transcript } from '../transcript-builder.ts';

const times = <T>(count: number, part: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => part(index));
const task: Part = { say: 'Mend the reader of the settings.', role: 'person' };
const told = (parts: readonly Part[]) => autopsy('x', transcript([task, ...parts]), diagnose);
const criticals = ({ signals }: Autopsy) => signals.filter(({ severity }) => severity === 'critical');

const folder = resolve(import.meta.dirname, '../../../fixtures/stories');
const runs = ['made.jsonl', 'more.jsonl']
  .flatMap((name) => readFileSync(resolve(folder, name), 'utf8').trim().split('\n'))
  .map((line) => JSON.parse(line) as { readonly id: string; readonly steps: readonly unknown[] });

describe.each(runs)('of the run $id', ({ id, steps }) => {
  const { entries } = entriesOfSteps(steps);
  const found = autopsy(id, entries, diagnose);

  test('the state is the verdict of its signals', () => {
    const stopped = criticals(found).some(stops);
    if (found.state === 'stuck') expect(stopped).toBe(true);
    if (found.state === 'progressing') expect(criticals(found)).toEqual([]);
  });

  test('the repeated line stands word for word in as many answers as is said', () => {
    const { repeatedLine: line } = found;
    const shown = entries.filter(
      (entry) => line !== null && 'output' in entry && entry.output.includes(line.text),
    );
    expect(shown.length).toBeGreaterThanOrEqual(line?.turns.length ?? 0);
  });

  test('a loop gets no advice', () => {
    if (found.class === 'looping') expect(found.next.startHere).toBeNull();
  });
});

describe('a run that looped to its budget', () => {
  const loop = times(12, () => failedCall('./build', 'ld: cannot find -lfoo'));
  test.each(['exit_cost', 'Maximum turns (50) reached', 'submitted (exit_cost)'])(
    'is never finished: %s',
    (say) => {
      expect(told([...loop, { say }]).state).toBe('stuck');
    },
  );

  test('and then submitted is not finished either', () => {
    expect(told([...loop, call('submit', 'diff --git a/a b/a', 'submit')]).state).toBe('stuck');
  });
});

describe('the cause', () => {
  test('is the line that repeats most, in quotation marks, and why is not proven', () => {
    const { rootCause, repeatedLine } = told([
      call('ls', 'a b'),
      ...times(6, (n) => failedCall('./build', `linking part ${'abcdef'[n]}\nld: cannot find -lfoo`)),
      failedCall('ls /nowhere', "ls: cannot access '/nowhere': No such file or directory"),
    ]);
    expect(rootCause).toBe('6 failing calls printed this line: "ld: cannot find -lfoo"; why is not proven');
    expect(repeatedLine).toMatchObject({ text: 'ld: cannot find -lfoo', turns: { length: 6 } });
  });

  test('is what is said of a test that fails, not its bare name', () => {
    const red = failedCall(
      'npm test',
      'FAIL upload.test.ts\nError: connect ECONNREFUSED 127.0.0.1:9000\n1 failed',
    );
    expect(told(times(8, () => red)).repeatedLine?.text).toBe('Error: connect ECONNREFUSED 127.0.0.1:9000');
  });

  test('tells the edits that came in between', () => {
    const found = told(
      times(8, (n) => [
        edit('src/a.ts', `${n}`, `${n + 1}`),
        failedCall('npm test', 'Error: no lamp'),
      ]).flat(),
    );
    expect(found.rootCause).toMatch(
      /"Error: no lamp"; \d edits in between \(src\/a\.ts\); why is not proven/,
    );
  });

  test('of calls that do not fail is that they were made, and what they answered', () => {
    const found = told(times(8, () => call('cat notes.md', 'nothing here yet, only a heading')));
    expect(found.rootCause).toContain('`cat notes.md` was made');
    expect(found.rootCause).toContain('gave the same answer each time; why is not proven');
    expect(found.repeatedLine).toBeNull();
  });

  test('of a refusal that repeats is the refusal, word for word', () => {
    const refusal = 'Stop hook: CHANGELOG.md must have an entry for this change before you may finish.';
    const found = told([
      call('ls', 'src'),
      ...times(6, (): readonly Part[] => [
        { say: 'The work is complete and verified.' },
        { say: refusal, role: 'person' },
        call('git diff --stat', 'a.sql | 12 ++'),
      ]).flat(),
    ]);
    expect(found.signals.some(({ reason }) => reason.includes('CHANGELOG.md must have an entry'))).toBe(true);
  });

  test('of an error with which the agent ended is that error, with its class and what to do', () => {
    const entry: TranscriptEntry = {
      type: 'error',
      at: 0,
      text: 'API Error: 401 {"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}',
      status: 401,
    };
    const found = told([call('ls', 'src'), { entry }]);
    expect(found).toMatchObject({ state: 'failed', class: 'auth_failure' });
    expect(found.next.startHere).not.toBeNull();
  });
});
