/** Runs in a browser: circles, pages that do not change, and the place that turned the run away. */
import { expect, test } from 'vitest';
import { type Call, madeRun, type Said, times } from './made-run.ts';

const page = (title: string, address: string, text = 'words', where = 'at the top of the page') =>
  `Here is a screenshot of [${title}](${address}). The viewport shows 20% of the webpage, and is positioned ${where}.\n${text}`;
const visit = (title: string, address: string, text = 'words'): Call => [
  'browser',
  `I clicked '${title}'.`,
  page(title, address, text),
];
const ledger = (isLoop: boolean): Said => [
  'agent',
  `Updated Ledger:\n{"is_in_loop": {"reason": "the same pages", "answer": ${isLoop}}, "next": "go on"}`,
];

test('an orchestrator that says twice that it is in a loop tells where the trouble is', () => {
  const { found, cause, next } = madeRun([
    visit('Trains', 'https://trains.example/'),
    ...times<Said | Call>(6, (n) => [
      ledger(n > 0),
      ['agent', 'Look for the departure once more.'],
      visit(n % 2 === 0 ? 'Times' : 'Stations', `https://trains.example/${n % 2}`, `text ${n}`),
    ]),
    ['agent', 'Max time (900s) reached.'],
  ]);
  expect(found.state).toBe('stuck');
  expect(cause).toContain('the same pages again and again');
  expect(cause).toContain('noted 5 times that it was in a loop or stalled');
  expect(cause).not.toContain('messages in a row');
  expect(next).toContain('another source');
});

test('pages that are visited in turn are circles without a word of the run', () => {
  const { found, cause } = madeRun([
    ...times(8, (n) => [visit(n % 2 === 0 ? 'Menu' : 'Prices', `https://inn.example/${n % 2}`, `dish ${n}`)]),
  ]);
  expect(found.state).toBe('stuck');
  expect(cause).toContain('Menu (4 times) · Prices (4 times)');
});

test('new pages after the circles mean that it found its way', () => {
  const { found } = madeRun([
    ...times(6, (n) => [visit(n % 2 === 0 ? 'Menu' : 'Prices', `https://inn.example/${n % 2}`, `dish ${n}`)]),
    ...times(4, (n) => [visit(`Inn ${'abcd'[n]}`, `https://inns.example/${'abcd'[n]}`, `house ${n}`)]),
    ['agent', 'FINAL ANSWER: the Swan'],
  ]);
  expect(found.state).toBe('finished');
  expect(found.gotOver?.fromStep).toBeGreaterThan(0);
});

test('the place that turned the run away first and was never reached is the root', () => {
  const { cause, next } = madeRun([
    visit('Search', 'https://search.example/?q=word'),
    ['browser', "I clicked 'Dictionary'.", page('Just a moment...', 'https://dictionary.example/word')],
    ...times<Said | Call>(4, (n) => [ledger(true), visit('Forum', 'https://forum.example/', `thread ${n}`)]),
  ]);
  expect(cause).toContain('dictionary.example was not reached (Just a moment...)');
  expect(next).toContain('Do not try dictionary.example again');
});

test('a page that could not be loaded is named by its host', () => {
  const { cause } = madeRun([
    ['browser', "I clicked 'Atlas'.", page('atlas.example', 'chrome-error://chromewebdata/')],
    ...times<Said | Call>(4, (n) => [ledger(true), visit('Forum', 'https://forum.example/', `thread ${n}`)]),
  ]);
  expect(cause).toContain('atlas.example was not reached (the page could not be loaded)');
});

test('a long page that is scrolled through is told to be opened at its place', () => {
  const { cause, next } = madeRun([
    visit('Archive', 'https://sky.example/archive'),
    ...times<Said | Call>(7, (n) => [
      ledger(n > 2),
      [
        'browser',
        'I scrolled down one page in the browser.',
        page('Archive', 'https://sky.example/archive', `day ${n}`, `${n}% down`),
      ],
    ]),
  ]);
  expect(cause).toContain('scrolled through');
  expect(next).toContain('Open the address of the one entry');
});

test('a place that let the run in later is not the root', () => {
  const { cause } = madeRun([
    ['browser', "I clicked 'Dictionary'.", page('Just a moment...', 'https://dictionary.example/word')],
    visit('Word', 'https://dictionary.example/word'),
    ...times<Said | Call>(4, (n) => [ledger(true), visit('Forum', 'https://forum.example/', `thread ${n}`)]),
  ]);
  expect(cause).not.toContain('was not reached');
});

test('a click that stays on the page is told as that, although each text differs', () => {
  const { cause, next } = madeRun([
    visit('Search', 'https://search.example/'),
    ...times(6, (n): Call[] => [
      [
        'browser',
        "I clicked 'First hit'.",
        page('Search', 'https://search.example/', `advert ${'abcdef'[n]}`),
      ],
    ]),
    ['agent', 'I will click it once more.'],
  ]);
  expect(cause).toContain('stayed on the same page');
  expect(next).toContain('does not lead away');
  expect(`${cause} ${next}`).not.toMatch(/another part|grep/);
});
