import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeWorkspace } from '../../../src/act/workspace/make-workspace.ts';
import { restoreCheckpoint } from '../../../src/act/checkpoint/restore-checkpoint.ts';
import { takeCheckpoint } from '../../../src/act/checkpoint/take-checkpoint.ts';
import { verifyCheckpoint } from '../../../src/act/checkpoint/verify-checkpoint.ts';
import { PLAYS_ALL } from '../../lane.ts';
import { temporaryFolder, workspaceSpec } from '../temporary-repository.ts';

const FILES = PLAYS_ALL ? 20_000 : 4_000;

it(`${FILES} files are saved, changed while they are saved, verified and restored`, {
  timeout: 240_000,
}, async () => {
  const folder = temporaryFolder();
  const home = join(folder, 'home');
  const root = join(folder, 'plain');
  for (let at = 0; at < FILES; at += 1) {
    if (at % 100 === 0) mkdirSync(join(root, `d${at / 100}`), { recursive: true });
    writeFileSync(join(root, `d${Math.floor(at / 100)}/f${at % 100}`), `content ${at}`);
  }
  const growing = setInterval(() => writeFileSync(join(root, 'd0/f0'), `${performance.now()}`), 1);
  const workspace = await makeWorkspace(workspaceSpec({ home, root }));
  clearInterval(growing);
  writeFileSync(join(root, 'd0/f0'), 'quiet');
  const run = { home, runId: workspace.runId };
  const first = await takeCheckpoint({ ...run, number: 1, reason: 'x' });
  expect(first).toMatchObject({ state: 'complete', files: FILES });
  rmSync(join(root, 'd7'), { recursive: true });
  writeFileSync(join(root, 'd8/f8'), 'changed');
  expect(await takeCheckpoint({ ...run, number: 2, reason: 'x' })).toMatchObject({ files: FILES - 100 });
  expect(await verifyCheckpoint({ ...run, number: 1 })).toEqual({ holds: true, problems: [] });
  const restored = await restoreCheckpoint({ ...run, number: 1, liveProcesses: 0 });
  expect(restored.restored).toHaveLength(101);
  expect(readFileSync(join(root, 'd7/f7'), 'utf8')).toBe('content 707');
  expect((await takeCheckpoint({ ...run, number: 9, reason: 'x' })).tree).toBe(first.tree);
});
