/** What the agent told Mayday through its files. Any bytes may be in them: what does not fit is dropped, never fatal. */
import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import type { Proposal } from '../core/gates/proposal.ts';

/** A note larger than this is not a note. */
const MAX_BYTES = 256 * 1024;

const BlockerNote = z.object({
  reason: z.string().min(1).max(4_000),
  code: z.string().max(100).nullish(),
  question: z.string().max(4_000).nullish(),
  options: z.array(z.string().max(500)).max(10).nullish(),
});

const ProposalNote = z.object({
  scope: z.array(z.string().min(1).max(500)).min(1).max(200),
  checks: z.array(z.string().min(1).max(2_000)).max(20).nullish(),
  decisions: z
    .array(
      z.object({
        question: z.string().min(1).max(2_000),
        options: z.array(z.string().max(500)).max(10).nullish(),
      }),
    )
    .max(20)
    .nullish(),
  summary: z.string().max(4_000).nullish(),
});

/** A proposal without a scope proposes nothing. */
export function readProposal(path: string): Proposal | null {
  const note = ProposalNote.safeParse(readJson(path));
  if (!note.success) return null;
  const { scope, checks, decisions, summary } = note.data;
  return {
    scope,
    checks: checks ?? [],
    decisions: (decisions ?? []).map(({ question, options }) => ({ question, options: options ?? [] })),
    summary: summary ?? '',
  };
}

export interface AgentBlocker {
  readonly reason: string;
  readonly code: string | null;
  readonly question: string | null;
  readonly options: readonly string[];
}

export function readBlockerNote(path: string): AgentBlocker | null {
  const note = BlockerNote.safeParse(readJson(path));
  if (!note.success) return null;
  const { reason, code, question, options } = note.data;
  return { reason, code: code ?? null, question: question ?? null, options: options ?? [] };
}

/** When the file last changed, or null while it does not exist. */
export function noteTime(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}

function readJson(path: string): unknown {
  try {
    if (statSync(path).size > MAX_BYTES) return null;
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // Absent, half-written or not JSON: the agent may write it again.
    return null;
  }
}
