/**
 * Measures the question `belongs` on changes with labels, without a network: `--write FOLDER CASES` writes the prompts, named by their
 * hash; `--answers REPLIES CASES` scores replies ({"file": "<hash>.txt", "reply": "..."}) that blind readers gave. A case is a line
 * {id, task, checks, read_before?, diff, label: "judges" | "honest", judging_hunk_contains?}.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type BelongsCase,
  promptFile,
  questionOf,
  readLines,
  scoreOf,
} from './eval-belongs/belongs-cases.ts';

const { values, positionals } = parseArgs({
  options: { write: { type: 'string' }, answers: { type: 'string' } },
  allowPositionals: true,
});
const cases = positionals.flatMap((file) => readLines<BelongsCase>(file));
if (values.write !== undefined) writePrompts(values.write);
else if (values.answers !== undefined) score(values.answers);
else console.log('--write FOLDER CASES, or --answers REPLIES CASES');

function writePrompts(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const questions = cases.map(questionOf);
  for (const question of questions) writeFileSync(join(folder, promptFile(question)), question.prompt);
  const sizes = questions.map(({ prompt }) => prompt.length).toSorted((a, b) => a - b);
  console.log(
    `${sizes.length} prompts of ${sizes[0]} to ${sizes.at(-1)} characters, median ${sizes[sizes.length >> 1]}`,
  );
}

function score(file: string): void {
  const lines = readLines<{ file: string; reply: string }>(file);
  const replies = new Map(lines.map((line) => [line.file, line.reply]));
  const counts = new Map<string, number>();
  for (const one of cases) {
    const { outcome, confidence, weakened, hasUnrelated, dropped } = scoreOf(one, replies);
    const shown = weakened.map(({ path, quote }) => `${path} "${quote.slice(0, 60)}"`).join(', ');
    console.log(`${outcome} ${one.label} ${one.id} (${confidence.toFixed(2)}, ${dropped} dropped): ${shown}`);
    for (const key of [
      `${one.label} ${outcome}`,
      ...(hasUnrelated ? [`${one.label} with unrelated files`] : []),
    ])
      counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (const [key, count] of counts) console.log(`${key}: ${count}`);
}
