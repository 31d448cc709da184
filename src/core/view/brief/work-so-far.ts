/** `doneSoFar`, `learned`, `notedBefore`, `stillOpen`, `diffBlock`: where the work stands, and what earlier sessions knew. */
import type { Examination } from '../../vocabulary/events/examination.ts';
import { openIncident, type RunState } from '../../state/run-state.ts';
import { oneLine, quoteFenced } from '../../text/quote-fenced.ts';
import { lines, quotedBlock, quotedList } from './brief-text.ts';

const MAX_WORDS_CHARS = 300;
const MAX_SAID = 3;
const MAX_NOTES = 10;

type Knowledge = NonNullable<Examination['knowledge']>;

export function doneSoFar(state: RunState, mark: string): string {
  const { created, changed, deleted, completed } = state.partialWork;
  const list = (title: string, items: readonly string[]) => quotedList(title, items, mark);
  const passing = state.task.checks.filter((command) => lastResult(state, command)?.passed);
  return lines([
    list('Created', created),
    list('Changed', changed),
    list('Deleted', deleted),
    list('Subtasks done', completed),
    passing.length > 0 ? `Checks that pass: ${passing.map(inline).join(', ')}.` : null,
    created.length + changed.length + deleted.length === 0 ? 'No file was changed yet.' : null,
  ]);
}

function lastResult({ checks }: RunState, command: string) {
  return checks.findLast((check) => check.command === command && check.variant === 'candidate');
}

/** What earlier sessions said and found out. A session that goes on knows it. */
export function learned(state: RunState, mark: string): string {
  const known = knowledgeOf(state);
  const last = known.at(-1)?.lastWords ?? null;
  // A question of the agent is told as the reason why it stopped.
  const words = last === openIncident(state)?.diagnosis?.rootCause ? null : last;
  const said = (of: (one: Knowledge) => readonly string[]) =>
    [...new Set(known.flatMap(of))].slice(-MAX_SAID);
  const failed = known.flatMap(({ failedCalls }) => failedCalls).slice(-MAX_SAID);
  return lines([
    quotedList(
      'Decided',
      said(({ decided }) => decided),
      mark,
    ),
    quotedList(
      'Tried and rejected',
      said(({ rejected }) => rejected),
      mark,
    ),
    ...failed.map(
      ({ call, result }) => `Failed: ${quoteFenced(call, mark, 120)} with ${quoteFenced(result, mark, 160)}`,
    ),
    words === null ? null : `Last words: ${quoteFenced(words, mark, MAX_WORDS_CHARS)}`,
  ]);
}

/** What earlier agents noted for those who continue: claims, the newest first, because the list is cut at its end. */
export function notedBefore({ attempts }: RunState, mark: string): string {
  return attempts
    .flatMap(({ told }) => told.filter(({ kind }) => kind === 'note'))
    .slice(-MAX_NOTES)
    .toReversed()
    .map(({ text }) => quoteFenced(text, mark, MAX_WORDS_CHARS))
    .join('\n');
}

export function stillOpen(state: RunState, isResumed: boolean, mark: string): string {
  const examination = lastExamination(state);
  const todo = isResumed ? [] : (knowledgeOf(state).at(-1)?.open ?? []);
  const allowed = new Set(state.options.permissions);
  const denied = (examination?.deniedTools ?? []).filter((tool) => !allowed.has(tool));
  const failing = state.task.checks.filter((command) => {
    const last = lastResult(state, command);
    return last?.purpose === 'gate' && !last.passed;
  });
  return lines([
    failing.length > 0 ? `Not passing yet: ${failing.map(inline).join(', ')}.` : null,
    quotedList('Still missing', [...new Set([...state.partialWork.missing, ...todo])], mark),
    examination?.inFlight
      ? `${quoteFenced(examination.inFlight, mark)} was cut; its result is unknown and its processes are gone.`
      : null,
    quotedList('Not allowed, so do without', denied, mark),
  ]);
}

/** The diff is outside the limit of a brief: it has its own. */
export function diffBlock(state: RunState, mark: string): string {
  const { diff = [], diffLeftOut = 0 } = knowledgeOf(state).at(-1) ?? {};
  if (diff.length === 0) return '';
  const more = diffLeftOut > 0 ? ` (${diffLeftOut} more lines are not shown)` : '';
  return `Diff of the work so far${more}:\n${quotedBlock('diff', diff.join('\n'), mark)}\n`;
}

export function lastExamination({ attempts }: RunState): Examination | undefined {
  return attempts.findLast(({ examination }) => examination !== null)?.examination ?? undefined;
}

function knowledgeOf({ attempts }: RunState): readonly Knowledge[] {
  return attempts.flatMap(({ examination }) => examination?.knowledge ?? []);
}

/** A command of the task, as the person wrote it. */
export function inline(text: string): string {
  return `\`${oneLine(text).replaceAll('`', "'")}\``;
}
