import { describe, expect, it } from 'vitest';
import { textWidth } from '../../../src/core/text/width.ts';
import { drawWatch } from '../../../src/cli/screen/draw-watch.ts';
import { FIRST_VIEW, type WatchData, type WatchView } from '../../../src/cli/screen/watch-view.ts';
import { asking, line, NOW } from './line.ts';

const SIZE = { columns: 80, rows: 24 };
const data = (given: Partial<WatchData> = {}): WatchData => ({ lines: [], opened: null, now: NOW, ...given });
const draw = (given: Partial<WatchData>, view: Partial<WatchView> = {}, size = SIZE) =>
  drawWatch(data(given), { ...FIRST_VIEW, ...view }, size, false);

/** What an agent, a task or a check may put into any field. */
const HOSTILE = '\u001B[2J\u001B]0;owned\u0007\u009B31m\r\n\tred\u202Eflip\u200B\u2028 漢字 👩‍🚒 ❤️ '.repeat(
  6,
);

describe('the full-screen list', () => {
  it('says of each run its state, task, line of life and cost, and below it why and the last progress', () => {
    const [title, heads, first, why] = draw({ lines: [line('pm3f', { cost_usd: 1.5 })] });
    expect(title).toMatch(/^mayday {2}1 run .*\d\d:\d\d$/);
    expect(heads).toMatch(/STATE +TASK +LAST \d+ \w+ +COST/);
    expect(first).toMatch(/^▸ working +the task of pm3f {2}pm3f +\$1\.50$/);
    expect(why?.trim()).toBe('attempt 1 of command · progress 5 s ago');
  });

  it('tells the sentence about the chosen run to its end; the others are cut with a mark', () => {
    const why = `${'the agent circles around the same test again and again; '.repeat(3)}the end`;
    const text = draw({ lines: [line('a', { why }), line('b', { why })] });
    expect(text.filter((one) => one.includes('the end'))).toHaveLength(1);
    expect(text.filter((one) => one.endsWith('…'))).toHaveLength(1);
  });

  it('counts what ended apart from what is under way, and says what the signs mean', () => {
    const text = draw({ lines: [line('a'), line('b', { word: 'delivered' })] });
    expect(text[0]).toContain('1 run · 1 ended lately');
    expect(text.at(-2)).toContain('━ work moves');
  });

  it('counts the runs that need a person', () => {
    expect(draw({ lines: [asking('a'), asking('b'), line('c')] })[0]).toContain('3 runs · 2 need you');
    expect(draw({ lines: [line('c')] })[0]).not.toContain('need');
  });

  it('says when a wait ends, and names a limit that comes near, not one that is far', () => {
    const limits = [
      { kind: 'cost_usd', used: 0.9, of: 1 },
      { kind: 'tokens', used: 10, of: 1_000 },
      { kind: 'goes_on', from: new Date(NOW).toISOString(), until: new Date(NOW + 3_600_000).toISOString() },
    ] as const;
    const text = draw({ lines: [line('a', { limits: [...limits] })] }).join('\n');
    expect(text).toContain('$0.90 of $1');
    expect(text).toMatch(/goes on at \d\d:\d\d/);
    expect(text).not.toContain('tokens');
  });

  it('keeps the chosen run in sight among many', () => {
    const lines = Array.from({ length: 40 }, (_, index) => line(`r${index}`));
    expect(
      draw({ lines }, { chosen: 'r33' }).some((text) => text.startsWith('▸') && text.includes('r33')),
    ).toBe(true);
  });

  it('says how to start a run where there is none', () => {
    expect(draw({}).join('\n')).toMatch(/no run is under way[^]*mayday run --check/);
  });

  it('has exactly the rows of the terminal and never a line that is wider, also with wide characters', () => {
    const lines = [
      asking('漢字漢字漢字漢字漢字漢字'),
      ...Array.from({ length: 9 }, (_, at) => line(`漢${at}`, { title: '修复'.repeat(60) })),
    ];
    for (const size of [SIZE, { columns: 120, rows: 40 }, { columns: 40, rows: 10 }, { columns: 9, rows: 4 }])
      for (const pages of [['list'], ['list', 'run'], ['list', 'diff'], ['list', 'keys']] as const) {
        const opened = { body: ['word '.repeat(80), `+${'漢'.repeat(200)}`, '\tcode'], question: null };
        const drawn = draw({ lines, opened }, { pages, note: '漢'.repeat(100) }, size);
        expect(drawn).toHaveLength(size.rows);
        for (const text of drawn) expect(textWidth(text), text).toBeLessThanOrEqual(size.columns);
      }
  });

  it('lets no control character of a run reach the terminal', () => {
    const hostile = { ...asking('h'), run_id: HOSTILE, title: HOSTILE, why: HOSTILE, stage: HOSTILE };
    const opened = { body: [HOSTILE], question: null };
    for (const pages of [['list'], ['list', 'run'], ['list', 'logs'], ['list', 'diff']] as const) {
      const draft = { question: 'q', said: HOSTILE, option: null };
      const drawn = draw({ lines: [hostile as never], opened }, { pages, note: HOSTILE, draft });
      expect(drawn.join('')).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
    }
  });

  it('writes colour only where it may, and the word stands there either way', () => {
    const lines = [asking('a')];
    expect(drawWatch(data({ lines }), FIRST_VIEW, SIZE, true).join('')).toContain('\u001B[1;33mneeds you');
    expect(draw({ lines }).join('')).not.toContain('\u001B');
  });
});

describe('a page of the full screen', () => {
  const body = Array.from({ length: 100 }, (_, index) => `line ${index};`);
  const opened = { body, question: null };

  it('shows the end of a story and the beginning of a diff; scrolling leads to the rest', () => {
    const shown = (pages: WatchView['pages'], scroll = 0) =>
      draw({ lines: [line('a')], opened }, { pages, scroll }).join('\n');
    expect(shown(['list', 'run'])).toContain('line 99;');
    expect(shown(['list', 'run'], 1_000)).toContain('line 0;');
    expect(shown(['list', 'diff'])).toContain('line 0;');
    expect(shown(['list', 'diff'], 1_000)).toContain('line 99;');
  });

  it('offers to answer only where there is a question', () => {
    expect(draw({ lines: [asking('a')], opened }, { pages: ['list', 'run'] }).at(-1)).toContain('a answer');
    expect(draw({ lines: [line('a')], opened }, { pages: ['list', 'run'] }).at(-1)).not.toContain('answer');
  });
});
