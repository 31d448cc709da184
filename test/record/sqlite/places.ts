import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { RunRecord } from '../../../src/record/contract.ts';
import { openSqliteRecord } from '../../../src/record/sqlite/open.ts';
import { STORY, storyState } from '../../fixtures/record/story.ts';

const directories: string[] = [];

afterEach(async () => {
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true });
});

/** A folder for this test alone, gone after it. */
export async function newFolder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'mayday-sqlite-'));
  directories.push(directory);
  return directory;
}

export async function withRecord<T>(path: string, use: (record: RunRecord) => Promise<T>): Promise<T> {
  const record = await openSqliteRecord({ path, evenIfLost: true });
  try {
    return await use(record);
  } finally {
    await record.close();
  }
}

/** A closed record in which the whole story happened, and what it says. */
export async function storyRecord(): Promise<{ folder: string; path: string; state: unknown }> {
  const folder = await newFolder();
  const path = join(folder, 'record.db');
  const state = await withRecord(path, async (record) => {
    for (const step of STORY) await step(record);
    await record.post('story', '"late"');
    return storyState(record);
  });
  return { folder, path, state };
}
