/**
 * `Checkpoint`, `readCheckpoint`, `listCheckpoints`: a checkpoint in the shadow repository. It is a commit: its tree is the workspace,
 * its message is this record, its first parent is the checkpoint before it. A last parent, where there is one, holds what is no part of
 * the work: ignored files that were named, and copies of the agent's session.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { namesIn } from '../../platform/file/find-paths.ts';
import { readPlainFile } from '../../platform/file/plain-file.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import { checkpointRefs } from '../workspace/home-layout.ts';
import { jsonOrNull } from '../../core/text/json.ts';
import { safeParse } from '../../platform/safe-parse.ts';
import { openWorkspace } from '../workspace/workspace.ts';

/** What the agent says about its progress in the MAYDAY_CHECKPOINT file. It is a claim, not a fact. */
export const CheckpointNotes = z.object({
  completed: z.array(z.string().max(2_000)).max(500).default([]),
  created_files: z.array(z.string().max(4_096)).max(2_000).default([]),
  next_actions: z.array(z.string().max(2_000)).max(500).default([]),
});
export type CheckpointNotes = z.infer<typeof CheckpointNotes>;

const Missing = z.object({
  path: z.string(),
  why: z.string(),
  /** True: no work is lost, because the file is never delivered, or was missing in the base too and is unchanged. */
  beside: z.literal(true).optional(),
  /** Size, times and inode of the file, where known: they tell whether it changed since. */
  identity: z.string().optional(),
});
export type MissingFile = Readonly<z.infer<typeof Missing>>;

/** `path`: the agent's own file; `name`: that of the copy in the checkpoint. */
const SessionCopy = z.object({ path: z.string(), name: z.string() });
export type SessionCopy = Readonly<z.infer<typeof SessionCopy>>;

const Message = z.object({
  version: z.literal(1),
  number: z.number(),
  state: z.enum(['complete', 'partial']),
  files: z.number(),
  /** The first thousand files that could not be saved. */
  missing: z.array(Missing).readonly(),
  reason: z.string(),
  notes: CheckpointNotes.nullable(),
  session: z.array(SessionCopy).readonly(),
  /** True if ignored files or a session were saved beside the tree. */
  hasExtras: z.boolean(),
});
type Message = z.infer<typeof Message>;

export interface Checkpoint extends Readonly<Omit<Message, 'version' | 'state'>> {
  readonly state: Message['state'] | 'failed';
  /** Empty when it failed, as the tree is. */
  readonly commit: string;
  readonly tree: string;
  /** Why the checkpoint failed; null: it did not. */
  readonly problem: string | null;
}

export function messageOf(message: Omit<Message, 'version'>): string {
  return `${JSON.stringify({ version: 1, ...message })}\n`;
}

/** Numbers of the checkpoints of a run, ascending. Refs in the shadow repository are never packed, so each one is a file. */
export function checkpointNumbers(shadow: string, runId: string): number[] {
  return namesIn(join(shadow, checkpointRefs(runId)))
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}

/** A hash and a line end are shorter. */
const MAX_REF_BYTES = 100;

export function checkpointCommit(shadow: string, runId: string, number: number): string | null {
  const read = readPlainFile(join(shadow, checkpointRefs(runId), String(number)), MAX_REF_BYTES);
  const text = read.type === 'text' ? read.text.trim() : '';
  return /^[0-9a-f]{40,64}$/.test(text) ? text : null;
}

export async function readCheckpoint(
  shadow: string,
  runId: string,
  number: number,
  signal?: AbortSignal,
): Promise<Checkpoint | null> {
  const commit = checkpointCommit(shadow, runId, number);
  if (commit === null) return null;
  const read = await shadowGit(shadow, ['cat-file', 'commit', commit], { signal });
  const text = read.stdout.toString('utf8');
  const body = text.slice(text.indexOf('\n\n') + 2);
  const tree = /^tree ([0-9a-f]+)$/m.exec(text)?.[1] ?? null;
  const message = safeParse(Message, jsonOrNull(body));
  if (read.exitCode !== 0 || tree === null || !message.success) {
    const problem = 'The checkpoint cannot be read back; the shadow repository is damaged.';
    return { ...failedCheckpoint({ number, reason: '' }, problem), commit };
  }
  const { version: _version, ...rest } = message.data;
  return { ...rest, number, commit, tree, problem: null };
}

export function failedCheckpoint(
  {
    number,
    reason,
    notes = null,
  }: Pick<Checkpoint, 'number' | 'reason'> & Partial<Pick<Checkpoint, 'notes'>>,
  problem: string,
): Checkpoint {
  const nothing = { commit: '', tree: '', files: 0, missing: [], session: [], hasExtras: false };
  return { number, state: 'failed', ...nothing, reason, notes, problem };
}

/** Lists the checkpoints of a run, oldest first. Number 0 is the base. */
export async function listCheckpoints(key: {
  readonly home: string;
  readonly runId: string;
  readonly signal?: AbortSignal | undefined;
}): Promise<Checkpoint[]> {
  const { shadow } = await openWorkspace(key);
  const checkpoints: Checkpoint[] = [];
  for (const number of checkpointNumbers(shadow, key.runId)) {
    const checkpoint = await readCheckpoint(shadow, key.runId, number, key.signal);
    if (checkpoint !== null) checkpoints.push(checkpoint);
  }
  return checkpoints;
}
