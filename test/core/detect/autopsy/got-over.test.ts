/** Trouble that is over needs no advice: the next step comes from what is open at the end. */
import { expect, test } from 'vitest';
import { tellStory } from '../../../../src/report/autopsy/story.ts';
import { sideEffects } from '../../../../src/core/detect/autopsy/side-effects.ts';
import { type Call, madeRun, type Said, times } from './made-run.ts';

const shown = (path: string, lines: number) =>
  `[File: ${path} (${lines} lines total)]\n1:text\nFile updated.`;
const REFUSED =
  'Your proposed edit has introduced new syntax error(s).\n\nERRORS:\n- E999 SyntaxError: invalid syntax';
const refusedEdits = (count: number) =>
  times<Said | Call>(count, (n) => [
    ['agent', `I put the class into the file, try ${n}.`],
    ['edit', `edit 1:1\npublic class Clock ${n} {\n}\nend_of_edit`, REFUSED],
  ]);

const MADE: readonly (Said | Call)[] = [
  ['agent', 'I reproduce it in try.py.'],
  ['create', 'create try.py', '[File: /w/try.py (1 lines total)]\n1:'],
  ...refusedEdits(7),
];

test('a run that got over its trouble and hands in only files of its own is told to change the project', () => {
  const { found, next, entries } = madeRun([
    ...MADE,
    ['agent', 'I make a file of the right kind.'],
    ['create', 'create Clock.java', '[File: /w/Clock.java (1 lines total)]\n1:'],
    ['edit', 'edit 1:1\npublic class Clock {\n}\nend_of_edit', shown('/w/Clock.java', 2)],
    ['javac', 'javac Clock.java', '/bin/bash: line 1: javac: command not found'],
    ['submit', 'submit', 'diff --git a/Clock.java b/Clock.java\nnew file mode 100644'],
  ]);
  expect(found.state).toBe('stuck');
  expect(next).toContain('The record shows no change of a file of the project');
  expect(next).toContain('Clock.java');
  expect(next).toContain('javac was not found');
  expect(next).not.toContain('Write that text into a Java file');
  const session = {
    title: 'Agent',
    entries,
    resumeCommand: null,
    facts: { sessionId: null, usage: null, damagedLines: 0 },
  };
  const story = tellStory(session as never, found);
  expect(story.summary).toContain('It got over that in call 9');
  expect(story.timeline.find(([when]) => when === '4-8')?.[1]).toContain('the same failure 7 times');
});

test('a run that changed a file of the project is not told so', () => {
  const { next } = madeRun([
    ...MADE,
    ['agent', 'The source is what I have to change: src/clock.py.'],
    ['open', 'open src/clock.py', shown('/w/src/clock.py', 80)],
    ['edit', 'edit 3:3\nNOW = 1\nend_of_edit', shown('/w/src/clock.py', 80)],
  ]);
  expect(next).not.toContain('No file of the project');
  expect(next).toContain('/w/src/clock.py');
});

test('a success that did not end the trouble before does not end it now', () => {
  const { found, next } = madeRun(
    times<Call>(6, (n) => [
      [
        'search_file',
        `search_file "word${n}" Coll.java`,
        'Error: File name Coll.java not found. Please provide a valid file name.',
      ],
      [
        'search_file',
        `search_file "word0" /w/src/Coll.java`,
        'Found 2 matches for "word0" in /w/src/Coll.java:\nLine 4: word0',
      ],
    ]),
  );
  expect(found.overIn).toBeNull();
  expect(next).toContain('Use /w/src/Coll.java from the start');
});

test('an error that is mended at once with a new answer is not yet trouble', () => {
  const { since } = madeRun([
    ['bash', 'ls', 'src'],
    ...times<Call>(9, (n) => [
      [
        'search_file',
        `search_file "word${n}" Coll.java`,
        'Error: File name Coll.java not found. Please provide a valid file name.',
      ],
      [
        'search_file',
        `search_file "word${Math.min(n, 4)}" /w/src/Coll.java`,
        `Found ${Math.min(n, 4) + 1} matches: Line 4: ${'abcdefghi'.slice(0, Math.min(n, 4) + 1)}`,
      ],
    ]),
  ]);
  // Five pairs told something new; the sixth is the first that does not.
  expect(since).toBe(12);
});

test('an edit that went into a file that the agent did not mean is taken back first', () => {
  const { next, found } = madeRun([
    ...MADE,
    ['agent', 'Let me look at how the clock is made.'],
    ['open', 'open src/Clock.java', shown('/w/src/Clock.java', 120)],
    ['agent', 'I put the import into the `try.py` file.'],
    ['edit', 'edit 1:1\nimport java.util.Date;\nend_of_edit', shown('/w/src/Clock.java', 121)],
    ['grep', 'grep -n Date Clock.java', 'grep: Clock.java: No such file or directory'],
  ]);
  expect(next).toMatch(/^Take back this run's own change of \/w\/src\/Clock\.java .* first/);
  expect(next).toContain('was meant for try.py');
  expect(found.overIn).toBeNull();
  expect(sideEffects(found.turns).filter(({ what }) => what.endsWith('try.py'))).toHaveLength(1);
});

test('an edit of the file that the agent speaks of stays', () => {
  const { next } = madeRun([
    ...MADE,
    ['open', 'open src/Clock.java', shown('/w/src/Clock.java', 120)],
    ['agent', 'I add the import to Clock.java, not to try.py.'],
    ['edit', 'edit 1:1\nimport java.util.Date;\nend_of_edit', shown('/w/src/Clock.java', 121)],
  ]);
  expect(next).not.toContain('Restore');
});
