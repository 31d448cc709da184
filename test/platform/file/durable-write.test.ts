import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  setDurableWriteHook,
  writeFileDurably,
  writeFileWhole,
} from '../../../src/platform/file/durable-write.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayday-durable-'));
});
afterEach(async () => {
  setDurableWriteHook(null);
  await rm(folder, { recursive: true });
});

describe.each([writeFileDurably, writeFileWhole])('$name', (write) => {
  it('replaces a file whole, private, and makes its folder', async () => {
    const path = join(folder, 'a', 'b', 'state.json');
    await write(path, 'one');
    await write(path, Buffer.from('two'));
    expect(await readFile(path, 'utf8')).toBe('two');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder, 'a', 'b'))).toEqual(['state.json']);
    await write(join(folder, 'script'), '', { mode: 0o700 });
    expect((await stat(join(folder, 'script'))).mode & 0o777).toBe(0o700);
  });

  it('shows the old content at each point where the process may be ended', async () => {
    const path = join(folder, 'state');
    await writeFile(path, 'old');
    for (const dieAt of [1, 2]) {
      setDurableWriteHook((n) => {
        if (n === dieAt) throw new Error('ended here');
      });
      await expect(write(path, 'new')).rejects.toThrow('ended here');
      expect(await readFile(path, 'utf8')).toBe('old');
    }
    setDurableWriteHook(null);
    await write(path, 'new');
    expect(await readFile(path, 'utf8')).toBe('new');
    expect(await readdir(folder)).toEqual(['state']);
  });

  it('cleans up after itself when the file cannot be put in place', async () => {
    await expect(write(folder, 'x')).rejects.toThrow();
    expect(await readdir(folder)).toEqual([]);
  });
});
