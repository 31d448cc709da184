/** What was drawn can be had again: the seed is printed in every title and at the end of the suite. */
import { afterEach, expect, it, vi } from 'vitest';
import { SEED } from '../lane.ts';
import SummaryReporter from '../summary-reporter.ts';
import { drawnKills } from './drawn-kills.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const titles = (seed?: number) => drawnKills(seed).map(({ title }) => title);
const places = (seed: number) => titles(seed).map((title) => title.replace(/ \(.*/, ''));

it('every title tells the seed that the places to kill at are drawn from', () => {
  expect(titles().length).toBeGreaterThan(0);
  for (const title of titles()) expect(title).toContain(`MAYDAY_TEST_SEED=${SEED}`);
});

it('one seed draws the same places again, another seed others', () => {
  expect(titles(4_711)).toEqual(titles(4_711));
  expect(places(4_712)).not.toEqual(places(4_711));
});

it('the suite ends with its seed and how to set it', () => {
  const said: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line));
  new SummaryReporter().onTestRunEnd([], []);
  expect(said[0]).toBe(`drawn from seed ${SEED}: set MAYDAY_TEST_SEED to have the same again`);
});
