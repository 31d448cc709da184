/** `noticesOf`: what is worth telling outside of Mayday about a run: its open question, its incidents, its end. Each has an id for ever. */
import { oneLine, readableQuotes } from '../text/quote-fenced.ts';
import type { RunJson } from './run-json.ts';
import { wordText } from './state-word.ts';
import { firstLine } from '../text/first-line.ts';

export const NOTICE_TYPES = ['question', 'incident', 'delivered', 'unverified', 'abandoned'] as const;
export type NoticeType = (typeof NOTICE_TYPES)[number];

const MAX_TEXT = 2_000;

export interface RunNotice {
  /** The same for every reader: a receiver that got it twice knows. */
  readonly id: string;
  readonly type: NoticeType;
  /** Where a person reads more than the type: "delivered, not proven". */
  readonly called?: string;
  readonly at: string;
  readonly run_id: string;
  readonly title: string;
  readonly text: string;
  readonly question: null | {
    readonly id: string;
    readonly options: readonly { readonly id: string; readonly label: string }[];
    readonly recommended: string | null;
  };
  /** Where the desk shows it, below its address. */
  readonly path: string;
}

/** Rows that an older Mayday wrote lack the newer keys. */
type Stored = Pick<RunJson, 'run_id' | 'task' | 'state'> & Partial<RunJson>;

export function noticesOf(run: Stored): readonly RunNotice[] {
  const about = {
    run_id: run.run_id,
    title: readable(firstLine(run.task)),
    question: null,
    path: `runs/${run.run_id}`,
  };
  const open = run.questions?.find(({ state }) => state === 'open');
  const notices: RunNotice[] = (run.incidents ?? []).map(
    ({ id, class: failure, detected_at, root_cause }) => ({
      ...about,
      id,
      type: 'incident',
      at: detected_at ?? '',
      text: readable(`${failure.replaceAll('_', ' ')}: ${root_cause ?? 'Mayday looks for the cause'}`),
    }),
  );
  if (open !== undefined)
    notices.push({
      ...about,
      id: open.id,
      type: 'question',
      at: open.asked_at ?? run.updated_at ?? '',
      text: readable(open.text),
      question: {
        id: open.id,
        options: open.options.map(({ id, label }) => ({ id, label: readable(label) })),
        recommended: open.recommended,
      },
      path: `inbox?question=${open.id}`,
    });
  const end = NOTICE_TYPES.find((type) => type === run.state);
  if (end !== undefined)
    notices.push({
      ...about,
      id: `${run.run_id}-${end}`,
      type: end,
      at: run.updated_at ?? '',
      ...(run.word === 'not_proven' && { called: wordText(run.word) }),
      text: run.why ?? '',
    });
  return notices;
}

function readable(text: string): string {
  return readableQuotes(text).split('\n').map(oneLine).join('\n').slice(0, MAX_TEXT);
}
