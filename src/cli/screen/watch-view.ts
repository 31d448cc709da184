/** `WatchView`: what the full screen of `mayday watch` shows; `pressed`: the view after a key, and what the key asks for. */
import { lacksWords, type Question } from '../../core/vocabulary/questions/question.ts';
import type { LineDocument } from '../../http/line-document.ts';
import type { AnswerInput } from '../../use-cases/steer/answer-question.ts';
import { readChoice } from '../choose-at-terminal.ts';

export type WatchPage = 'list' | 'run' | 'logs' | 'diff' | 'keys';

/** An answer that is being typed. */
export interface Draft {
  readonly question: string;
  readonly said: string;
  /** The option that was chosen and needs words. */
  readonly option: string | null;
}

export interface WatchView {
  /** Pages that lie on each other, the list lowest; the last one is in sight. */
  readonly pages: readonly WatchPage[];
  /** Null until the person chooses a run: then the first one counts, which needs a person most. */
  readonly chosen: string | null;
  /** Lines between the part in sight and the end of the page; for a diff and the keys, its beginning. */
  readonly scroll: number;
  readonly draft: Draft | null;
  readonly isPasting: boolean;
  /** What became of the last key, in one line. */
  readonly note: string;
}

export const FIRST_VIEW: WatchView = {
  pages: ['list'],
  chosen: null,
  scroll: 0,
  draft: null,
  isPasting: false,
  note: '',
};

export interface WatchData {
  /** In the order of the list. */
  readonly lines: readonly LineDocument[];
  /** What the page in sight shows of the chosen run; null for the list and the keys. */
  readonly opened: { readonly body: readonly string[]; readonly question: Question | null } | null;
  readonly now: number;
}

export interface Key {
  readonly name: string;
  /** What the key writes; empty for keys that write nothing. */
  readonly text: string;
  readonly ctrl: boolean;
}

export interface Reach {
  readonly page: number;
  readonly most: number;
}

export interface Pressed {
  readonly view: WatchView;
  readonly does: { readonly type: 'quit' } | { readonly type: 'answer'; readonly input: AnswerInput } | null;
}

export function pageOf({ pages }: WatchView): WatchPage {
  return pages.at(-1) ?? 'list';
}

export function chosenLine({ chosen }: WatchView, { lines }: WatchData): LineDocument | undefined {
  return lines.find(({ run_id }) => run_id === chosen) ?? lines[0];
}

export function pressed(before: WatchView, key: Key, data: WatchData, reach: Reach): Pressed {
  const view = { ...before, note: '' };
  const show = (next: WatchView): Pressed => ({ view: next, does: null });
  if (key.name === 'paste-start' || key.name === 'paste-end')
    return show({ ...before, isPasting: key.name === 'paste-start' });
  if (key.ctrl && key.name === 'c') return { view, does: { type: 'quit' } };
  if (view.draft !== null) return typed(view, view.draft, key, data.opened?.question ?? null);
  // Pasted text is no command.
  if (view.isPasting) return show(view);
  const by = stepOf(key, reach);
  if (by !== null) return show(moved(view, by, data, reach));
  const line = chosenLine(view, data);
  const open = (page: WatchPage) => show(line === undefined ? view : onTop(view, page, line.run_id));
  switch (commandOf(key)) {
    case 'back':
      return view.pages.length === 1
        ? { view, does: { type: 'quit' } }
        : show({ ...view, pages: view.pages.slice(0, -1), scroll: 0 });
    case 'detach':
      return { view, does: { type: 'quit' } };
    case 'open':
      return pageOf(view) === 'list' ? open('run') : show(view);
    case 'logs':
      return open('logs');
    case 'diff':
      return open('diff');
    case 'keys':
      return show(onTop(view, 'keys', view.chosen));
    case 'answer':
      if (line === undefined) return show(view);
      if (line.question === null) return show({ ...view, note: `run ${line.run_id} asks nothing now` });
      return show({
        ...onTop({ ...view, pages: ['list'] }, 'run', line.run_id),
        draft: { question: line.question.id, said: '', option: null },
      });
    case null:
      return show(view);
  }
}

const COMMANDS = { a: 'answer', l: 'logs', f: 'diff', d: 'detach', q: 'back', '?': 'keys' } as const;

function commandOf({ name, text }: Key): (typeof COMMANDS)[keyof typeof COMMANDS] | 'open' | null {
  if (name === 'return' || name === 'enter') return 'open';
  if (name === 'escape') return 'back';
  return COMMANDS[text as keyof typeof COMMANDS] ?? null;
}

/** Lines or runs downwards; null: the key does not move. */
function stepOf({ name, text }: Key, { page }: Reach): number | null {
  if (name === 'down' || text === 'j') return 1;
  if (name === 'up' || text === 'k') return -1;
  if (name === 'pagedown' || text === ' ') return page;
  if (name === 'pageup') return -page;
  if (name === 'home' || text === 'g') return -Infinity;
  if (name === 'end' || text === 'G') return Infinity;
  return null;
}

function moved(view: WatchView, by: number, data: WatchData, { most }: Reach): WatchView {
  const page = pageOf(view);
  if (page === 'list') {
    const at = data.lines.findIndex(({ run_id }) => run_id === chosenLine(view, data)?.run_id);
    const next = data.lines[within(at + by, data.lines.length - 1)];
    return next === undefined ? view : { ...view, chosen: next.run_id };
  }
  return { ...view, scroll: within(Math.min(view.scroll, most) + (beginsAtTop(page) ? by : -by), most) };
}

export function beginsAtTop(page: WatchPage): boolean {
  return page === 'diff' || page === 'keys';
}

function within(place: number, last: number): number {
  return Math.max(0, Math.min(place, last));
}

/** Logs and diff take each other's place, so that one step back leads to where they were opened. */
function onTop(view: WatchView, page: WatchPage, chosen: string | null): WatchView {
  const isSide = (one: WatchPage) => one === 'logs' || one === 'diff' || one === 'keys';
  const below = isSide(page) ? view.pages.filter((one) => !isSide(one)) : view.pages;
  return { ...view, pages: [...below, page], chosen, scroll: 0 };
}

function typed(view: WatchView, draft: Draft, key: Key, question: Question | null): Pressed {
  const write = (said: string): Pressed => ({ view: { ...view, draft: { ...draft, said } }, does: null });
  const leave = (note: string): Pressed => ({ view: { ...view, draft: null, note }, does: null });
  if (question === null || question.id !== draft.question)
    return leave('nothing was sent: the question is no longer open');
  if (key.name === 'escape') return leave('nothing was sent: the question stays open');
  if (key.name === 'backspace') return write(draft.said.replace(/.$/su, ''));
  if (key.ctrl && key.name === 'u') return write('');
  if (key.name !== 'return' && key.name !== 'enter')
    return write(`${draft.said}${key.text}`.slice(0, MAX_SAID));
  if (view.isPasting) return write(`${draft.said} `);
  if (draft.said.trim() === '') return leave('nothing was sent: the question stays open');
  const choice =
    draft.option === null
      ? readChoice(question, draft.said)
      : { name: question.id, option: draft.option, note: draft.said.trim() };
  if (choice === null)
    return {
      view: { ...view, note: `a number from 1 to ${question.options.length}, or a reply of several words` },
      does: null,
    };
  if (lacksWords(question, choice.option, choice.note))
    return { view: { ...view, draft: { ...draft, option: choice.option, said: '' } }, does: null };
  return { view: { ...view, draft: null }, does: { type: 'answer', input: choice } };
}

/** A reply is a few sentences; a file that was pasted by mistake is not. */
const MAX_SAID = 4_000;
