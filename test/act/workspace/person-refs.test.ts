import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { keepStartRefs, movedSinceStart } from '../../../src/act/workspace/person-refs.ts';
import { runStatePath } from '../../../src/act/workspace/home-layout.ts';
import { openWorkspace } from '../../../src/act/workspace/workspace.ts';
import { preparedWorkspace } from '../temporary-repository.ts';

it('a ref is told when it moved after the agent started, and is no delivery of another run', async () => {
  const run = await preparedWorkspace({ 'a.txt': 'a' });
  const { repository } = run;
  const workspace = await openWorkspace(run);
  repository.git('tag', 'while-it-waited');
  await keepStartRefs(workspace);
  repository.git('tag', 'by-the-agent');
  const delivered = repository.git('commit-tree', 'HEAD^{tree}', '-m', 'work').trim();
  repository.git('branch', 'of-another-run', delivered);
  const told = await movedSinceStart(workspace, async () => [delivered]);
  expect(told).toEqual([expect.stringMatching(/^refs\/tags\/by-the-agent is new/)]);
});

it('where a power loss left the note of the start empty, the refs of the preparation count', async () => {
  const run = await preparedWorkspace({ 'a.txt': 'a' });
  const workspace = await openWorkspace(run);
  run.repository.git('tag', 'since-the-preparation');
  await keepStartRefs(workspace);
  expect(await movedSinceStart(workspace)).toEqual([]);
  writeFileSync(join(runStatePath(workspace.shadow, run.runId), 'start-refs.json'), '');
  expect(await movedSinceStart(workspace)).toEqual([
    expect.stringMatching(/^refs\/tags\/since-the-preparation is new/),
  ]);
});
