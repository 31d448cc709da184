/** `inboxDocument`: every open question with what a person needs to answer it. Keys are promised: add, never rename. */
import { readView } from '../core/view/read-view.ts';
import { oneLine, readableQuotes } from '../core/text/quote-fenced.ts';
import type { RunRecord } from '../record/contract.ts';
import { type AskedForAll, servedWords, wordsForAll } from '../core/view/words-for-all.ts';
import { sharedQuestions } from '../supervise/shared-questions.ts';
import { lineDocument } from './line-document.ts';

/** More runs are counted; the table shows the first. */
const MAX_HELD = 20;
const DAY_MS = 24 * 3_600_000;
const MAX_ROWS = 100;
const MAX_ANSWERED = 12;
const MAX_FILES = 12;

export async function inboxDocument(record: RunRecord, limit: number, now: number) {
  const rows = await record.rows({ needsPerson: true, limit });
  const shared = await sharedQuestions(record, now);
  const asked = rows.map(async (row) => {
    const run = readView(row);
    const open = run.questions.find(({ state }) => state === 'open');
    if (open === undefined) return [];
    // One question stands for every run that waits for the same cause.
    const all = shared.get(open.id);
    const words = all === undefined ? null : wordsForAll(open, all);
    return [
      {
        id: open.id,
        kind: open.kind,
        /** What it is about, in the words of the incident. */
        topic: (run.incidents.findLast(({ outcome }) => outcome === null)?.class ?? open.kind).replaceAll(
          '_',
          ' ',
        ),
        text: readable(words?.text ?? open.text),
        why_now: readable(words?.whyNow ?? open.why_now),
        /** What the person does before the answer; null: the answer is all. */
        todo: words === null || words.todo === null ? null : readable(words.todo),
        /** The command line in it, to be copied; null: it has none. */
        todo_command: words?.command ?? null,
        /** Why other runs of a refused login are not stopped; null: no login is asked for. */
        spared: words?.spared ?? null,
        tried: [...new Set(open.tried)].map(readable),
        evidence: open.evidence.map(readable),
        options: (words?.options ?? open.options.map((option) => ({ ...option, serves: '' }))).map(
          ({ id, label, effect, needs_note, serves }) => ({
            id,
            label: readable(label),
            effect: readable(effect),
            needs_note,
            /** Where one answer serves several runs: those that it is for. */
            serves,
            recommended: id === open.recommended,
          }),
        ),
        asked_at: open.asked_at ?? null,
        deadline: open.deadline,
        checkpoint: run.checkpoints.findLast(({ state }) => state !== 'failed')?.number ?? null,
        changed: run.partial_work.changed.length + run.partial_work.created.length,
        files: [
          ...run.partial_work.changed.map((path) => ({ path: readable(path), how: 'changed' as const })),
          ...run.partial_work.created.map((path) => ({ path: readable(path), how: 'created' as const })),
        ].slice(0, MAX_FILES),
        runs: all?.runs ?? [run.run_id],
        /** `k7f2 and 3 held runs`; empty: the answer serves this run alone. */
        serves: all === undefined ? '' : servedWords(all),
        run: lineDocument(row.view),
        held: all === undefined ? [] : await heldLines(record, all),
      },
    ];
  });
  const questions = (await Promise.all(asked)).flat();
  return {
    questions: questions.toSorted((a, b) => (a.asked_at ?? '').localeCompare(b.asked_at ?? '')),
    answered: await answeredLately(record, now),
  };
}

async function answeredLately(record: RunRecord, now: number) {
  const rows = await record.rows({ sinceAt: now - DAY_MS, limit: MAX_ROWS });
  const answered = rows.flatMap((row) => {
    const { run_id, questions } = readView(row);
    return questions.flatMap(({ id, options, answer }) => {
      const at = answer?.at ?? null;
      if (answer === null || at === null || Date.parse(at) < now - DAY_MS) return [];
      const label = options.find((option) => option.id === answer.option)?.label ?? answer.option;
      return [{ question: id, run_id, at, by: answer.by, label: readable(label) }];
    });
  });
  return answered.toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, MAX_ANSWERED);
}

export type InboxDocument = Awaited<ReturnType<typeof inboxDocument>>;
export type InboxQuestion = InboxDocument['questions'][number];

async function heldLines(record: RunRecord, { runs }: AskedForAll) {
  const rows = await Promise.all(runs.slice(0, MAX_HELD).map((runId) => record.row(runId)));
  return rows.flatMap((row) => (row === null ? [] : [lineDocument(row.view)]));
}

/** For a person's eyes: marks become quotation marks, and no control character reaches the page. */
export function readable(text: string): string {
  return readableQuotes(text).split('\n').map(oneLine).join('\n');
}
