/**
 * A checkpoint as it lies in the shadow repository: a commit whose tree is the workspace, whose message is this record,
 * whose first parent is the checkpoint before it and whose last parent (where there is one) holds what does not belong
 * to the work: ignored files named for inclusion and copies of the agent's session.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import { checkpointRefs } from '../workspace/home-layout.ts';
import type { MissingFile } from './snapshot-tree.ts';

/** What the agent says about its progress (the MAYDAY_CHECKPOINT file): its word, not a fact. */
export const CheckpointNotes = z.object({
  completed: z.array(z.string().max(2_000)).max(500).default([]),
  created_files: z.array(z.string().max(4_096)).max(2_000).default([]),
  next_actions: z.array(z.string().max(2_000)).max(500).default([]),
});
export type CheckpointNotes = z.infer<typeof CheckpointNotes>;

export interface SessionCopy {
  /** Where the agent keeps it. */
  readonly path: string;
  /** Its name in the checkpoint. */
  readonly name: string;
}

export interface Checkpoint {
  readonly number: number;
  readonly state: 'complete' | 'partial' | 'failed';
  /** Empty when it failed. */
  readonly commit: string;
  /** Empty when it failed. */
  readonly tree: string;
  readonly files: number;
  /** What is not in it (the first thousand). */
  readonly missing: readonly MissingFile[];
  readonly reason: string;
  readonly notes: CheckpointNotes | null;
  readonly session: readonly SessionCopy[];
  /** True if ignored files or a session were saved beside the tree. */
  readonly hasExtras: boolean;
  /** Why it failed. */
  readonly problem: string | null;
}

const Message = z.object({
  version: z.literal(1),
  number: z.number(),
  state: z.enum(['complete', 'partial']),
  files: z.number(),
  missing: z.array(
    z.object({
      path: z.string(),
      why: z.string(),
      beside: z.literal(true).optional(),
      identity: z.string().optional(),
    }),
  ),
  reason: z.string(),
  notes: CheckpointNotes.nullable(),
  session: z.array(z.object({ path: z.string(), name: z.string() })),
  hasExtras: z.boolean(),
});
type Message = z.infer<typeof Message>;

export function messageOf(message: Omit<Message, 'version'>): string {
  return `${JSON.stringify({ version: 1, ...message })}\n`;
}

/** Numbers of the checkpoints of a run, ascending. Refs are never packed here (no gc), so a directory is the list. */
export async function checkpointNumbers(shadow: string, runId: string): Promise<number[]> {
  const names = await readdir(join(shadow, checkpointRefs(runId))).catch(() => []);
  return names
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}

export async function checkpointCommit(
  shadow: string,
  runId: string,
  number: number,
): Promise<string | null> {
  const text = await readFile(join(shadow, checkpointRefs(runId), String(number)), 'utf8').catch(() => '');
  return /^[0-9a-f]{40,64}$/.test(text.trim()) ? text.trim() : null;
}

export async function readCheckpoint(
  shadow: string,
  runId: string,
  number: number,
  signal?: AbortSignal,
): Promise<Checkpoint | null> {
  const commit = await checkpointCommit(shadow, runId, number);
  if (commit === null) return null;
  const read = await shadowGit(shadow, ['cat-file', 'commit', commit], { signal });
  const text = read.stdout.toString('utf8');
  const body = text.slice(text.indexOf('\n\n') + 2);
  const tree = /^tree ([0-9a-f]+)$/m.exec(text)?.[1] ?? null;
  const message = Message.safeParse(parseJson(body));
  if (read.exitCode !== 0 || tree === null || !message.success) {
    return {
      number,
      state: 'failed',
      commit,
      tree: '',
      files: 0,
      missing: [],
      reason: '',
      notes: null,
      session: [],
      hasExtras: false,
      problem: 'The checkpoint cannot be read back; the shadow repository is damaged.',
    };
  }
  const { version: _version, ...rest } = message.data;
  return { ...rest, number, commit, tree, problem: null };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
