import { describe, expect, it } from 'vitest';
import type { Question } from '../../../src/core/vocabulary/questions/question.ts';
import {
  chosenLine,
  FIRST_VIEW,
  pageOf,
  type Pressed,
  pressed,
  type WatchData,
} from '../../../src/cli/screen/watch-view.ts';
import { asking, line, NOW } from './line.ts';

const question = {
  id: 'a-q1',
  options: [
    { id: 'reply', label: 'reply', needsNote: true },
    { id: 'abandon', label: 'stop' },
  ],
} as unknown as Question;
const data: WatchData = {
  lines: [asking('a'), line('b'), line('c')],
  opened: { body: [], question },
  now: NOW,
};

/** Names of keys, or a text that is typed. */
function press(keys: readonly string[], given: WatchData = data): Pressed {
  let now: Pressed = { view: FIRST_VIEW, does: null };
  for (const key of keys) {
    const ctrl = key.startsWith('^');
    const name = ctrl ? key.slice(1) : key;
    const text = key.length === 1 ? key : '';
    now = pressed(now.view, { name, text, ctrl }, given, { page: 10, most: 50 });
  }
  return now;
}

const letters = (text: string) => text.split('');
const answer = (keys: readonly string[]) => press(['a', ...keys]);

describe('the run that is chosen', () => {
  it('is the first one, which needs a person, until the person moves', () => {
    expect(chosenLine(FIRST_VIEW, data)?.run_id).toBe('a');
    const later = { ...data, lines: [asking('z'), ...data.lines] };
    expect(chosenLine(FIRST_VIEW, later)?.run_id).toBe('z');
  });

  it('stays chosen when the list is in another order', () => {
    const { view } = press(['j']);
    expect(view.chosen).toBe('b');
    expect(chosenLine(view, { ...data, lines: data.lines.toReversed() })?.run_id).toBe('b');
  });

  it('moves by arrows and by j and k, not beyond the ends', () => {
    expect(press(['down', 'j', 'j', 'j']).view.chosen).toBe('c');
    expect(press(['down', 'up', 'k']).view.chosen).toBe('a');
    expect(press(['end']).view.chosen).toBe('c');
    expect(press(['j'], { ...data, lines: [] }).view.chosen).toBeNull();
  });
});

describe('pages', () => {
  it('d detaches from every page, as it does in the view of one run', () => {
    expect(press(['d']).does).toEqual({ type: 'quit' });
    expect(press(['return', 'l', 'd']).does).toEqual({ type: 'quit' });
  });

  it('open with Enter, l, f and ?, and close with q and Escape, the list last', () => {
    expect(pageOf(press(['return']).view)).toBe('run');
    expect(pageOf(press(['return', 'l', 'f']).view)).toBe('diff');
    expect(pageOf(press(['return', 'l', 'f', 'q']).view)).toBe('run');
    expect(pageOf(press(['l', 'escape']).view)).toBe('list');
    expect(pageOf(press(['?']).view)).toBe('keys');
    expect(press(['return', 'q']).does).toBeNull();
    expect(press(['q']).does).toEqual({ type: 'quit' });
    expect(press(['return', 'l', '^c']).does).toEqual({ type: 'quit' });
  });

  it('scroll, not beyond their ends', () => {
    expect(press(['return', 'up', 'up']).view.scroll).toBe(2);
    expect(press(['return', 'up', 'down', 'down']).view.scroll).toBe(0);
    expect(press(['return', 'home', 'up']).view.scroll).toBe(50);
    expect(press(['f', 'end', 'j']).view.scroll).toBe(50);
  });
});

describe('an answer', () => {
  it('is a number and Enter', () => {
    expect(answer(['2', 'return']).does).toEqual({
      type: 'answer',
      input: { name: 'a-q1', option: 'abandon', note: '' },
    });
  });

  it('is a reply of several words; its letters are no commands', () => {
    expect(answer([...letters('quit all'), 'return']).does).toMatchObject({
      input: { option: 'reply', note: 'quit all' },
    });
  });

  it('asks for words where the option needs them', () => {
    const half = answer(['1', 'return']);
    expect(half).toMatchObject({ does: null, view: { draft: { option: 'reply', said: '' } } });
    expect(answer(['1', 'return', ...letters('yes'), 'return']).does).toMatchObject({
      input: { option: 'reply', note: 'yes' },
    });
  });

  it('that chooses nothing is not sent, and the screen says what it takes', () => {
    expect(answer(['9', 'return'])).toMatchObject({
      does: null,
      view: { note: expect.stringContaining('1 to 2') },
    });
    expect(answer(['return'])).toMatchObject({ does: null, view: { draft: null } });
    expect(answer(['2', 'escape'])).toMatchObject({ does: null, view: { draft: null } });
    expect(answer(['9', 'backspace', '2', 'return']).does).toMatchObject({ input: { option: 'abandon' } });
  });

  it('to a question that was closed meanwhile is not given to the next one', () => {
    const { view } = answer(['2']);
    const next = { ...data, opened: { body: [], question: { ...question, id: 'a-q2' } } };
    const sent = pressed(view, { name: 'return', text: '', ctrl: false }, next, { page: 10, most: 0 });
    expect(sent).toMatchObject({
      does: null,
      view: { draft: null, note: expect.stringContaining('no longer open') },
    });
  });

  it('is not asked for where the run asks nothing', () => {
    expect(press(['j', 'a'])).toMatchObject({ view: { draft: null, note: 'run b asks nothing now' } });
  });

  it('takes pasted lines as one text, and pasted text elsewhere does nothing', () => {
    const pasted = answer(['paste-start', ...letters('one'), 'return', ...letters('two'), 'paste-end']);
    expect(pasted).toMatchObject({ does: null, view: { draft: { said: 'one two' } } });
    expect(press(['paste-start', 'q', 'a', 'return', 'paste-end'])).toMatchObject({
      does: null,
      view: { pages: ['list'], draft: null, isPasting: false },
    });
  });
});
