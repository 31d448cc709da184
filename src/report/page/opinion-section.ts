/** `opinionSection`: the opinions that models gave: what they cost, what they claimed and how much of it came true. */
import type { Report } from '../build-report.ts';
import { listBlock, pageSection, type Section, tableBlock } from './page.ts';
import { countedShare, percent } from './words.ts';

export function opinionSection({ opinions }: Report): Section {
  if (opinions.length === 0) return pageSection('Opinions', listBlock([], 'no model was asked'));
  const rows = opinions.map(({ by, asked, answered, cost_usd, claimed }) => [
    by,
    String(asked),
    String(answered),
    `$${cost_usd.toFixed(3)}`,
    claimed
      .map(
        ({ from, n, came_true }) =>
          `${from === 0 ? 'less' : `${percent(from)} or more`}: ${countedShare(came_true, n)}`,
      )
      .join(' · ') || 'not judged yet',
  ]);
  return pageSection(
    'Opinions',
    tableBlock(['Provider', 'Asked', 'Answered', 'Cost', 'Claimed, and came true'], rows),
  );
}
