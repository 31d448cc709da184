/** `delivery.commits: keep`: the agent's own history goes out only where every version in it was judged. */
import { expect, it } from 'vitest';
import { agentCommits } from '../../../src/act/deliver/delivered-history.ts';
import { unjudgedPath } from '../../../src/act/deliver/delivered-history.ts';
import { takeCheckpoint } from '../../../src/act/checkpoint/take-checkpoint.ts';
import { gitIn, preparedWorkspace, writeFiles } from '../temporary-repository.ts';

type Prepared = Awaited<ReturnType<typeof preparedWorkspace>>;

function commit(run: Prepared, files: Readonly<Record<string, string>>): void {
  writeFiles(run.path, files);
  gitIn(run.path, 'add', '--all');
  gitIn(run.path, 'commit', '--quiet', '--message', Object.keys(files).join(' '));
}

async function unjudged(run: Prepared): Promise<string | null> {
  const { tree } = await takeCheckpoint({ ...run, number: 1, reason: 'test' });
  const commits = await agentCommits(run.workspace);
  return await unjudgedPath(run.workspace, { head: commits?.head ?? '', tree, at: 1_700_000_000_000 });
}

it('is kept where each file was committed as it is delivered', async () => {
  const run = await preparedWorkspace({ 'a.txt': 'a\n' });
  commit(run, { 'a.txt': 'changed\n' });
  commit(run, { 'b.txt': 'b\n' });
  writeFiles(run.path, { 'c.txt': 'not committed\n' });
  expect(await unjudged(run)).toBeNull();
});

it.each<readonly [what: string, attack: (run: Prepared) => void, found: string]>([
  [
    'added and taken away again',
    (run) => {
      commit(run, { 'secret.txt': 'x\n' });
      gitIn(run.path, 'rm', '--quiet', 'secret.txt');
      commit(run, { 'a.txt': 'changed\n' });
    },
    'secret.txt',
  ],
  [
    'in a version that was replaced before the end',
    (run) => {
      commit(run, { 'a.txt': 'out of the gate’s sight\n' });
      commit(run, { 'a.txt': 'changed\n' });
    },
    'a.txt',
  ],
  [
    'in a history without a parent, merged in without its content',
    (run) => {
      commit(run, { 'a.txt': 'changed\n' });
      writeFiles(run.path, { 'hidden.txt': 'x\n' });
      gitIn(run.path, 'add', 'hidden.txt');
      const hidden = gitIn(run.path, 'commit-tree', gitIn(run.path, 'write-tree'), '-m', 'root');
      gitIn(run.path, 'rm', '--quiet', '--force', 'hidden.txt');
      gitIn(
        run.path,
        'merge',
        '--quiet',
        '--strategy=ours',
        '--allow-unrelated-histories',
        '-m',
        'm',
        hidden,
      );
    },
    'hidden.txt',
  ],
  [
    'on another branch of the person, merged in without its content',
    (run) => {
      run.repository.git('checkout', '--quiet', '-b', 'private');
      run.repository.write({ 'private.txt': 'x\n' });
      run.repository.git('add', '--all');
      run.repository.git('commit', '--quiet', '--message', 'private');
      commit(run, { 'a.txt': 'changed\n' });
      gitIn(run.path, 'merge', '--quiet', '--strategy=ours', '-m', 'm', 'private');
    },
    'private.txt',
  ],
])('is not kept with content %s', async (_, attack, found) => {
  const run = await preparedWorkspace({ 'a.txt': 'a\n' });
  attack(run);
  expect(await unjudged(run)).toBe(found);
});
