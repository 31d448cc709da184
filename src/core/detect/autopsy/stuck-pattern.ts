/**
 * `stuckPattern`: what repeated most while a run was stuck: one error, one call, or nothing that can be named. The cause and the advice of
 * an autopsy are made from it, because the last failure of a run is often a different one.
 */
import { type Signal, SIGNALS } from '../../vocabulary/signal.ts';
import { counted } from '../../text/counted.ts';
import { callText, quote } from '../detector.ts';
import { isFinishing } from '../finishing.ts';
import type { RecordedTurn } from './recorded-turn.ts';
import { adviceByError, type FirstAdvice } from './reasons/advice-by-error.ts';
import { otherResults } from './other-results.ts';
import { pageIn, partIn } from './page-shown.ts';
import { tellPolled } from './polled.ts';
import type { Reason } from './reasons/find-reason.ts';
import { editsFile, editsWithin, type Repeated } from './repeated-turns.ts';
import type { StuckStretch } from './stuck-stretch.ts';

export interface StuckPattern {
  /** The failing turns that came most often; null if none came twice, or if they are only a part of a round. */
  readonly failure: Repeated | null;
  /** The turns that were repeated most, whether they failed or not; null if none was made twice. */
  readonly call: Repeated | null;
  /** The cause where a habit of the agent tells it better than any error; null if none does. */
  readonly cause: string | null;
  /** What to do first, in one sentence, by the habit or by the error; null if neither tells. */
  readonly startHere: string | null;
  /** What to do first where nothing is known but that it repeats. */
  readonly otherwise: string | null;
  /** Who can do what `startHere` says; null where nothing tells. */
  readonly by: FirstAdvice['by'];
  /** What a call that does not fail showed each time. */
  readonly shows: 'the same page' | 'no effect' | 'another part' | 'nothing new';
}

export function stuckPattern(
  { groups, turns }: StuckStretch,
  alarms: readonly Signal[],
  all: readonly RecordedTurn[],
): StuckPattern {
  const call = groups[0] ?? null;
  const failure = call?.turn.failed === true ? call : null;
  const habit = habitOf(call, turns, alarms, all);
  const advice = habit !== null || failure === null ? null : adviceByError({ turns: all, failure, task: '' });
  const shows = call === null ? 'nothing new' : shownBy(call);
  return {
    failure,
    call,
    cause: habit?.cause ?? (failure === null ? roundOf(groups) : null),
    startHere: habit?.startHere ?? advice?.text ?? null,
    otherwise: adviceForRepeating(call, turns, shows),
    by: advice?.by ?? null,
    shows,
  };
}

/** A sentence where a command belongs: it begins like one, goes on without a sign of the shell, and ends. */
const PROSE = /^[A-Z][A-Za-z']*\b[^|;&<>$=`{}]{60,}[.!?]/;
/** From this share of empty answers on, the searching is the trouble. */
const BARREN_SHARE = 0.6;

function habitOf(
  call: Repeated | null,
  turns: readonly RecordedTurn[],
  alarms: readonly Signal[],
  all: readonly RecordedTurn[],
): Reason | null {
  const why = alarms.findLast(({ type }) => SIGNALS[type].startHere !== undefined);
  if (why !== undefined)
    return {
      cause: `${why.reason}${why.type === 'edit_undo' ? waysToFail(turns) : ''}`,
      startHere: SIGNALS[why.type].startHere ?? '',
    };
  const failure = call?.turn.failed === true ? call : null;
  const prose = turns.filter(({ failed, input }) => failed && PROSE.test(input));
  if (failure !== null && PROSE.test(failure.turn.input))
    return {
      cause:
        `words were sent where a command belongs, in ${prose.length} of ${turns.length} calls (they begin ` +
        `${quote(failure.turn.input.slice(0, 40))}), so the shell reads them as a command: ${quote(failure.turn.errorLine)}`,
      startHere: 'Send the command alone, without the thought before it.',
    };
  if (failure !== null) return null;
  if (call?.kind === 'ask')
    return {
      cause: `the agent asked ${call.count} times, and nobody answered: ${quote(questionIn(call.last))}`,
      startHere: ANSWER,
    };
  if (call?.kind === 'look') return tellPolled(call, all);
  const looks = turns.filter(({ kind }) => kind === 'read' || kind === 'search');
  const barren = looks.filter((turn) => turn.barren);
  const last = barren.at(-1);
  if (last === undefined || barren.length < BARREN_SHARE * turns.length) return null;
  return {
    cause: `${counted(barren.length, 'look')} found nothing, the last one: ${callText(last)}`,
    startHere: foundBefore(last, all) ?? BARREN,
  };
}

const ASKED_NAME = /["'*\s]([\w.-]{4,60})\W{0,3}$/;
const PATH = /(?:[\w.@+-]*\/){1,40}[\w.@+-]{1,120}/g;

/** Another call showed a file with the name in it that these searches do not find: they take it for the whole name. */
function foundBefore(search: RecordedTurn, all: readonly RecordedTurn[]): string | null {
  const name = ASKED_NAME.exec(callText(search))?.[1];
  if (name === undefined) return null;
  const isNamed = (path: string) => path.slice(path.lastIndexOf('/') + 1).includes(name);
  for (const turn of all.filter(({ barren, failed, step }) => !barren && !failed && step < search.step)) {
    const path = turn.output.match(PATH)?.find(isNamed);
    if (path !== undefined)
      return (
        `\`${callText(turn)}\` showed ${path}, which has that name in it: these searches may take it for the whole name. ` +
        `Search by a pattern (\`*${name}*\`) or by a word of the text, or list the folder of that file.`
      );
  }
  return null;
}

const QUESTION = /"(?:question|prompt|message|text)" *: *"((?:[^"\\]|\\.){1,400})/;

function questionIn({ input }: RecordedTurn): string {
  return QUESTION.exec(input)?.[1] ?? input;
}

/** What the versions that are taken back fail with, if they fail in two ways. */
function waysToFail(turns: readonly RecordedTurn[]): string {
  const lines = new Map(
    turns.filter(({ failed }) => failed).map(({ error, errorLine }) => [error, errorLine]),
  );
  return lines.size === 0
    ? ''
    : `, and the check fails all the same: ${[...lines.values()].slice(-2).map(quote).join(' · ')}`;
}

/** How many calls of a round are named. */
const NAMED = 3;

/** Several calls that were made about as often as each other. */
function roundOf(groups: readonly Repeated[]): string | null {
  const times = groups[0]?.count ?? 0;
  const round = groups.filter(({ count }) => count >= times - 1);
  if (round.length < 2) return null;
  const calls = round.slice(0, NAMED).map(({ turn }) => callText(turn));
  const least = Math.min(...round.map(({ count }) => count));
  return `the same calls, each at least ${least} times: ${calls.join(' · ')}`;
}

export const SAME_PAGE =
  'It does not lead away from this page. Open the address of what is wanted directly, or search for it by its title.';
export const ANSWER =
  'Answer the question and give the answer with the task; where no person can answer, say in the task how to decide.';
export const BARREN = 'The searches find nothing: list the tree, and search by a part of the name.';

function shownBy(call: Repeated): StuckPattern['shows'] {
  if (hasNoEffect(call)) return pageIn(call.turn.output) === null ? 'no effect' : 'the same page';
  return isPaging(call) ? 'another part' : 'nothing new';
}

export const SCROLLS = /\bscroll/i;

/** The same call again and again leaves what it acts on as it is: the same page, or answers that begin alike. */
function hasNoEffect({ turn, turns }: Repeated): boolean {
  if (turns.length < 3 || SCROLLS.test(turn.input) || new Set(turns.map(({ call }) => call)).size > 1)
    return false;
  const pages = turns.map((each) => pageIn(each.output));
  if (!pages.includes(null))
    return new Set(pages.map((page) => `${page?.title} ${page?.address} ${page?.part}`)).size === 1;
  return (
    turn.kind === 'run' &&
    new Set(turns.map(({ opening }) => opening)).size === 1 &&
    new Set(turns.map(({ result }) => result)).size > 1
  );
}

/** The same call shows another part each time: other numbers are asked for, or the answers say so. */
export function isPaging({ turn, turns, count }: Repeated): boolean {
  const inputs = new Set(turns.map(({ input }) => input));
  if (inputs.size > 2 && (turn.kind === 'read' || turn.kind === 'other')) return true;
  const parts = new Set(turns.map((each) => partIn(each.output)).filter((part) => part !== ''));
  const isMoved = parts.size === 0 ? SCROLLS.test(turn.input) : parts.size > 1;
  return turn.kind !== 'test' && isMoved && new Set(turns.map(({ result }) => result)).size * 2 > count;
}

const COMPARES = /\b(?:assert\w*|expected|actual|received|got|want)\b|[!=]==?/i;

function adviceForRepeating(
  call: Repeated | null,
  turns: readonly RecordedTurn[],
  shows: StuckPattern['shows'],
): string | null {
  if (call?.turn.failed === true && otherResults(turns, call).length > 0)
    return (
      'What it shows changed with the edits so far, and it still fails. Follow the value from where it is made, ' +
      'and say what all edits took for granted.'
    );
  const isEdited = call !== null && editsWithin(turns, call.first.step, call.last.callStep).length > 0;
  if (call?.turn.failed === true && (editsFile(call.turn) || isEdited))
    return COMPARES.test(call.turn.output)
      ? 'The edits so far did not move this failure. Print the wrong value where it is made, and follow where it comes from, then edit.'
      : 'The edits so far did not move this failure: it may not come from what they change. Read one whole output, and look elsewhere.';
  if (call === null) return null;
  if (isFinishing(call.turn.tool, call.turn.input)) return SIGNALS.refused_again.startHere ?? null;
  if (call.turn.failed) return null;
  if (editsFile(call.turn))
    return 'The edit was accepted each time and did not do what it was for. Look at the file as it is now, then edit it once.';
  if (call.turn.barren)
    return call.turn.kind === 'read' || call.turn.kind === 'search'
      ? BARREN
      : 'It runs and prints nothing, so it cannot tell anything. Look at what it runs, and make it print what you want to know.';
  if (shows === 'the same page') return SAME_PAGE;
  if (shows === 'no effect')
    return 'It has no effect, however often it is made. Reach what is wanted another way: its address, another control, another tool.';
  if (shows === 'another part')
    return (
      `Do not page through it. Search for the name you need${call.turn.kind === 'read' ? ' (`grep -n`)' : ''} ` +
      'or open its place directly, then read only that.'
    );
  return 'What this call tells is known. Say what is still missing, and make the call that can tell it.';
}
