/** `measuredCells`, `recordCells`, `isGreen`, `agentsPage`: what the table showed when its cells were last played, as data and as a page. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { table } from '../scripts/docs/table.ts';
import { ALL_CLIS } from './all-clis.ts';
import { bareWords, supervisedWords } from './cell-table.ts';
import { storiesOf } from './story.ts';
import type { StoryCell } from './story-cell.ts';

const ROOT = resolve(import.meta.dirname, '..');
const DATA = join(ROOT, 'test-agents/measured.json');
export const PAGE = join(ROOT, 'docs/agents-table.md');

const MeasuredCell = z.object({
  cli: z.string(),
  story: z.string(),
  bare: z.string(),
  mayday: z.string(),
  class: z.string().nullable(),
  attempts: z.number(),
  wrong: z.array(z.string()).readonly(),
});
type MeasuredCell = Readonly<z.infer<typeof MeasuredCell>>;

export function measuredCells(): readonly MeasuredCell[] {
  return z.array(MeasuredCell).parse(JSON.parse(readFileSync(DATA, 'utf8')));
}

export function isGreen(cli: string, story: string): boolean {
  return measuredCells().some((cell) => cell.cli === cli && cell.story === story && cell.wrong.length === 0);
}

/** The newest look at a cell counts. */
export function recordCells(cells: readonly StoryCell[]): void {
  const key = ({ cli, story }: Pick<MeasuredCell, 'cli' | 'story'>): string => `${cli}: ${story}`;
  const all = new Map(measuredCells().map((cell) => [key(cell), cell]));
  for (const { cli, story, bare, supervised, wrong } of cells)
    all.set(key({ cli, story }), {
      cli,
      story,
      bare: bareWords(bare),
      mayday: supervisedWords(supervised),
      class: supervised.class,
      attempts: supervised.attempts,
      wrong,
    });
  const sorted = [...all.values()].toSorted((one, other) => key(one).localeCompare(key(other)));
  writeFileSync(DATA, `${JSON.stringify(sorted, null, 2)}\n`);
  writeFileSync(PAGE, agentsPage(sorted));
}

export function agentsPage(cells: readonly MeasuredCell[]): string {
  const green = cells.filter(({ wrong }) => wrong.length === 0).length;
  let unseen = 0;
  const sections = ALL_CLIS.map(({ cli, isOlder }) => {
    const { title, version, cannot = {} } = cli;
    const name = `${title} ${version}`;
    const own = cells.filter((cell) => cell.cli === name);
    const rows = own.map((cell) => [
      cell.story,
      cell.bare,
      cell.mayday,
      cell.class ?? '-',
      String(cell.attempts),
      cell.wrong.length === 0 ? 'ok' : cell.wrong.join('; '),
    ]);
    const impossible = Object.entries(cannot).map(([story, why]) => [story, 'cannot be', why, '', '', '']);
    const missing = storiesOf(cli).filter(
      (story) =>
        (!isOlder || story.everyVersion === true) &&
        cannot[story.name] === undefined &&
        !own.some((cell) => cell.story === story.name),
    );
    unseen += missing.length;
    const open = missing.map((story) => [story.name, 'not recorded', '', '', '', '']);
    const head = ['story', 'bare', 'under Mayday', 'class', 'attempts', ''];
    return `## ${name}\n\n${table(head, [...rows, ...impossible, ...open])}`;
  });
  return `<!-- made from test-agents/measured.json, which \`npm run test:agents -- --record\` writes -->

# Agents, bare and under Mayday

Each story is played with the real CLI and a scripted model, first as a person would start it (it is cut off after 30 s), then under \`mayday run\`.
Of ${cells.length + unseen} cells, ${green} are recorded to end as they must (delivered, with the right cause, and no process left behind), ${cells.length - green} to fail, and
${unseen} are not recorded. The cells were played on several trees of two days, while the machine did other work. Times are of that machine at that load.

${sections.join('\n\n')}
`;
}
