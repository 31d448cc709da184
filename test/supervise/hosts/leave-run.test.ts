/** What a host says of the work that only it had, when another host has the run. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { quarantinePath } from '../../../src/act/workspace/home-layout.ts';
import type { RunRecord } from '../../../src/record/contract.ts';
import { leaveRun, tellLeft } from '../../../src/supervise/hosts/leave-run.ts';
import { personKeyOrNull } from '../../../src/supervise/mail/person-key.ts';
import { readMail } from '../../../src/supervise/mail/read-mail.ts';
import { preparedWorkspace, writeFiles } from '../../act/temporary-repository.ts';
import { DEFAULT_POLICY } from '../../../src/core/vocabulary/policy.ts';
import { OPTIONS, TASK } from '../../core/story.ts';

const created = {
  type: 'run_created',
  at: 1_700_000_000_000,
  task: TASK,
  policy: DEFAULT_POLICY,
  agent: { name: 'rehearsal', command: [], model: null },
  options: OPTIONS,
  repository: '/repo',
  by: 'ann',
};
const letters: string[] = [];
const record = {
  events: () => Promise.resolve([{ version: 2, body: JSON.stringify(created) }]),
  redacted: (text: string) => text,
  post: (_: string, letter: string) => Promise.resolve(letters.push(letter)),
} as unknown as RunRecord;

afterEach(() => {
  vi.restoreAllMocks();
  letters.length = 0;
});

type Prepared = Awaited<ReturnType<typeof preparedWorkspace>>;

async function saidAfterLeaving({ home, runId }: Prepared): Promise<string> {
  const said = vi.spyOn(console, 'error').mockReturnValue();
  await tellLeft(home, record, await leaveRun(home, record, runId));
  return said.mock.calls.join('\n');
}

describe('a host whose run another host has', () => {
  it('says that nothing was lost where the record has all', async () => {
    expect(await saidAfterLeaving(await preparedWorkspace())).toContain('nothing was lost');
    expect(letters).toEqual([]);
  });

  it('names the branch with what only it had, and tells the run of it', async () => {
    const run = await preparedWorkspace();
    writeFiles(run.path, { 'new.txt': 'new\n' });
    const [branch = ''] = /mayday\/\w+-salvage-\w+/.exec(await saidAfterLeaving(run)) ?? [];
    expect(run.repository.git('show', `${branch}:new.txt`)).toBe('new');
    const [mail] = letters.map((body) =>
      readMail(body, { runId: run.runId, key: personKeyOrNull(run.home), heard: [] }),
    );
    expect(mail).toMatchObject({ type: 'word', word: { type: 'work_salvaged', ref: branch } });
  });

  it('names the folder where no branch can be made', async () => {
    const run = await preparedWorkspace();
    writeFiles(run.path, { 'new.txt': 'new\n' });
    run.repository.git('branch', 'mayday');
    const said = await saidAfterLeaving(run);
    const [folder = ''] = readdirSync(quarantinePath(run.home));
    expect(said).toContain(
      `could not be saved on a branch; it lies in ${join(quarantinePath(run.home), folder)}`,
    );
    expect(said).not.toContain('nothing was lost');
    expect(existsSync(join(quarantinePath(run.home), folder, 'new.txt'))).toBe(true);
  });

  it('names the folder in place where no checkpoint can be taken', async () => {
    const run = await preparedWorkspace({}, { inPlace: true });
    writeFiles(run.path, { 'new.txt': 'new\n' });
    rmSync(join(run.workspace.shadow, 'objects'), { recursive: true });
    const said = await saidAfterLeaving(run);
    expect(said).toContain(`could not be saved on a branch; it lies in ${run.path}`);
    expect(said).not.toContain('nothing was lost');
  });
});
