/**
 * `fetchTranscripts`, `diffFromAfar`, `placeElsewhere`: what a person on this host reads of a run whose files are on another host, from
 * what the record holds. Reading moves no run.
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { compareTrees } from '../../act/diff-work.ts';
import { transcriptPath } from '../../act/run-files.ts';
import { findWorkspace, Workspace } from '../../act/workspace/workspace.ts';
import { candidateTree, savedTree } from '../../core/state/last-tree.ts';
import type { RunState } from '../../core/state/run-state.ts';
import { writeFileDurably } from '../../platform/file/durable-write.ts';
import { ensureShadow } from '../../platform/git/shadow-git.ts';
import type { RunRecord } from '../../record/contract.ts';
import { TRANSCRIPTS, WORKSPACE } from './ship-run.ts';

/** A transcript is text, and shrinks to a tenth of it. */
const MAX_TRANSCRIPT_BYTES = 1024 ** 3;

/** Puts them where the transcripts of this host's own runs are. */
export async function fetchTranscripts(home: string, { hosts }: RunRecord, runId: string): Promise<void> {
  for (const name of (await hosts?.parcels(runId)) ?? []) {
    if (!name.startsWith(TRANSCRIPTS)) continue;
    const path = transcriptPath(home, runId, Number(name.slice(TRANSCRIPTS.length)));
    const body = existsSync(path) ? null : await hosts?.parcel(runId, name);
    if (!body) continue;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFileDurably(path, await promisify(gunzip)(body, { maxOutputLength: MAX_TRANSCRIPT_BYTES }));
  }
}

/** The name of the other host that has the files of the run; null: they are here. */
export async function placeElsewhere(
  home: string,
  { hosts }: RunRecord,
  runId: string,
): Promise<string | null> {
  if (hosts === null || (await findWorkspace({ home, runId })) !== null) return null;
  const place = await hosts.placeOf(runId);
  if (place === null || place.host === hosts.id) return null;
  return (await hosts.hosts()).find(({ id }) => id === place.host)?.name ?? place.host;
}

/** The work up to the last checkpoint that is in the record; null: there is none. */
export async function diffFromAfar(
  { hosts }: RunRecord,
  state: RunState,
  stat: boolean,
): Promise<string | null> {
  const { runId } = state;
  const text = await hosts?.parcel(runId, WORKSPACE);
  if (!text || !hosts) return null;
  const { baseTree } = Workspace.parse(
    (JSON.parse(text.toString('utf8')) as { workspace: unknown }).workspace,
  );
  const { bringCheckpoints } = await import('./bring-run.ts');
  const folder = await mkdtemp(join(tmpdir(), 'mayday-from-afar-'));
  try {
    const shadow = join(folder, 'shadow');
    await ensureShadow(shadow);
    await bringCheckpoints(hosts, runId, shadow);
    const tree = state.delivered === null ? savedTree(state) : candidateTree(state);
    return await compareTrees(shadow, stat, baseTree, tree);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
