/** A failure that a run left behind is its story, however the run ended: by its own word, at a limit, or with the record. */
import { describe, expect, test } from 'vitest';
import { autopsy } from '../../../../src/core/detect/autopsy/autopsy.ts';
import { diagnose } from '../../../../src/core/diagnose/diagnose.ts';
import type { TranscriptEntry } from '../../../../src/core/vocabulary/transcript.ts';
import { tellStory } from '../../../../src/report/autopsy/story.ts';
import { call, edit, failedCall, type Part, transcript } from '../transcript-builder.ts';

const task: Part = { say: 'Sort the shelves by their height.', role: 'person' };
const ended = (subtype: string, text = ''): Part => ({
  entry: { type: 'result', at: 0, text, isError: false, subtype, deniedTools: [] } as TranscriptEntry,
});

function told(parts: readonly Part[]) {
  const entries = transcript([task, ...parts]);
  const found = autopsy('x', entries, diagnose);
  const facts = { sessionId: null, model: null, usage: null, damagedLines: 0 };
  const story = tellStory({ title: 'Agent', entries, resumeCommand: null, facts } as never, found);
  const row = (label: string) => story.facts.find(([name]) => name === label)?.[1] ?? '';
  return { ...found, ...story, cause: row('Cause') };
}

const begin: readonly Part[] = [
  call('ls', 'shelf.py test_shelf.py'),
  call('cat shelf.py', 'def sort(shelves): return shelves'),
];
const red = failedCall(
  'pytest -q',
  "FAILED test_shelf.py::test_sorts - NameError: name 'hieght' is not defined\n1 failed, 4 passed",
);
const green = call('pytest -q', '5 passed in 0.2s');

describe('a run that says it is done', () => {
  test.each<readonly [string, readonly Part[]]>([
    ['by a message', [{ say: 'The shelves are sorted and the work is complete.' }]],
    ['by the last word of its program', [{ say: 'The shelves are sorted.' }, ended('success')]],
  ])('%s after its last check was red is told by that failure', (_, end) => {
    const story = told([...begin, edit('shelf.py', 'shelves', 'sorted(shelves)'), red, ...end]);
    expect(story.state).toBe('failed');
    expect(story.summary).toContain('It ended by itself.');
    expect(story.summary).toContain('Its last check is red.');
    expect(story.summary).toContain('hieght');
    expect(story.cause).toContain('hieght');
    expect(story.timeline.map(([when, what]) => `${when} ${what}`).join('\n')).toMatch(
      /call 4 .*pytest -q.*fails/,
    );
  });

  test('after waiting to the end for what never came is told by what failed last', () => {
    const refused = 'curl: (7) Failed to connect to localhost port 9000: Could not connect to server';
    const waits = Array.from({ length: 7 }, (_, n) =>
      failedCall(`sleep ${10 * (n + 1)} && curl -sS localhost:9000/up`, refused),
    );
    const story = told([...begin, ...waits, ended('success')]);
    expect(story.state).toBe('finished');
    expect(story.summary).toContain('localhost port 9000');
  });

  test('after the check turned green is left alone, and the check is told', () => {
    const mend = edit('shelf.py', 'hieght', 'height');
    const story = told([...begin, red, mend, green, { say: 'The shelves are sorted.' }]);
    expect(story.state).toBe('finished');
    expect(story.class).toBeNull();
    expect(story.summary).toContain('Its last check passed');
    expect(story.summary).toContain('5 passed');
  });

  test('after its check could not run, because the program is not there, is left alone with that said', () => {
    const story = told([
      ...begin,
      edit('shelf.py', 'a', 'b'),
      failedCall('pytest -q', 'bash: line 1: pytest: command not found'),
      call('python shelf.py', 'sorted'),
      { say: 'The shelves are sorted.' },
    ]);
    expect(story.state).toBe('finished');
    expect(story.summary).toContain('Its last check could not run');
  });

  test('without any check says so', () => {
    const story = told([...begin, edit('shelf.py', 'a', 'b'), { say: 'The shelves are sorted.' }]);
    expect(story.state).toBe('finished');
    expect(story.summary).toContain('The record shows no check');
  });
});

describe('a run that a limit ended', () => {
  const apply = (command: string) => failedCall(command, 'ERROR:  relation "shelves" already exists');
  test('is told by what failed again and again before it', () => {
    const story = told([
      ...begin,
      apply('./migrate up'),
      edit('0003.sql', 'a', 'b'),
      apply('./reset && ./migrate up'),
      call('cat 0003.sql', 'create table shelves'),
      apply('./migrate up --verbose'),
      ended('error_max_turns'),
    ]);
    expect(story.state).toBe('failed');
    expect(story.summary).toContain('limit');
    expect(story.summary).toContain('already exists');
    expect(story.cause).toContain('already exists');
    expect(story.timeline.join('\n')).toContain('./migrate up');
  });

  test('without a failure is told by the limit', () => {
    const story = told([...begin, edit('shelf.py', 'a', 'b'), green, ended('error_max_turns')]);
    expect(story.class).toBe('budget_exhausted');
    expect(story.cause).toContain('limit of money, turns or time');
  });
});

describe('a run that was in doubt when the record ends', () => {
  const build = failedCall('npm run build', "src/page.ts(4,2): error TS2339: Property 'height' is missing.");
  test('carries the cause and the first turn', () => {
    const tries = Array.from({ length: 5 }, (_, n) => [edit('src/shelf.ts', `${n}`, `${n + 1}`), build]);
    const story = told([...begin, ...tries.flat(), { say: 'I will try another way.' }]);
    expect(story.cause).toContain('height');
    expect(story.timeline.join('\n')).toMatch(/call 4,.*npm run build.*fails/);
  });

  test('is not told of honest work with one red check', () => {
    const story = told([...begin, edit('src/shelf.ts', 'a', 'b'), build, edit('src/shelf.ts', 'b', 'c')]);
    expect(story.summary).toMatch(/^No known pattern of being stuck when the record ends/);
    expect(story.cause).toBe('');
  });
});

describe('a closing message that asks', () => {
  const ask =
    'There are two heights. Should the outer or the inner one count? Please tell me, and I will go on.';
  test('is told as a question that nobody answered', () => {
    const story = told([...begin, { say: ask }, ended('success')]);
    expect(story.summary).toContain('Should the outer or the inner one count?');
    expect(story.cause).toContain('Should the outer or the inner one count?');
  });

  test('after the work was done is only an offer', () => {
    const story = told([
      ...begin,
      edit('shelf.py', 'a', 'b'),
      green,
      { say: 'Sorted. Should the drawers be sorted, too? Please tell me.' },
    ]);
    expect(story.question).toBeNull();
    expect(story.state).toBe('finished');
  });
});

describe('a closing message that gives up', () => {
  const install = failedCall('npm install shelf-kit', 'npm error code E503 service unavailable');
  test('is not told as done', () => {
    const story = told([
      ...begin,
      install,
      { say: 'I was unable to install the kit. Please do it manually.' },
      ended('success'),
    ]);
    expect(story.state).toBe('failed');
    expect(story.heading.at(-1)).toBe('gave up');
    expect(story.cause).toContain('E503');
  });

  test('is told as done where only a part could not be tried', () => {
    const words = 'The shelves are sorted and the tests pass. I could not try it on the old machine.';
    const story = told([...begin, edit('shelf.py', 'a', 'b'), green, { say: words }, ended('success')]);
    expect(story.state).toBe('finished');
    expect(story.heading.at(-1)).toBe('ended by itself');
  });
});
