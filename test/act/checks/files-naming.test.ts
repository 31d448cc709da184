/** Which files of a tree name another. */
import { expect, it } from 'vitest';
import { filesNaming } from '../../../src/act/checks/files-naming.ts';
import { takeCheckpoint } from '../../../src/act/checkpoint/take-checkpoint.ts';
import { openWorkspace } from '../../../src/act/workspace/workspace.ts';
import { preparedWorkspace } from '../temporary-repository.ts';

it('each file has its own text, also beside a name with a line end', async () => {
  const files = {
    'a\nb.txt': 'one same\n',
    'c.txt': 'two same\n',
    'd.txt': 'other\n',
    'test/e.txt': 'three same\n',
  };
  const run = await preparedWorkspace(files);
  const { tree } = await takeCheckpoint({ ...run, number: 1, reason: 'x' });
  const { shadow } = await openWorkspace(run);
  expect(await filesNaming(shadow, tree, { path: 'same.py', isNew: false })).toEqual([
    { path: 'a\nb.txt', text: 'one same\n' },
    { path: 'c.txt', text: 'two same\n' },
    { path: 'test/e.txt', text: 'three same\n' },
  ]);
});
