import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ALL_CLIS } from '../../test-agents/all-clis.ts';
import { agentsPage, measuredCells, PAGE } from '../../test-agents/measured-cells.ts';
import { storiesOf } from '../../test-agents/story.ts';

it('the page of the agents says what the recorded cells showed', () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(agentsPage(measuredCells()));
});

it('every recorded cell is of a story that there is, with a version that is pinned, and none of what cannot be', () => {
  for (const { cli: title, story } of measuredCells()) {
    const column = ALL_CLIS.find(({ cli }) => `${cli.title} ${cli.version}` === title);
    expect(column, title).toBeDefined();
    expect(column === undefined ? [] : storiesOf(column.cli).map(({ name }) => name)).toContain(story);
    expect(column?.cli.cannot?.[story]).toBeUndefined();
  }
});
