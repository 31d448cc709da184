/** `inboxDocument`: every open question with what a person needs to answer it. Keys are promised: add, never rename. */
import { readView } from '../core/view/read-view.ts';
import { oneLine, readableQuotes } from '../core/text/quote-fenced.ts';
import type { RunRecord } from '../record/contract.ts';
import { activeHolds } from '../supervise/active-holds.ts';
import { lineDocument } from './line-document.ts';

export async function inboxDocument(record: RunRecord, limit: number, now: number) {
  const rows = await record.rows({ needsPerson: true, limit });
  const holds = await activeHolds(record, now);
  const questions = rows.flatMap((row) => {
    const run = readView(row);
    const open = run.questions.find(({ state }) => state === 'open');
    if (open === undefined) return [];
    // One question stands for every run that waits for the same cause.
    const shared = holds.find(({ question }) => question === open.id);
    return [
      {
        id: open.id,
        kind: open.kind,
        text: readable(open.text),
        why_now: readable(open.why_now),
        tried: [...new Set(open.tried)].map(readable),
        evidence: open.evidence.map(readable),
        options: open.options.map(({ id, label, effect, needs_note }) => ({
          id,
          label: readable(label),
          effect: readable(effect),
          needs_note,
          recommended: id === open.recommended,
        })),
        asked_at: open.asked_at ?? null,
        deadline: open.deadline,
        checkpoint: run.checkpoints.findLast(({ state }) => state !== 'failed')?.number ?? null,
        changed: run.partial_work.changed.length + run.partial_work.created.length,
        runs: shared === undefined ? [run.run_id] : [...new Set([run.run_id, ...shared.waiting])],
        run: lineDocument(row.view),
      },
    ];
  });
  return { questions: questions.toSorted((a, b) => (a.asked_at ?? '').localeCompare(b.asked_at ?? '')) };
}

export type InboxDocument = Awaited<ReturnType<typeof inboxDocument>>;
export type InboxQuestion = InboxDocument['questions'][number];

/** For a person's eyes: marks become quotation marks, and no control character reaches the page. */
function readable(text: string): string {
  return readableQuotes(text).split('\n').map(oneLine).join('\n');
}
