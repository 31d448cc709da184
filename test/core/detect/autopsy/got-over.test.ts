/** Where a run got over what it was stuck in, and where it only seems so. */
import { expect, test } from 'vitest';
import { tellStory } from '../../../../src/report/autopsy/story.ts';
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

test('a run that got over its trouble is told so, with the calls that it took', () => {
  const { found, entries } = madeRun([
    ...MADE,
    ['agent', 'I make a file of the right kind.'],
    ['create', 'create Clock.java', '[File: /w/Clock.java (1 lines total)]\n1:'],
    ['edit', 'edit 1:1\npublic class Clock {\n}\nend_of_edit', shown('/w/Clock.java', 2)],
    ['javac', 'javac Clock.java', '/bin/bash: line 1: javac: command not found'],
    ['submit', 'submit', 'diff --git a/Clock.java b/Clock.java\nnew file mode 100644'],
  ]);
  expect(found.state).toBe('stuck');
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

test('a success that did not end the trouble before does not end it now', () => {
  const { found } = madeRun(
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
