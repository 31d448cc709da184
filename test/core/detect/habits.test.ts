import { describe, expect, test } from 'vitest';
import type { TranscriptEntry } from '../../../src/core/vocabulary/transcript.ts';
import { call, edit, failedCall, hear, type Part } from './transcript-builder.ts';

const heard = (parts: readonly Part[], policy = {}) =>
  hear(parts, policy).signals.map((signal) => `${signal.type} ${signal.severity}`);
const repeat = (count: number, part: Part): readonly Part[] => Array.from({ length: count }, () => part);

describe('errors', () => {
  test('of the same kind met by different calls are one error', () => {
    const parts = [
      'javac A.java',
      'javac -cp . A.java',
      'javac -d out A.java',
      'which javac; javac B.java',
      'javac *.java',
    ].map((command, index) =>
      failedCall(command, `/bin/bash: line ${1000 + index}: javac: command not found`),
    );
    expect(heard(parts)).toEqual(
      expect.arrayContaining(['repeated_error critical', 'tool_missing critical']),
    );
  });

  test('that differ are no repetition', () => {
    const parts = [
      'TypeError: a is null',
      'SyntaxError: bad token',
      'RangeError: too deep',
      'KeyError: "x"',
      'IndexError: 4 > 3',
    ].flatMap((error) => [
      edit('a.py', error, `${error} fixed`),
      failedCall('python a.py', `Traceback (most recent call last):\n${error}`),
    ]);
    expect(heard(parts)).toEqual([]);
  });

  test('that the agent CLI retries by itself are worth a word, never a stop', () => {
    const retry: TranscriptEntry = {
      type: 'retry',
      at: 0,
      attempt: 1,
      delayMs: 10,
      status: 529,
      text: 'overloaded',
    };
    expect(heard(repeat(20, { entry: retry }))).toEqual(['repeated_error warning']);
  });
});

describe('permission', () => {
  test('denied three times is worth a word, five times a stop', () => {
    const names = ['one', 'two', 'three', 'four', 'five'];
    const parts = names.map((name) =>
      failedCall(`{"file_path":"${name}.ts"}`, 'Permission to use Write has been denied.', 'Write'),
    );
    expect(heard(parts.slice(0, 2))).not.toContain('denied_again warning');
    expect(heard(parts)).toEqual(expect.arrayContaining(['denied_again warning', 'denied_again critical']));
  });

  test('given once forgives the denials before it', () => {
    const denied = failedCall('{"file_path":"a.ts"}', 'Permission to use Write has been denied.', 'Write');
    const parts = [denied, denied, call('{"file_path":"b.ts"}', 'File created', 'Write'), denied, denied];
    expect(heard(parts).filter((signal) => signal.startsWith('denied_again'))).toEqual([]);
  });
});

describe('tests', () => {
  const fails = (ms: number) => failedCall('npm test', `FAIL src/a.test.ts > adds\n1 failed in ${ms} ms`);

  test('run again without an edit, with other times but the same failure, are noticed', () => {
    expect(heard([fails(10), fails(12), fails(9)])).toContain('test_repeat warning');
    expect(heard([fails(10), fails(12), fails(9), fails(11), fails(8)])).toContain('test_repeat critical');
  });

  test('run after each edit are work', () => {
    const parts = [1, 2, 3, 4, 5, 6].flatMap((index) => [
      edit('src/a.ts', `a${index}`, `b${index}`),
      fails(index),
    ]);
    expect(heard(parts).filter((signal) => signal.startsWith('test_repeat'))).toEqual([]);
  });
});

describe('edits', () => {
  test('that take each other back are noticed, though each is accepted', () => {
    const there = edit('src/a.ts', 'retry(3)', 'retry(5)');
    const back = edit('src/a.ts', 'retry(5)', 'retry(3)');
    expect(heard([there, back])).toEqual([]);
    expect(heard([there, back, there])).toContain('edit_undo warning');
    expect(heard([there, back, there, back, there])).toContain('edit_undo critical');
  });

  test('that put debug output in and out are clean-up, however many', () => {
    const parts = Array.from({ length: 12 }, (_, index) => [
      edit('src/a.ts', `line ${index}`, `line ${index}; console.log(${index})`),
      edit('src/a.ts', `line ${index}; console.log(${index})`, `line ${index}`),
    ]).flat();
    expect(heard(parts)).toEqual([]);
  });

  test('that flip the tree between two states are noticed, whatever tool made them', () => {
    const parts = [0, 1, 0, 1, 0, 1, 0, 1, 0].map(
      (tree): Part => ({ progress: 'tree', detail: `tree-${tree}` }),
    );
    expect(heard(parts)).toEqual(['edit_undo warning', 'edit_undo critical']);
  });

  test('that go forward are not', () => {
    const parts = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter, index) =>
      edit('src/a.ts', `${letter}`, `${'bcdefg'[index]}`),
    );
    expect(heard(parts)).toEqual([]);
  });

  test('outside the scope are told with their paths; the third is critical', () => {
    const policy = { scope: ['src/auth/**'] };
    const parts = ['/repo/src/auth/a.ts', '/repo/db/a.ts', '/repo/db/b.ts', '/repo/db/c.ts'].map((path) =>
      edit(path, `old ${path}`, 'new'),
    );
    expect(heard(parts.slice(0, 1), policy)).toEqual([]);
    expect(heard(parts, policy)).toEqual(['scope_drift warning', 'scope_drift critical']);
    expect(heard(parts)).toEqual([]);
  });
});

describe('talk', () => {
  const thought = 'I will now look at the configuration once more to be sure that I understand it.';

  test('in the same words is noticed at the third time and ends at the fourth', () => {
    expect(heard(repeat(2, { say: thought }))).toEqual([]);
    expect(heard(repeat(4, { say: thought }))).toEqual(['monologue warning', 'monologue critical']);
  });

  test('that chants one line inside a message is noticed', () => {
    expect(heard([{ say: 'The answer is forty-two.\n'.repeat(30) }])).toEqual(['monologue critical']);
  });

  test('without an action only ever warns', () => {
    const parts = Array.from(
      { length: 40 },
      (_, index): Part => ({ say: `thought number ${'x'.repeat(index)}` }),
    );
    expect(heard(parts)).toEqual(['monologue warning']);
  });
});

describe('the context', () => {
  const compaction: Part = { entry: { type: 'compaction', at: 0, text: 'auto' } };

  test('compacted again and again without a change is a loop', () => {
    const parts = [1, 2, 3, 4, 5].flatMap((index) => [
      compaction,
      call(`cat ${'x'.repeat(index)}`, `text ${'y'.repeat(index)}`),
    ]);
    expect(heard(parts)).toEqual(['compaction_loop warning', 'compaction_loop critical']);
  });

  test('compacted after much reading was used, not wasted', () => {
    const reading = (part: number) =>
      Array.from({ length: 15 }, (_, index) =>
        call(
          `cat ${'a'.repeat(part + 1)}${'b'.repeat(index)}`,
          `text ${part}${'c'.repeat(20 * part + index)}`,
        ),
      );
    const parts = [1, 2, 3, 4, 5, 6].flatMap((part) => [compaction, ...reading(part)]);
    expect(heard(parts).filter((signal) => signal.startsWith('compaction'))).toEqual([]);
  });

  test('compacted between changes is a long piece of work', () => {
    const parts = [1, 2, 3, 4, 5, 6].flatMap((index) => [compaction, edit('a.ts', `a${index}`, `b${index}`)]);
    expect(heard(parts)).toEqual([]);
  });
});

describe('success', () => {
  const result = (fields: Partial<Extract<TranscriptEntry, { type: 'result' }>>): Part => ({
    entry: {
      type: 'result',
      at: 0,
      text: 'All done.',
      isError: false,
      subtype: 'success',
      deniedTools: [],
      ...fields,
    },
  });

  test('claimed after a failing test run is doubted', () => {
    expect(heard([failedCall('npm test', '3 failed'), result({})])).toEqual(['false_success warning']);
  });

  test('claimed when every write was denied is not believed', () => {
    expect(heard([result({ deniedTools: ['Write'] })])).toEqual(['false_success critical']);
  });

  test('claimed after a passing test run is left to the gates', () => {
    expect(heard([failedCall('npm test', '3 failed'), call('npm test', '12 passed'), result({})])).toEqual(
      [],
    );
  });

  test('claimed by a CLI that stopped itself in a loop is a loop', () => {
    expect(
      heard([{ entry: { type: 'error', at: 0, text: 'Loop detected, stopping execution', status: null } }]),
    ).toContain('looping critical');
  });
});

describe('another place', () => {
  test('makes the same command another command', () => {
    const parts = Array.from({ length: 10 }, (_, index) => [
      call(`cd packages/${'p'.repeat(index + 1)}`, ''),
      call('npm test', '12 passed'),
    ]).flat();
    expect(heard(parts)).toEqual([]);
  });

  test('that is the same place again does not', () => {
    const parts = Array.from({ length: 6 }, () => [call('cd packages/a', ''), call('ls', 'index.ts')]).flat();
    expect(heard(parts)).toContain('looping critical');
  });
});

describe('advice', () => {
  test('is unknown until there is something to judge', () => {
    expect(hear([call('ls', 'a.ts')]).watch.advice).toBe('unknown');
    expect(hear([call('ls', 'a.ts'), call('cat a.ts', 'text'), call('cat b.ts', 'more')]).watch.advice).toBe(
      'progressing',
    );
  });

  test('is forgotten when there is progress', () => {
    const stuck = repeat(5, call('ls build', 'out.js'));
    expect(hear(stuck).watch.advice).toBe('stop');
    expect(hear([...stuck, { progress: 'commit', detail: 'abc' }]).watch.advice).toBe('progressing');
  });

  test('does not grow with the run: the watch keeps its size', () => {
    const parts = Array.from({ length: 3_000 }, (_, index) =>
      call(`run ${index}`, `out ${'z'.repeat(index % 90)}`),
    );
    const size = (count: number) => JSON.stringify(hear(parts.slice(0, count)).watch).length;
    expect(size(3_000)).toBeLessThan(1.2 * size(300));
  });
});
