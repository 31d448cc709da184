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
  expect(story).toMatch(/calls(?: and [\w ]+)? went by; 4 of them were the same call: /);
  expect(story).not.toContain('again and again');
});

const failing = (command: string, said: string): Call => ['bash', command, `${said}\n[exit code 1]`];
const edit = (n: number, path = '/pond/reed.md'): Call => [
  'Edit',
  JSON.stringify({ file_path: path, old_string: `n = ${n}`, new_string: `n = ${n + 1}` }),
  'updated',
];

test('of the calls since it was stuck, only those that met the failure are told to have met it', () => {
  const red = failing('drain pond', 'Error: the sluice is rusty');
  const story = storyOf([
    red,
    ...times(6, (n) => [edit(n), ['bash', `wade ${n}`, `deep ${n}`] as Call, red]),
  ]);
  const [, calls, met] =
    /(\d+) of \d+ calls.*? went by; (\d+) of them met the same failure: /.exec(story) ?? [];
  expect(story).toContain('the same failure 7 times in all');
  expect(Number(calls)).toBeGreaterThan(2 * Number(met));
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

test('a warning that good and bad runs print is no result that stays bad', () => {
  const warning = 'pond.py:3: DeprecationWarning: ponds are deprecated\n  from water import pond';
  const story = storyOf([
    edit(50),
    ...times(8, (n) => [
      edit(n),
      n === 4
        ? failing('fish', `${warning}\nno fish`)
        : (['bash', 'fish', `${warning}\ncaught ${n}`] as Call),
    ]),
  ]);
  expect(story).not.toContain('the same result');
});

test('that the agent can mend it is told only where the record proves it', () => {
  const wall = times(9, (n) => [edit(n), failing('drain pond', 'Error: the sluice is rusty')]);
  const push = (n: number): Call => [
    'bash',
    `git push origin v${n % 2}`,
    'remote: policy: tags are set by the release bot\n ! [remote rejected] v1 (pre-receive hook declined)\nerror: failed to push some refs',
  ];
  const host: Call = ['bash', 'tool init', 'Error: lookup registry.example.org: no such host'];
  for (const calls of [wall, times(9, (n) => [push(n)]), times(9, () => [host])])
    expect(storyOf(calls)).not.toContain('the agent can mend it');
  const refused: Call = [
    'Edit',
    JSON.stringify({ file_path: '/pond/newt.md', old_string: 'a', new_string: 'b' }),
    'Error: String to replace not found in file.',
  ];
  expect(storyOf(times(9, () => [refused]))).not.toContain('the agent can mend it');
  expect(storyOf([edit(1), ...times(9, () => [refused])])).toContain('the agent can mend it');
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

test('edits that came after the last failure are not told to have changed nothing about it', () => {
  const red = failing('npm test', 'AssertionError: expected 1 frog, got 2');
  const { found } = madeRun([edit(1), red, ['bash', 'ls', 'reed.md'], red, edit(2), ['agent', 'Done.']]);
  expect(found.next.startHere ?? '').not.toContain('The edits so far');
});
