/**
 * `updateIndex`, `StorageRefused`: store files in the shadow repository and add them to an index. A file that cannot be stored is
 * listed.
 */
import { oneOf } from '../../core/text/one-of.ts';
import { joinNul, rawToText } from '../../platform/git/raw-path.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import type { MissingFile } from './checkpoint.ts';

export interface IndexSpec {
  readonly shadow: string;
  readonly workTree: string;
  readonly indexFile: string;
  readonly signal?: AbortSignal | undefined;
}

/** The snapshot as a whole has failed: the disk takes nothing, the index cannot be changed, or too many files are refused. */
export class StorageRefused extends Error {
  readonly code = 'STORAGE_REFUSED';
}

/**
 * From this many files on, objects go into one pack instead of one file each. That is as fast, and one fsync makes it durable where
 * loose objects would need thousands.
 */
const BULK_FILES = 1_000;
/** Git 2.39 searches a growing pack for duplicates one by one, so packs must stay small. */
const BATCH_FILES = 5_000;
/** Where git refuses more files than this, the whole snapshot has failed. */
const MAX_REFUSED = 500;

const STORAGE_MESSAGES = oneOf(
  /No space left|Disk quota exceeded|Read-only file system|insufficient permission for adding/,
  /unable to (?:write|create) (?:loose|temporary|new_index)|Unable to create '.*\.lock'/,
  /Input\/output error/,
);

export async function updateIndex(
  spec: IndexSpec,
  store: readonly string[],
  drop: readonly string[],
): Promise<MissingFile[]> {
  if (drop.length > 0) {
    const dropped = await call(spec, ['--force-remove'], drop, false);
    if (dropped.exitCode !== 0) throw new StorageRefused(`git: ${dropped.stderr.trim().slice(0, 500)}`);
  }
  const missing: MissingFile[] = [];
  for (let start = 0; start < store.length; start += BATCH_FILES) {
    await storeBatch(spec, store.slice(start, start + BATCH_FILES), store.length >= BULK_FILES, missing);
  }
  return missing;
}

/** Git stores a batch whole or not at all. The batch is halved until the file that git refuses is alone. */
async function storeBatch(
  spec: IndexSpec,
  batch: readonly string[],
  bulk: boolean,
  missing: MissingFile[],
): Promise<void> {
  const result = await call(spec, ['--add', '--remove', '--replace'], batch, bulk);
  if (result.exitCode === 0) return;
  if (STORAGE_MESSAGES.test(result.stderr))
    throw new StorageRefused(`git: ${result.stderr.trim().slice(0, 500)}`);
  if (batch.length === 1) {
    missing.push({ path: rawToText(batch[0] as string), why: reasonOf(result.stderr) });
    if (missing.length > MAX_REFUSED) throw new StorageRefused(`git refused more than ${MAX_REFUSED} files`);
    return;
  }
  const middle = batch.length >> 1;
  await storeBatch(spec, batch.slice(0, middle), bulk, missing);
  await storeBatch(spec, batch.slice(middle), bulk, missing);
}

async function call(spec: IndexSpec, options: readonly string[], paths: readonly string[], bulk: boolean) {
  return await shadowGit(spec.shadow, ['update-index', ...options, '-z', '--stdin'], {
    workTree: spec.workTree,
    indexFile: spec.indexFile,
    input: joinNul(paths),
    // Git streams files above the threshold into one pack.
    config: bulk ? ['core.bigFileThreshold=1'] : [],
    signal: spec.signal,
  });
}

function reasonOf(stderr: string): string {
  const line = stderr.split('\n').find((candidate) => candidate.startsWith('error:')) ?? stderr;
  return line
    .replace(/^error: /, '')
    .trim()
    .slice(0, 300);
}
