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
  expect(story).toMatch(/calls(?: and [\w ]+)? went by; the same call came 5 times: /);
  expect(story).not.toContain('again and again');
});

test('a refusal by the rule of somebody else is not told as what the agent can mend', () => {
  const push = (n: number): Call => [
    'bash',
    `git push origin v${n % 2}`,
    'remote: policy: tags are set by the release bot\n ! [remote rejected] v1 (pre-receive hook declined)\nerror: failed to push some refs',
  ];
  const story = storyOf(times(9, (n) => [push(n)]));
  expect(story).toContain('Cause');
  expect(story).not.toContain('the agent can mend it');
});

test('a host that is not reached is not told as what the agent can mend', () => {
  const fetch: Call = ['bash', 'tool init', 'Error: lookup registry.example.org: no such host'];
  const story = storyOf(times(9, () => [fetch]));
  expect(story).toContain('Cause');
  expect(story).not.toContain('the agent can mend it');
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
