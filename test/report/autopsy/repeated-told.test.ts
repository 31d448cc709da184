/** What a story says of calls that repeat is what the record shows of them. */
import { expect, test } from 'vitest';
import { storyText } from '../../../src/report/autopsy/story-text.ts';
import { tellStory } from '../../../src/report/autopsy/story.ts';
import { type Call, madeRun, times } from '../../core/detect/autopsy/made-run.ts';

const facts = { sessionId: null, model: null, usage: null, damagedLines: 0, cwd: '/pond' };

function storyOf(calls: readonly Call[]): string {
  const { found, entries } = madeRun(calls);
  return storyText(tellStory({ title: 'run', entries, resumeCommand: null, facts } as never, found), null);
}

test('one of several looks in turn is counted by itself, not with the others', () => {
  const looks = ['reed', 'frog', 'newt', 'duck'].map(
    (name): Call => [
      'Read',
      `{"file_path":"/pond/${name}.md"}`,
      `# ${name}\nIt lives in the pond.\n`.repeat(9),
    ],
  );
  const story = storyOf(times(5, () => looks));
  expect(story).toContain('It made the call `Read reed.md` 5 times');
  expect(story).not.toContain('again and again');
});

const failing = (command: string, said: string): Call => ['bash', command, `${said}\n[exit code 1]`];
const edit = (n: number, path = '/pond/reed.md'): Call => [
  'Edit',
  JSON.stringify({ file_path: path, old_string: `n = ${n}`, new_string: `n = ${n + 1}` }),
  'updated',
];

test('a call counts once: the same failure in another tool is none of the other calls that failed', () => {
  const said = 'Error: the sluice is rusty';
  const story = storyOf(
    times(9, (n) => [
      edit(n),
      failing('drain pond', said),
      ['shell', 'drain pond --slowly', `${said}\n[exit code 1]`] as Call,
      failing(`row ${'abcdefghi'[n]}`, `Error: no oar ${'abcdefghi'[n]}`),
    ]),
  );
  expect(story).toMatch(/the same failure 18 times in all; \d edits; \d other calls failed/);
});
