/** `runTable`: the table of `mayday ps`: a row for each run, and below it why the run stands where it stands. */
import { basename } from 'node:path';
import { columns, leastWidth } from '../../core/text/columns.ts';
import { counted } from '../../core/text/counted.ts';
import { wrapToWidth } from '../../core/text/width.ts';
import { inListOrder } from '../../core/view/list-order.ts';
import type { RunJson } from '../../core/view/run-json.ts';
import { wordText } from '../../core/view/state-word.ts';
import type { RunRow } from '../../record/contract/journal.ts';
import { asTyped } from '../as-typed.ts';
import { plainLine } from './plain.ts';
import { ago } from './time.ts';

export type ListedRun = Omit<RunRow, 'view'> & { readonly view: RunJson };

/** A row fits a wide terminal; the rest is in `mayday show`. */
const TITLE_WIDTH = 32;
const STATE_WIDTH = 32;
const REPOSITORY_WIDTH = 16;
/** A reason stands below what follows the name of the run; a long name leaves it room. */
const REASON_INDENT = 10;
/** A run that works or is delivered and proven needs no reason. */
const TELLS_WHY: readonly RunJson['word'][] = [
  'needs_you',
  'stopped',
  'rescuing',
  'waiting',
  'stopping',
  'not_proven',
  'abandoned',
];

/** `unseen`: runs whose agent cannot be seen from here. A state and a reason are never cut: the task and the repository give room. */
export function runTable(
  rows: readonly ListedRun[],
  unseen: ReadonlySet<string>,
  now: number,
  width: number,
): string {
  const isMixed = new Set(rows.map(({ repository }) => repository)).size > 1;
  const head = ['RUN', ...(isMixed ? ['REPOSITORY'] : []), 'TASK', 'STATE', 'STAGE', 'PROGRESS', 'COST'];
  const ordered = inOrder(rows);
  const body = ordered.map((row) => [
    row.runId,
    ...(isMixed ? [plainLine(basename(row.repository), REPOSITORY_WIDTH)] : []),
    plainLine(row.title, TITLE_WIDTH),
    plainLine(
      asTyped(unseen.has(row.runId) ? 'out of sight: mayday show' : stateText(row, now)),
      STATE_WIDTH,
    ),
    row.ended ? '-' : row.stage,
    row.view.progress_at === null ? '-' : ago(Date.parse(row.view.progress_at), now),
    row.costUsd > 0 ? `$${row.costUsd.toFixed(2)}` : '-',
  ]);
  const give = isMixed ? [2, 1] : [1];
  const [first = '', ...lines] = columns(fitted([head, ...body], width, give), width, give).split('\n');
  const indent = Math.min(Math.max(...rows.map(({ runId }) => runId.length)) + 2, REASON_INDENT);
  const told = ordered.flatMap((row, at) => [lines[at] ?? '', ...reasonOf(row, indent, width)]);
  return `${[first, ...told].join('\n')}\n`;
}

/** What a narrow terminal does without, so that the state stays whole: those that tell nothing first. */
const SPARE = ['COST', 'PROGRESS', 'STAGE'];

function fitted(
  rows: readonly (readonly string[])[],
  width: number,
  give: readonly number[],
): readonly (readonly string[])[] {
  const [head = [], ...body] = rows;
  const spare = SPARE.map((name) => head.indexOf(name)).filter((at) => at !== -1);
  if (spare.length === 0 || leastWidth(rows, give) <= width) return rows;
  const isEmpty = (at: number) => body.every((row) => row[at] === '-');
  const gone = spare.find(isEmpty) ?? spare[0];
  return fitted(
    rows.map((row) => row.filter((_, at) => at !== gone)),
    width,
    give,
  );
}

/** Rows that an older Mayday wrote lack the newer keys. */
function inOrder(rows: readonly ListedRun[]): readonly ListedRun[] {
  const listed = rows.map((row) => {
    const { word, state, created_at, updated_at } = row.view;
    return { row, word: word ?? state, created_at, updated_at };
  });
  return inListOrder(listed).map(({ row }) => row);
}

function reasonOf({ view }: ListedRun, indent: number, width: number): readonly string[] {
  const isWarned = view.word === 'working' && (view.attempts.at(-1)?.signals ?? []).length > 0;
  if ((!isWarned && !TELLS_WHY.includes(view.word)) || !view.why) return [];
  return wrapToWidth(`${' '.repeat(indent)}${plainLine(view.why, Infinity)}`, width, { keepsWords: true });
}

function stateText({ view, ...row }: ListedRun, now: number): string {
  const open = view.questions.find(({ state }) => state === 'open');
  if (open !== undefined) return `needs you: ${open.id}`;
  if (view.stopped === true) return 'stopped: mayday resume';
  const isHeldForGood = (view.holds ?? []).some(({ until }) => until === null);
  if (row.state === 'waiting' && view.waiting?.until && !isHeldForGood)
    return Date.parse(view.waiting.until) <= now
      ? `waiting for another run to try`
      : `waiting until ${new Date(view.waiting.until).toTimeString().slice(0, 5)}`;
  if (row.state === 'waiting' && (view.holds ?? []).length > 0) return 'held: mayday holds';
  const { word } = view;
  if (word === 'rescuing' || word === 'preparing') return word;
  if (word === 'not_proven' && row.state !== 'removed') return wordText(word);
  if (!row.ended || view.incidents.length === 0) return row.state;
  const rescued = view.incidents.filter(({ outcome }) => outcome === 'resolved').length;
  const [times, what] = rescued > 0 ? [rescued, 'rescue'] : [view.incidents.length, 'incident'];
  return `${row.state}, ${counted(times, what)}`;
}
