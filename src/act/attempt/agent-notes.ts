/**
 * `readProposal`, `readBlockerNote`, `readToldLines`, `noteTime`: read what the agent told Mayday through its files. A file with wrong
 * content is never an error, and a blocker flag is never lost.
 */
import { lstatSync } from 'node:fs';
import { z } from 'zod';
import type { Examination } from '../../core/vocabulary/events/event.ts';
import type { Proposal } from '../../core/vocabulary/events/examination.ts';
import { readPlainFile, readPlainJson } from '../../platform/file/plain-file.ts';
import { jsonOrNull, objectOrNull } from '../../core/text/json.ts';
import { safeParse } from '../../platform/safe-parse.ts';

/** The agent writes these files, so their size needs a limit. */
const MAX_BYTES = 256 * 1024;

/** How much of a note with wrong content is shown to the person. */
const SHOWN_CHARS = 500;

/** The fields of a blocker note: a page of words, and lists as long as a person reads. The tools of the MCP server take the same. */
export const blockerFields = {
  reason: z.string().trim().min(1).max(4_000),
  code: z.string().max(100),
  question: z.string().max(4_000),
  options: z.array(z.string().max(500)).max(10),
  scope: z.array(z.string().trim().min(1).max(500)).max(50),
};

const MAX_SUMMARY_CHARS = 4_000;

const proposalNote = z.object({
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
  summary: z
    .string()
    .transform((text) => text.slice(0, MAX_SUMMARY_CHARS))
    .nullish(),
});

/** Null: there is no proposal, or one of its fields does not fit. A long summary is cut. */
export function readProposal(path: string): Proposal | null {
  const note = safeParse(proposalNote, readPlainJson(path, MAX_BYTES));
  if (!note.success) return null;
  const { scope, checks, decisions, summary } = note.data;
  return {
    scope,
    checks: checks ?? [],
    decisions: (decisions ?? []).map(({ question, options }) => ({ question, options: options ?? [] })),
    summary: summary ?? '',
  };
}

const NO_REASON = 'the agent raised the blocker flag, but its reason cannot be read';

type AgentBlocker = NonNullable<Examination['raised']>;

/** Null: there is no file. Any file there is a flag: its readable fields are kept, the other ones are named as evidence. */
export function readBlockerNote(path: string): AgentBlocker | null {
  const read = readPlainFile(path, MAX_BYTES);
  if (read.type === 'absent') return null;
  if (read.type === 'refused') return unreadable(`the note is ${read.why}`);
  const said = objectOrNull(read.text);
  if (said === null) return unreadable('the note is not a JSON object', read.text);
  const [reason, code, question, options, scope] = [
    safeParse(blockerFields.reason, said['reason']),
    safeParse(blockerFields.code.nullish(), said['code']),
    safeParse(blockerFields.question.nullish(), said['question']),
    safeParse(blockerFields.options.nullish(), said['options']),
    safeParse(blockerFields.scope.nullish(), said['scope']),
  ];
  const misfits = Object.entries({ reason, code, question, options, scope })
    .filter(([, { success }]) => !success)
    .map(([key]) => key);
  return {
    reason: reason.data ?? NO_REASON,
    code: code.data ?? null,
    question: question.data ?? null,
    options: options.data ?? [],
    ...(scope.data?.length ? { scope: scope.data } : {}),
    ...(misfits.length === 0
      ? {}
      : { evidence: [`the note does not fit at ${misfits.join(', ')}`, shown(read.text)] }),
  };
}

function unreadable(why: string, text = ''): AgentBlocker {
  const evidence = text.trim() === '' ? [why] : [why, shown(text)];
  return { reason: NO_REASON, code: null, question: null, options: [], evidence };
}

function shown(text: string): string {
  return text.trim().slice(0, SHOWN_CHARS);
}

/** One thing that an agent tells: short enough for a line of the story and a paragraph of the next brief. */
export const MAX_TOLD_CHARS = 2_000;
/** More than a person reads; an agent that tells more is not heard further in this attempt. */
const MAX_TOLD_LINES = 200;
/** Four bytes a character in UTF-8. */
const MAX_TOLD_BYTES = MAX_TOLD_LINES * MAX_TOLD_CHARS * 4;

const toldLine = z.object({
  kind: z.enum(['note', 'progress']),
  text: z.string().trim().min(1).max(MAX_TOLD_CHARS),
});
export type ToldLine = Readonly<z.infer<typeof toldLine>> & { readonly line: number };

/** What the agent told in its notes file after line `from`, numbered from 1. Wrong lines and an unfinished last one are left out. */
export function readToldLines(path: string, from: number): readonly ToldLine[] {
  const read = readPlainFile(path, MAX_TOLD_BYTES);
  if (read.type !== 'text') return [];
  const whole = read.text.split('\n').slice(0, -1).slice(0, MAX_TOLD_LINES);
  return whole.flatMap((text, index) => {
    const told = index < from ? undefined : safeParse(toldLine, jsonOrNull(text)).data;
    return told === undefined ? [] : [{ ...told, line: index + 1 }];
  });
}

/** When the file last changed, or null while it does not exist. */
export function noteTime(path: string): number | null {
  return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}
