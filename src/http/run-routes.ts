/** `RUN_ROUTES`: the routes that the page of one run reads: timeline, transcript, work. */
import { z } from 'zod';
import { diffTrees } from '../act/diff-work.ts';
import { usageError } from '../platform/mayday-error.ts';
import { loadState } from '../supervise/load-state.ts';
import { route, type RouteSpec } from './route.ts';
import { timelineDocument } from './timeline-document.ts';
import { transcriptDocument } from './transcript-document.ts';

const MAX_ENTRIES = 500;
/** A page does not read more; `mayday diff` has all of it. */
const MAX_PATCH_CHARS = 400_000;

const number = z.coerce.number().int().min(0);

export const RUN_ROUTES: readonly RouteSpec[] = [
  route('GET', '/api/runs/:run/timeline', {
    summary:
      'the tool calls of a run in slices of time, its cost as it grew, and the ways that its incidents did not take',
    answer: async ({ home, record }, { params }) =>
      await timelineDocument(home, record, await loadState(record, params['run'] ?? '')),
  }),
  route('GET', '/api/runs/:run/transcript', {
    summary:
      'what the agent said and did: entries from a number or a moment on, up to a moment, with a text, or those that failed',
    input: z.object({
      attempt: number.min(1).default(1),
      from: number.optional(),
      at: number.optional(),
      until: number.optional(),
      find: z.string().min(1).max(200).optional(),
      only: z.enum(['failed']).optional(),
      limit: number.min(1).max(MAX_ENTRIES).default(100),
    }),
    isVerbatim: true,
    answer: async ({ home, record }, { params, input }) => {
      const { runId } = await loadState(record, params['run'] ?? '');
      return await transcriptDocument(home, { runId, ...input });
    },
  }),
  route('GET', '/api/runs/:run/diff', {
    summary: 'the work between two checkpoints; without them, from the base to the last one',
    input: z.object({ from: number.optional(), to: number.optional() }),
    isVerbatim: true,
    answer: async ({ home, record }, { params, input: { from, to } }) => {
      const state = await loadState(record, params['run'] ?? '');
      const { runId, checkpoints, workspace } = state;
      const saved = checkpoints.filter((checkpoint) => checkpoint.state !== 'failed');
      const treeOf = (wanted: number | undefined, otherwise: string | undefined) => {
        if (wanted === undefined || wanted === 0) return otherwise;
        return saved.find((checkpoint) => checkpoint.number === wanted)?.tree;
      };
      const before = treeOf(from, workspace?.baseTree);
      const after = treeOf(to, saved.at(-1)?.tree);
      if (before === undefined || after === undefined)
        throw usageError('NO_CHECKPOINT', `run ${runId} has no checkpoint ${from ?? to ?? 'yet'}`, [
          ['do', `mayday checkpoints ${runId}`],
        ]);
      const patch = await diffTrees(home, runId, before, after);
      const [first, last] = [from ?? 0, to ?? saved.at(-1)?.number ?? 0];
      return {
        run_id: runId,
        from: first,
        to: last,
        patch: patch.slice(0, MAX_PATCH_CHARS),
        cut: patch.length > MAX_PATCH_CHARS,
      };
    },
  }),
];
