/** What an autopsy tells of a stuck run: the state, what repeated, how it ended, and the brief. */
import { describe, expect, test } from 'vitest';
import { autopsy } from '../../../../src/core/detect/autopsy/autopsy.ts';
import { diagnose } from '../../../../src/core/diagnose/diagnose.ts';
import type { TranscriptEntry } from '../../../../src/core/vocabulary/transcript.ts';
import { call, edit, failedCall, type Part, transcript } from '../transcript-builder.ts';

const times = <T>(count: number, part: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => part(index));
const task: Part = { say: 'Mend the reader of the settings.', role: 'person' };
const told = (parts: readonly Part[]) => autopsy('x', transcript([task, ...parts]), diagnose);

describe('the cause', () => {
  test('is the error that repeats most, not the last failure of all', () => {
    const found = told([
      call('cat a.ts', 'const a = 1;'),
      ...times(6, () => failedCall('./build', 'ld: cannot find -lfoo')),
      failedCall('ls /nowhere', "ls: cannot access '/nowhere': No such file or directory"),
    ]);
    expect(found.state).toBe('stuck');
    expect(found.rootCause).toContain('-lfoo');
    expect(found.next.brief).not.toContain('/nowhere` (');
  });

  test('is never a failure that came once: that asks for no person', () => {
    const found = told([
      failedCall(
        'curl https://api.example.com',
        'curl: (22) The requested URL returned error: 401 Unauthorized',
      ),
      ...times(6, () => call('cat notes.md', 'nothing here yet, only a heading')),
    ]);
    expect(found.state).toBe('stuck');
    expect(found.rootCause).toContain('cat notes.md');
    expect(found.next.strategy).not.toBe('escalate');
  });

  test('is what was said and done over and over, not that it was said', () => {
    const found = told(
      times(8, (index) => [
        { say: 'I will look at the next part of the file to find where the value is set.' },
        call(`sed -n '${index * 50},${index * 50 + 50}p' big.c`, `part ${'abcdefgh'[index]} of a long file`),
      ]).flat(),
    );
    expect(found.rootCause).toContain('sed -n');
  });
});

describe('the end', () => {
  const work = times(4, (index) => call(`cat part-${index}.ts`, `export const part = ${'abcd'[index]};`));
  const result = (subtype: string): Part => ({
    entry: { type: 'result', at: 0, text: 'ok', isError: false, subtype, deniedTools: [] } as TranscriptEntry,
  });

  test('by turns, budget or time is never that it finished', () => {
    expect(told([...work, result('error_max_turns')]).state).toBe('failed');
    expect(told([...work, result('error_max_budget_usd')]).state).toBe('failed');
    expect(told([...work, result('success')]).state).toBe('finished');
  });

  test('with a question that nobody answered is told as that', () => {
    const asked = told([...work, { say: 'There are two readers. Which of them should I mend?' }]);
    expect(asked.question).toBe('Which of them should I mend?');
    expect(asked.rootCause).toBe('Which of them should I mend?');
    const offered = told([...work, edit('a.ts', 'a', 'b'), { say: 'Done. Shall I mend the writer, too?' }]);
    expect(offered.question).toBeNull();
  });
});

describe('the brief', () => {
  test('names files that were written by a here-document, and no function as a file', () => {
    const found = told([
      call("cat > src/reader.py <<'EOF'\nprint(1)\nEOF", ''),
      call('{"path":"parseAll","command":"insert"}', 'The text has been edited successfully.', 'insert'),
      ...times(6, () => failedCall('python src/reader.py', 'NameError: name x is not defined')),
    ]);
    expect(found.next.brief).toContain('src/reader.py');
    expect(found.next.brief).toMatch(/Changed so far: <<\w+ src\/reader\.py/);
    expect(found.next.brief).not.toContain('Nothing was changed');
  });
});
