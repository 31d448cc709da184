/** `drawWatch`: the lines of the full screen of `mayday watch`, one for each row of the terminal; `reachOf`: how far its page can move. */
import { counted } from '../../core/text/counted.ts';
import { isOverWord } from '../../core/view/list-order.ts';
import { wordText } from '../../core/view/state-word.ts';
import type { LineDocument } from '../../http/line-document.ts';
import { asTyped } from '../as-typed.ts';
import { paint, type Tone } from '../render/colour.ts';
import { limitTexts } from '../render/limits.ts';
import { plain, plainLine } from '../render/plain.ts';
import { ago, clockTime } from '../render/time.ts';
import { minutes } from '../../core/text/minutes.ts';
import { fittingWindow } from '../../http/life-pieces.ts';
import { LIFE_LEGEND, lifeCells } from './life-cells.ts';
import { cutToWidth, padToWidth, textWidth, wrapToWidth } from '../../core/text/width.ts';
import {
  beginsAtTop,
  chosenLine,
  type WatchPage,
  pageOf,
  type Reach,
  type WatchData,
  type WatchView,
} from './watch-view.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

const TONES: Readonly<Partial<Record<LineDocument['word'], Tone>>> = {
  needs_you: 'needs',
  rescuing: 'trouble',
  waiting: 'waiting',
  stopping: 'quiet',
  stopped: 'quiet',
  queued: 'quiet',
  delivered: 'proven',
  not_proven: 'needs',
};

/** Below the title and its heads, above the note and the keys. */
const TOP = 2;
const FOOT = 2;
const LINES_EACH = 2;
const STATE = 13;
/** The line of life and a blank. */
const LIFE = 25;
const COST = 8;
/** The sentence about the chosen run is told to its end, in so many lines at most. */
const MAX_WHY = 4;
const MIN_WRAPPED = 20;
const MAX_NAME = 16;

const KEYS = [
  ['↑ ↓  j k', 'choose a run; scroll a page (also PgUp, PgDn, Home, End)'],
  ['Enter', 'open the run: its story and its question'],
  ['a', 'answer its question: a number or your own words, then Enter'],
  ['l', 'what its agent says and does'],
  ['f', 'its work so far, as a diff'],
  ['q  Esc', 'back; from the list: quit. The runs go on'],
  ['d  Ctrl-C', 'detach: quit from every page. The runs go on'],
  ['?', 'this list'],
] as const;

export function drawWatch(data: WatchData, view: WatchView, size: Size, colour: boolean): readonly string[] {
  const { columns, rows } = size;
  const page = pageOf(view);
  const body = page === 'list' ? list(data, view, size, colour) : inSight(data, view, size, colour);
  const lines = [
    page === 'list' ? title(data, size, colour) : runTitle(data, view, columns, colour),
    ...body,
    ...Array<string>(Math.max(0, rows - 1 - FOOT - body.length)).fill(''),
    view.note === '' && page === 'list' && data.lines.length > 0
      ? paint(fit(LIFE_LEGEND, columns), 'quiet', colour)
      : paint(fit(view.note, columns), 'strong', colour),
    foot(data, view, columns, colour),
  ];
  return lines.slice(0, rows);
}

export function reachOf(data: WatchData, view: WatchView, size: Size): Reach {
  if (pageOf(view) === 'list') return { page: runsInSight(size), most: 0 };
  const page = roomOf(size);
  return { page, most: Math.max(0, bodyOf(data, view, size.columns).length - page) };
}

function title({ lines, now }: WatchData, { columns }: Size, colour: boolean): string {
  const waiting = lines.filter(({ word }) => word === 'needs_you').length;
  const living = lines.filter(({ word }) => !isOverWord(word)).length;
  const told = [
    living === 0 ? 'no run is under way' : counted(living, 'run'),
    ...(lines.length > living ? [`${lines.length - living} ended lately`] : []),
    ...(waiting > 0 ? [`${waiting} ${waiting === 1 ? 'needs' : 'need'} you`] : []),
  ].join(' · ');
  const clock = clockTime(now);
  const left = fit(`mayday  ${told}`, columns - clock.length - 1);
  return paint(`${padToWidth(left, columns - clock.length)}${clock}`, 'strong', colour);
}

function list(data: WatchData, view: WatchView, size: Size, colour: boolean): string[] {
  const { columns } = size;
  if (data.lines.length === 0)
    return [
      '',
      fit(
        asTyped('  mayday run --check "npm test" "fix the flaky upload test"   starts one; it appears here'),
        columns,
      ),
    ];
  const { now } = data;
  const chosen = chosenLine(view, data);
  const pastMs = fittingWindow(data.lines, now);
  const rowsOf = (line: LineDocument) => rowsOfRun(line, line === chosen, { now, pastMs }, columns, colour);
  const unfolded = chosen === undefined ? 0 : rowsOf(chosen).length - LINES_EACH;
  const most = runsInSight({ ...size, rows: size.rows - unfolded });
  const from = Math.max(0, data.lines.findIndex((line) => line === chosen) - most + 1);
  const shown = data.lines.slice(from, from + most);
  const part =
    shown.length < data.lines.length ? `  ${from + 1}-${from + shown.length} of ${data.lines.length}` : '';
  return [
    paint(
      row(['STATE', `TASK${part}`, `LAST ${minutes(pastMs).toUpperCase()}`, 'COST'], false, columns),
      'quiet',
      colour,
    ),
    ...shown.flatMap(rowsOf),
  ];
}

interface Past {
  readonly now: number;
  readonly pastMs: number;
}

function rowsOfRun(
  line: LineDocument,
  isChosen: boolean,
  { now, pastMs }: Past,
  columns: number,
  colour: boolean,
): string[] {
  const { word, cost_usd, progress_at } = line;
  const name = plainLine(line.run_id, MAX_NAME);
  const state = wordText(word);
  const room = taskRoom(columns) - beyondState(state);
  const cells = [
    state,
    `${plainLine(line.title, Math.max(1, room - name.length - 2))}  ${name}`,
    lifeCells(line, now - pastMs, now, LIFE - 1),
    cost_usd > 0 ? `$${cost_usd.toFixed(2)}` : '-',
  ];
  const progress =
    progress_at === null || isOverWord(word) ? [] : [`progress ${ago(Date.parse(progress_at), now)}`];
  const why = plain([line.why, ...limitTexts(line, now), ...progress].join(' · '));
  const wide = Math.max(0, columns - STATE);
  const isUnfolded = isChosen && wide >= MIN_WRAPPED;
  const told = isUnfolded ? wrapToWidth(safe(why), wide).slice(0, MAX_WHY) : [plainLine(why, wide)];
  const indent = ' '.repeat(Math.min(STATE, Math.max(0, columns - 1)));
  const text = row(cells, isChosen, columns);
  const strong = isChosen ? 'strong' : null;
  return [
    [
      paint(text.slice(0, 2), strong, colour),
      paint(text.slice(2, STATE + beyondState(state)), TONES[word] ?? strong, colour),
      paint(text.slice(STATE + beyondState(state)), strong, colour),
    ].join(''),
    ...told.map((part) => paint(`${indent}${part}`, isChosen ? null : 'quiet', colour)),
  ];
}

function row(cells: readonly string[], isChosen: boolean, columns: number): string {
  const [state = '', task = '', life = '', cost = ''] = cells;
  const cell = (text: string, width: number) => padToWidth(fit(text, width - 1), width);
  const line = [
    isChosen ? '▸ ' : '  ',
    cell(state, STATE - 2 + beyondState(state)),
    cell(task, taskRoom(columns) + 1 - beyondState(state)),
    cell(life, LIFE),
    fit(cost, COST).padStart(COST),
  ].join('');
  return cutToWidth(line, columns);
}

/** A long state takes its room from the task, in its own row only: it is never cut. */
function beyondState(state: string): number {
  return Math.max(0, state.length + 3 - STATE);
}

function taskRoom(columns: number): number {
  return Math.max(8, columns - STATE - LIFE - COST - 1);
}

function runTitle(data: WatchData, view: WatchView, columns: number, colour: boolean): string {
  const page = pageOf(view);
  const line = chosenLine(view, data);
  if (page === 'keys' || line === undefined) return paint(fit('keys', columns), 'strong', colour);
  const what = page === 'run' ? '' : ` · ${page}`;
  const text = `${line.run_id} · ${wordText(line.word)}${what} · ${line.title}`;
  return paint(fit(text, columns), TONES[line.word] ?? 'strong', colour);
}

function inSight(data: WatchData, view: WatchView, size: Size, colour: boolean): string[] {
  const page = pageOf(view);
  const lines = bodyOf(data, view, size.columns);
  const room = roomOf(size);
  const scroll = Math.min(view.scroll, Math.max(0, lines.length - room));
  const from = beginsAtTop(page) ? scroll : Math.max(0, lines.length - room - scroll);
  return lines
    .slice(from, from + room)
    .map((line) => paint(line, page === 'diff' ? diffTone(line) : null, colour));
}

function bodyOf({ opened }: WatchData, view: WatchView, columns: number): readonly string[] {
  const page = pageOf(view);
  const body =
    page === 'keys' ? KEYS.map(([key, does]) => `  ${key.padEnd(12)}${does}`) : (opened?.body ?? []);
  return ['', ...body.flatMap((line) => laidOut(line, page, columns))];
}

/** A line of a diff is code: it is cut, not wrapped. */
function laidOut(text: string, page: WatchPage, columns: number): readonly string[] {
  return text
    .split('\n')
    .flatMap((line) =>
      page === 'diff'
        ? [fit(line, columns)]
        : wrapToWidth(safe(page === 'run' ? asTyped(line) : line), columns),
    );
}

function diffTone(line: string): Tone | null {
  if (line.startsWith('+')) return 'added';
  if (line.startsWith('-')) return 'removed';
  return line.startsWith('@@') || line.startsWith('diff ') ? 'quiet' : null;
}

function foot(data: WatchData, view: WatchView, columns: number, colour: boolean): string {
  const { draft } = view;
  if (draft !== null) {
    const options = data.opened?.question?.options.length ?? 0;
    const asked =
      draft.option === null ? `1-${options}, or your words (Esc: later)  ` : 'your words (Esc: later)  ';
    const prompt = cutToWidth(asked, Math.floor(columns / 2));
    return paint(`${prompt}${endOf(safe(draft.said), columns - textWidth(prompt) - 1)}_`, 'needs', colour);
  }
  const page = pageOf(view);
  const asks = (chosenLine(view, data)?.question ?? null) !== null;
  const keys =
    page === 'keys'
      ? ['q back']
      : [
          page === 'list' ? '↑↓ choose · Enter open' : '↑↓ scroll',
          ...(asks ? ['a answer'] : []),
          'l logs',
          'f diff',
          page === 'list' ? 'q quit' : 'q back',
          '? keys',
        ];
  return paint(fit(keys.join(' · '), columns), 'quiet', colour);
}

/** The end of what is being typed stays in sight. */
function endOf(text: string, width: number): string {
  let end = text;
  while (textWidth(end) > width && end !== '') end = end.replace(/^./su, '');
  return end;
}

function runsInSight({ rows }: Size): number {
  return Math.max(1, Math.floor((rows - TOP - FOOT) / LINES_EACH));
}

function roomOf({ rows }: Size): number {
  return Math.max(1, rows - 1 - FOOT);
}

function fit(text: string, width: number): string {
  return cutToWidth(safe(text), Math.max(0, width));
}

/** The marks that make an emoji wide are left out: terminals disagree on what they do. */
function safe(text: string): string {
  return plain(text)
    .replaceAll('\t', '    ')
    .replaceAll(/\s/g, ' ')
    .replaceAll(/[\uFE00-\uFE0F]/g, '');
}
