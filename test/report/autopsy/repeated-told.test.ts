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

test('the calls since it was stuck are counted apart from those that met the failure', () => {
  const red = failing('drain pond', 'Error: the sluice is rusty');
  const story = storyOf([
    red,
    ...times(6, (n) => [edit(n), ['bash', `wade ${n}`, `deep ${n}`] as Call, red]),
  ]);
  expect(story).toContain('the same failure 7 times in all');
  const [, calls] = /That took (\d+) of 19 calls/.exec(story) ?? [];
  expect(Number(calls)).toBeGreaterThan(7);
});

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

test('a check that fails in another way each time is not told to fail alike', () => {
  const story = storyOf(
    ['frog', 'newt', 'duck', 'heron', 'otter'].flatMap((name, n) => [
      edit(n),
      failing('npm test', `AssertionError: the ${name} is not in the ${name}house`),
    ]),
  );
  expect(story).toContain('5 times, in another way each time');
});

test('a look at what git has stashed is no change', () => {
  const looks: readonly Call[] = [
    ['Edit', '{"file_path":"/pond/reed.md","old_string":"a","new_string":"b"}', 'updated'],
    ['bash', 'ls', 'reed.md'],
    ['bash', 'git branch -a; git stash list; git status --short', '* main'],
  ];
  const story = storyOf(looks);
  expect(story).toContain('last change: reed.md');
});

test('what stands in quotes or in a here-document was not started', () => {
  const script = "cat > f.py <<'EOF'\nx = 'a & b'\nrun(x) &\nEOF";
  const calls: readonly Call[] = [
    ['bash', script, ''],
    ['bash', `sed -i 's/a/b/' f.py; sed -i 's/a & b/c; rm d/' f.py`, ''],
    ['bash', 'swim & ', ''],
  ];
  const red = failing('drain pond', 'Error: the sluice is rusty');
  const story = storyOf([red, ...times(6, (n) => [edit(n), red]), ...calls, red]);
  expect(/started in the background .*/.exec(story)?.[0]).toBe('started in the background swim');
});
