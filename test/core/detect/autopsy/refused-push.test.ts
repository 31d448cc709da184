/** Of a push that the other side refuses, the story tells what the other side said, and no line that only lists its address. */
import { expect, test } from 'vitest';
import { type Call, madeRun, times } from './made-run.ts';

const refused = (command: string, said: readonly string[]): Call => [
  'Bash',
  command,
  [
    'Exit code 1',
    ...said.map((line) => `remote: ${line}`),
    'To git.example.org:tern/nest.git',
    ' ! [remote rejected] trunk -> trunk (pre-receive hook declined)',
    "error: failed to push some refs to 'git.example.org:tern/nest.git'",
  ].join('\n'),
];
const begin: readonly Call[] = [
  [
    'Bash',
    'git remote -v',
    'origin\tgit.example.org:tern/nest.git (fetch)\norigin\tgit.example.org:tern/nest.git (push)',
  ],
  [
    'Bash',
    'cat docs/hand-in.md',
    '# Hand in\nThe keeper merges into trunk at night; put a proposal into the queue.',
  ],
];
const forms = ['git push origin trunk', 'git push --force origin trunk', 'git push --no-verify origin trunk'];

test('the reason that the other side gives is told, not the closing line of git', () => {
  const { cause } = madeRun([
    ...begin,
    ...times(3, () =>
      forms.map((form) =>
        refused(form, ['Resolving deltas: 100%', 'trunk is changed by keeper only, in merges']),
      ),
    ),
  ]);
  expect(cause).toContain('remote: trunk is changed by keeper only');
  expect(cause).not.toContain('(fetch)');
});

test('a push that is refused for what is in it is no lack of a right', () => {
  const { cause } = madeRun([
    ...begin,
    ...times(3, () =>
      forms.map((form) => refused(form, ['the subject of a commit has more than 72 characters'])),
    ),
  ]);
  expect(cause).toContain('remote: the subject of a commit has more than 72 characters');
  expect(cause).not.toContain('(fetch)');
});
