import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listCheckpoints } from '../../../src/act/checkpoint/checkpoint.ts';
import { restoreCheckpoint } from '../../../src/act/checkpoint/restore-checkpoint.ts';
import { takeCheckpoint } from '../../../src/act/checkpoint/take-checkpoint.ts';
import { gitIn, preparedWorkspace, writeFiles } from '../temporary-repository.ts';

type Prepared = Awaited<ReturnType<typeof preparedWorkspace>>;

async function save(run: Prepared, number: number, more = {}) {
  return await takeCheckpoint({ home: run.home, runId: run.runId, number, reason: 'test', ...more });
}

async function restore(run: Prepared, number: number, more = {}) {
  return await restoreCheckpoint({ home: run.home, runId: run.runId, number, liveProcesses: 0, ...more });
}

const read = (run: Prepared, path: string) => readFileSync(join(run.path, path), 'utf8');

describe('restoring a checkpoint', () => {
  it('brings back contents, removes what the agent made later, and can be undone', async () => {
    const run = await preparedWorkspace({ 'a.txt': 'base', 'd.txt': 'delete me' });
    writeFiles(run.path, { 'a.txt': 'good' });
    await save(run, 1);
    writeFiles(run.path, { 'a.txt': 'bad', 'junk/x': 'x' });
    rmSync(join(run.path, 'd.txt'));
    await save(run, 2);
    const head = gitIn(run.path, 'rev-parse', 'HEAD');
    const done = await restore(run, 1);
    expect(done).toMatchObject({
      restored: ['a.txt', 'd.txt'],
      deleted: ['junk/x'],
      kept: [],
      before: { number: 3, state: 'complete' },
    });
    expect(read(run, 'a.txt')).toBe('good');
    expect(existsSync(join(run.path, 'junk'))).toBe(false);
    expect(gitIn(run.path, 'rev-parse', 'HEAD')).toBe(head);
    await restore(run, 3);
    expect(read(run, 'a.txt')).toBe('bad');
    expect(read(run, 'junk/x')).toBe('x');
    expect((await listCheckpoints(run)).map(({ number }) => number)).toEqual([0, 1, 2, 3, 4]);
  });

  it('keeps files that no checkpoint recorded, with their content', async () => {
    const run = await preparedWorkspace({ 'a.txt': 'base' });
    await save(run, 1);
    writeFiles(run.path, { 'by-a-person.txt': 'mine', 'a.txt': 'changed' });
    const done = await restore(run, 1);
    expect(done).toMatchObject({ restored: ['a.txt'], deleted: [], kept: ['by-a-person.txt'] });
    expect(read(run, 'by-a-person.txt')).toBe('mine');
  });

  it('works after the agent wrote the same bytes into a file again', async () => {
    const run = await preparedWorkspace({ 'a.txt': 'base', 'b.txt': 'base' });
    writeFiles(run.path, { 'a.txt': 'work' });
    await save(run, 1);
    utimesSync(join(run.path, 'a.txt'), new Date(1_000_000), new Date(1_000_000));
    utimesSync(join(run.path, 'b.txt'), new Date(1_000_000), new Date(1_000_000));
    expect(await restore(run, 0)).toMatchObject({ restored: ['a.txt'], before: { state: 'complete' } });
    expect(read(run, 'a.txt')).toBe('base');
    await restore(run, 1);
    expect(read(run, 'a.txt')).toBe('work');
  });

  it('refuses while something of the run is alive', async () => {
    const run = await preparedWorkspace();
    writeFiles(run.path, { 'README.md': 'changed' });
    await expect(restore(run, 0, { liveProcesses: 1 })).rejects.toMatchObject({
      code: 'RESTORE_REFUSED',
      message: '1 process of the run is still alive.',
    });
    expect(read(run, 'README.md')).toBe('changed');
    expect(await listCheckpoints(run)).toHaveLength(1);
  });

  it('refuses a checkpoint that does not read back', async () => {
    const run = await preparedWorkspace();
    writeFiles(run.path, { 'a.txt': 'precious' });
    const saved = await save(run, 1);
    const blob = gitIn(run.workspace.shadow, 'rev-parse', `${saved.tree}:a.txt`);
    const object = join(run.workspace.shadow, 'objects', blob.slice(0, 2), blob.slice(2));
    const bytes = readFileSync(object);
    bytes[bytes.length - 3] = (bytes[bytes.length - 3] as number) ^ 0xff;
    rmSync(object);
    writeFileSync(object, bytes);
    writeFiles(run.path, { 'a.txt': 'newer' });
    await expect(restore(run, 1)).rejects.toMatchObject({ code: 'RESTORE_REFUSED' });
    expect(read(run, 'a.txt')).toBe('newer');
    await expect(restore(run, 99)).rejects.toMatchObject({ code: 'RESTORE_REFUSED' });
  });

  it('saves an ignored file before a restored one takes its place', async () => {
    const run = await preparedWorkspace({ 'notes.txt': 'tracked once' });
    await save(run, 1);
    rmSync(join(run.path, 'notes.txt'));
    await save(run, 2);
    writeFiles(run.path, { '.gitignore': 'notes.txt\n', 'notes.txt': 'secret and ignored' });
    await save(run, 3);
    const done = await restore(run, 1);
    expect(read(run, 'notes.txt')).toBe('tracked once');
    expect(gitIn(run.workspace.shadow, 'show', `${done.before.commit}^2:ignored/notes.txt`)).toBe(
      'secret and ignored',
    );
  });

  it('brings named ignored files back and leaves the others', async () => {
    const run = await preparedWorkspace({ '.gitignore': '.env\ncache\n' });
    writeFiles(run.path, { '.env': 'ONE', cache: 'c1' });
    await save(run, 1, { ignoredToInclude: ['.env'] });
    writeFiles(run.path, { '.env': 'TWO', cache: 'c2' });
    const done = await restore(run, 1, { ignoredToInclude: ['.env'] });
    expect(done.restored).toEqual(['.env']);
    expect(read(run, '.env')).toBe('ONE');
    expect(read(run, 'cache')).toBe('c2');
    await restore(run, done.before.number, { ignoredToInclude: ['.env'] });
    expect(read(run, '.env')).toBe('TWO');
  });

  it('never writes through a link that took the place of a folder', async () => {
    const run = await preparedWorkspace({ 'dir/file': 'inside' });
    await save(run, 1);
    const outside = join(run.repository.folder, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'file'), 'theirs');
    rmSync(join(run.path, 'dir'), { recursive: true });
    symlinkSync(outside, join(run.path, 'dir'));
    await save(run, 2);
    await restore(run, 1);
    expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('theirs');
    expect(lstatSync(join(run.path, 'dir')).isDirectory()).toBe(true);
    expect(read(run, 'dir/file')).toBe('inside');
  });

  it('never writes outside when links are swapped in while it works', async () => {
    const run = await preparedWorkspace(
      Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`dir/f${n}`, `base ${n}`])),
    );
    await save(run, 1);
    const outside = join(run.repository.folder, 'outside');
    mkdirSync(outside);
    for (let n = 0; n < 300; n += 1) {
      writeFileSync(join(outside, `f${n}`), 'theirs');
      writeFiles(run.path, { [`dir/f${n}`]: `changed ${n}` });
    }
    await save(run, 2);
    const swapper = setInterval(() => {
      try {
        if (lstatSync(join(run.path, 'dir')).isSymbolicLink()) return;
        rmSync(join(run.path, 'dir'), { recursive: true, force: true });
        symlinkSync(outside, join(run.path, 'dir'));
      } catch {
        // Lost a race against git: try again.
      }
    }, 3);
    await restore(run, 1).catch(() => undefined);
    clearInterval(swapper);
    for (let n = 0; n < 300; n += 1) expect(readFileSync(join(outside, `f${n}`), 'utf8')).toBe('theirs');
  });
});
