/**
 * `npm run demo`: three agents fail in three ways and are rescued, with no key, no network and no model. One of them needs
 * a person: the script answers, or you do with `--interactive`. Leaves nothing behind.
 */
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Question } from '../src/core/vocabulary/questions/question.ts';
import { report } from './demo/report.ts';
import { type Told, tellDrill } from './demo/tell-drill.ts';

const ACTS = [
  ['demo-interrupted', 'An agent is interrupted after one of three files. Nothing was committed.'],
  ['demo-loop', 'An agent runs the same failing test again and again.'],
  ['demo-scope', 'An agent needs a file that it may not touch. One decision is yours.'],
] as const;

const interactive = process.argv.includes('--interactive');
const begun = performance.now();
const told: Told[] = [];
for (const [index, [name, about]] of ACTS.entries()) {
  console.log(`\n${index + 1}. ${about}\n`);
  const file = join(import.meta.dirname, '../demo', `${name}.yaml`);
  const print = (line: string) => console.log(line === '' ? '' : `   ${line}`);
  told.push(await tellDrill(file, print, interactive ? askPerson : undefined));
}

// Who answers for themselves may decide otherwise than the script; the run ends as they said.
const well = told.filter(
  ({ result, state }) => result.passed || (interactive && state.life.type === 'ended'),
);
console.log(report(told, (performance.now() - begun) / 1000));
console.log(`demo: ${well.length} passed, ${told.length - well.length} failed`);
process.exit(well.length === told.length ? 0 : 1);

async function askPerson({ options, recommended }: Question): Promise<{ option: string; note: string }> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    for (;;) {
      const word =
        (await terminal.question(`   your decision [${recommended ?? '1'}]: `)).trim() ||
        (recommended ?? '1');
      const chosen = options.find(({ id }, index) => id === word || String(index + 1) === word);
      if (chosen !== undefined) return { option: chosen.id, note: '' };
    }
  } finally {
    terminal.close();
  }
}
