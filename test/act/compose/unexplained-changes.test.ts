/** Branches and tags that move while an agent works: the agent's doing is found, the person's own work is left alone. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unexplainedChanges } from '../../../src/act/compose/unexplained-changes.ts';
import { makeWorkspace } from '../../../src/act/workspace/make-workspace.ts';
import { gitIn, temporaryRepository, workspaceSpec, writeFiles } from '../temporary-repository.ts';

/** A person with a second branch, a tag and a second checkout; `since`: when the run was created. */
async function started() {
  const repository = temporaryRepository();
  const { git } = repository;
  git('branch', 'feature');
  git('tag', 'v1');
  const second = join(repository.folder, 'second');
  git('worktree', 'add', '--quiet', second, '-b', 'other');
  commitIn(second, 'precious.txt');
  const since = Date.now() + 1;
  while (Date.now() <= since) await new Promise(setImmediate);
  const workspace = await makeWorkspace(workspaceSpec(repository));
  const agent = (...args: string[]) => gitIn(workspace.path, ...args);
  return { repository, workspace, git, agent, second, since };
}

type Started = Awaited<ReturnType<typeof started>>;

function commitIn(folder: string, name: string): void {
  writeFiles(folder, { [name]: 'x\n' });
  gitIn(folder, 'add', '--all');
  gitIn(folder, 'commit', '--quiet', '--message', name);
}

async function namesOf({ workspace, since }: Started, deliveries: readonly string[] = []): Promise<string[]> {
  const found = await unexplainedChanges(workspace, { since, deliveries: async () => deliveries });
  return found.map(({ name, is }) => (is === null ? `${name} is gone` : name));
}

describe('an agent that reaches for the person’s branches', () => {
  it.each<readonly [what: string, attack: (run: Started) => void, found: string]>([
    [
      'moves main forward to its own commit',
      ({ workspace, agent }) => {
        commitIn(workspace.path, 'agent.txt');
        agent('update-ref', 'refs/heads/main', 'HEAD');
      },
      'refs/heads/main',
    ],
    [
      'merges its own commit in the checkout of the person',
      ({ workspace, agent, git }) => {
        commitIn(workspace.path, 'agent.txt');
        git('merge', '--quiet', '--ff-only', agent('rev-parse', 'HEAD'));
      },
      'refs/heads/main',
    ],
    [
      'moves main sideways',
      ({ agent }) =>
        agent('update-ref', 'refs/heads/main', agent('commit-tree', 'HEAD^{tree}', '-m', 'root')),
      'refs/heads/main',
    ],
    [
      'moves main from a checkout that it made itself',
      ({ repository, agent }) => {
        const made = join(repository.folder, 'made');
        agent('worktree', 'add', '--quiet', '--force', made, 'main');
        commitIn(made, 'agent.txt');
      },
      'refs/heads/main',
    ],
    [
      'deletes a branch that alone holds work of the person',
      ({ agent }) => agent('update-ref', '-d', 'refs/heads/other'),
      'refs/heads/other is gone',
    ],
    [
      'deletes the branch that the work began from',
      ({ agent }) => agent('update-ref', '-d', 'refs/heads/main'),
      'refs/heads/main is gone',
    ],
    [
      'commits on a branch of the person that it checked out',
      ({ workspace, agent }) => {
        agent('checkout', '--quiet', 'feature');
        commitIn(workspace.path, 'agent.txt');
      },
      'refs/heads/feature',
    ],
    [
      'moves a tag',
      ({ agent }) => agent('tag', '--force', 'v1', agent('commit-tree', 'HEAD^{tree}', '-m', 'root')),
      'refs/tags/v1',
    ],
    [
      'has git show another object in place of a judged one',
      ({ agent }) => agent('replace', `HEAD`, agent('commit-tree', 'HEAD^{tree}', '-m', 'root')),
      'refs/replace/HEAD',
    ],
  ])('%s', async (_, attack, found) => {
    const run = await started();
    attack(run);
    const head = run.workspace.baseCommit ?? '';
    expect((await namesOf(run)).map((name) => name.replace(head, 'HEAD'))).toEqual([found]);
  });
});

describe('a person who works while the agent does', () => {
  it('commits, amends, merges and commits in a second checkout', async () => {
    const run = await started();
    commitIn(run.repository.root, 'one.txt');
    run.git('commit', '--quiet', '--amend', '--message', 'better');
    commitIn(run.second, 'two.txt');
    run.git('merge', '--quiet', '--no-edit', 'other');
    run.git('checkout', '--quiet', 'feature');
    run.git('merge', '--quiet', '--ff-only', 'main');
    expect(await namesOf(run)).toEqual([]);
  });

  it('makes branches and tags, and deletes what another branch holds', async () => {
    const run = await started();
    run.git('branch', 'new');
    run.git('tag', 'v2');
    run.git('branch', '--delete', 'feature');
    expect(await namesOf(run)).toEqual([]);
  });

  it('has another run deliver onto main in between', async () => {
    const run = await started();
    commitIn(run.repository.root, 'one.txt');
    const delivered = run.git('commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'work of another run');
    // The checkout is elsewhere, so that only the record knows of the delivery.
    run.git('checkout', '--quiet', '--detach');
    run.git('update-ref', 'refs/heads/main', delivered);
    expect(await namesOf(run)).toEqual(['refs/heads/main']);
    expect(await namesOf(run, [delivered])).toEqual([]);
  });
});
