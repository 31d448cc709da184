/** The list of faults says where each is proven: every fault has its row, every proof is a test of that name, and stands for one row. */
import { expect, it } from 'vitest';
import { FAULTS, LISTED } from './faults.ts';
import { readPage } from './pages.ts';

/** Faults pass or stay; inputs, threats and promises do not. */
const PASSING = new Set([
  'Agent',
  'Supervisor',
  'Storage',
  'Flood',
  'Scale',
  'Git',
  'Model',
  'People',
  'Checks',
  'Upgrade',
]);

it.each(Object.entries(LISTED))('%s: every line of the list has its row', (group, listed) => {
  const rows = FAULTS.filter((row) => row.group === group).map(({ fault }) => fault);
  expect(listed.filter((fault) => !rows.includes(fault))).toEqual([]);
  expect(rows).toEqual([...new Set(rows)]);
});

it('no row stands under an unknown heading', () => {
  expect(FAULTS.filter(({ group }) => !(group in LISTED))).toEqual([]);
});

it.each(FAULTS)('$group: $fault', ({ group, injected, seen, lost, proofs }) => {
  if (PASSING.has(group)) expect(injected).toMatch(/\b(?:once|for ever|every|at a time)\b/);
  expect(seen.length).toBeGreaterThan(3);
  expect(lost).toMatch(/^(?:nothing$|only )/);
  for (const { file, titles } of proofs) {
    const text = readPage(file).replaceAll("\\'", "'");
    for (const title of titles) expect(isNamed(text, title), `${file}: ${title}`).toBe(true);
  }
});

it('no proof stands for two rows', () => {
  const all = FAULTS.flatMap(({ proofs }) => proofs.map((proof) => JSON.stringify(proof)));
  expect(all.filter((proof, index) => all.indexOf(proof) !== index)).toEqual([]);
});

/** The whole title of a test or a case, between quotes; what a drill says about itself stands bare. */
function isNamed(text: string, title: string): boolean {
  return (
    ["'", '"', '`'].some((quote) => text.includes(`${quote}${title}${quote}`)) ||
    text.includes(`\nabout: ${title}\n`)
  );
}
