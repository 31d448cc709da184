/**
 * Measures opinions on labelled outputs with recorded answers. `npm run eval:opinion -- --write FOLDER [--most N] [--seed N] FILE...` writes
 * the prompts, without labels, for somebody who plays the model; `--answers ANSWERS FILE...` replays what was answered (`--wrong` names
 * what is not right).
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { printFigures } from './eval-opinion/figures.ts';
import { Recordings } from './eval-opinion/recordings.ts';
import { weighedRows } from './eval-opinion/weighed-rows.ts';
import { drawn, readFiles, type ReadRow } from './eval-opinion/asked-rows.ts';

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'string' },
    index: { type: 'string' },
    most: { type: 'string', default: '300' },
    seed: { type: 'string', default: '20261118' },
    answers: { type: 'string', multiple: true },
    wrong: { type: 'boolean', default: false },
  },
});
/** The rules were made with captures in sight: a share of them is enough. */
const CAPTURES_SHARE = 4;

const rows = readFiles(files);
if (values.answers !== undefined) {
  const recordings = new Recordings(values.answers);
  printFigures(await weighedRows(rows, recordings), values.wrong);
  console.log(`\n${recordings.changed} recordings are of prompts that have changed since`);
}
if (values.write !== undefined) write(values.write, Number(values.most), Number(values.seed));

/** All that is asked about first; what is left of the number goes to answers that the rules take for proven, the least sure first. */
function write(folder: string, most: number, seed: number): void {
  const asked = rows.filter(({ isAsked }) => isAsked);
  const captures = asked.filter(({ origin }) => origin === 'captures');
  const chosen = new Set<ReadRow>([
    ...asked.filter(({ origin }) => origin !== 'captures'),
    ...drawn(captures, Math.ceil(captures.length / CAPTURES_SHARE), seed),
  ]);
  const rest = rows
    .filter(({ isAsked, origin }) => !isAsked && origin !== 'captures')
    .toSorted((a, b) => a.rules.confidence - b.rules.confidence);
  for (const row of rest) if (chosen.size < most) chosen.add(row);
  mkdirSync(folder, { recursive: true });
  const index: Record<string, string> = {};
  const sizes: number[] = [];
  for (const row of drawn([...chosen], most, seed)) {
    const { question, hash } = row.question();
    const { prompt } = question;
    writeFileSync(join(folder, `${hash.slice(0, 16)}.txt`), prompt);
    index[hash] = row.row.id;
    sizes.push(prompt.length);
  }
  if (values.index !== undefined) writeFileSync(values.index, JSON.stringify(index, null, 1));
  sizes.sort((a, b) => a - b);
  const size = (share: number): number => sizes[Math.floor((sizes.length - 1) * share)] ?? 0;
  console.log(
    `seed ${seed}: ${sizes.length} prompts of ${rows.length} outputs (${asked.length} are asked about); characters: median ${size(0.5)}, 90 % ${size(0.9)}, most ${size(1)}`,
  );
}
