/** Scores the diagnosis on labelled outputs. `npm run eval:diagnose -- FILE...`; without FILE the corpus in the repository; `--record`: for docs/peers.md. */
import { diagnose } from '../src/core/diagnose/diagnose.ts';
import { writePeersPage } from './bench-peers/peers-page.ts';
import { type DiagnosisRow, recordRules } from './bench-peers/rules-section.ts';
import { keywordAnswer } from './eval-diagnose/keywords.ts';
import { leaveCapturesOut, leaveOneOriginOut, leaveOneToolOut } from './eval-diagnose/leave-one-out.ts';
import { originOf, readRows, type Row } from './eval-diagnose/row.ts';
import {
  type Answer,
  calibration,
  confusion,
  namesCause,
  type Scores,
  scoresOf,
} from './eval-diagnose/score.ts';

const CORPORA = ['dev', 'other-tools', 'unseen'].map(
  (name) => new URL(`../test/fixtures/corpus/${name}.jsonl`, import.meta.url).pathname,
);

function answer(row: Row, withExit: boolean): Answer {
  const status = withExit ? { exitCode: row.exit_code, signal: row.signal, command: row.command } : {};
  return { row, got: diagnose({ output: row.output, ...status }) };
}

function print(title: string, scores: Scores): void {
  const percent = (value: number): string => `${(value * 100).toFixed(1)} %`;
  console.log(
    `${title.padEnd(34)} accuracy ${scores.accuracy.toFixed(3)}  macro-F1 ${scores.macroF1.toFixed(3)}  false alarms ${percent(scores.falseAlarms)}  cause first ${percent(scores.causeFirst)}  recoverable ${percent(scores.recoverable)}  failures called success ${scores.missed}`,
  );
}

/** One block per origin: leave-one-origin-out first, because the rules were made with the others in sight. */
function printOrigins(): DiagnosisRow[] {
  const witnesses = CORPORA.flatMap(readRows);
  const out = leaveOneOriginOut(rows, witnesses);
  const strict = leaveCapturesOut(rows, witnesses);
  const beside: DiagnosisRow[] = [];
  for (const origin of new Set(rows.map(originOf))) {
    const of = (answers: readonly Answer[]): readonly Answer[] =>
      answers.filter(({ row }) => originOf(row) === origin);
    console.log(`\n${origin} (${of(full).length} outputs)`);
    print('  leave one origin out', scoresOf(of(out.full)));
    print('  leave one origin out, text alone', scoresOf(of(out.text)));
    if (of(strict.full).length > 0) {
      print('  had no capture been seen', scoresOf(of(strict.full)));
      print('  had no capture been seen, text', scoresOf(of(strict.text)));
    }
    print('  with exit code and command', scoresOf(of(full)));
    print('  text alone', scoresOf(of(text)));
    const own = rows.filter((row) => originOf(row) === origin);
    const scores = [
      { name: 'Mayday', ...scoresOf(of(out.full)) },
      { name: 'Mayday, text alone', ...scoresOf(of(out.text)) },
      { name: 'keywords', ...scoresOf(own.map((row) => keywordAnswer(row, true))) },
      { name: 'keywords, text alone', ...scoresOf(own.map((row) => keywordAnswer(row, false))) },
    ];
    for (const { name, ...score } of scores.slice(2)) print(`  ${name}`, score);
    beside.push({ origin, outputs: own.length, scores });
    console.log('  calibration (leave one origin out)');
    for (const line of calibration(of(out.full))) console.log(`  ${line}`);
  }
  return beside;
}

const arguments_ = process.argv.slice(2);
const verbose = arguments_.includes('--wrong');
const files = arguments_.filter((argument) => !argument.startsWith('--'));
const rows = (files.length === 0 ? CORPORA.slice(0, 1) : files).flatMap((file) => readRows(file));
const full = rows.map((row) => answer(row, true));
const text = rows.map((row) => answer(row, false));
const knowsExit = rows.some((row) => row.exit_code !== null || row.signal !== null);
console.log(`${rows.length} outputs, ${new Set(rows.map((row) => row.tool)).size} tools\n`);
if (knowsExit) print('with exit code and command', scoresOf(full));
print('text alone', scoresOf(text));
const told = text.filter(({ row }) => row.failure_type === 'success' || row.root_cause_line !== '');
if (told.length < text.length) print('text alone, where a line tells it', scoresOf(told));
// Texts from elsewhere have an origin rather than a tool; leaving out each of their tools would take an hour.
const isOwn = rows.every((row) => row.kind === undefined);
const leftOut = knowsExit && isOwn ? leaveOneToolOut(rows, CORPORA.flatMap(readRows)).full : text;
const left = scoresOf(leftOut);
if (knowsExit && isOwn) print('leave one tool out (lower bound)', left);
const diagnosis = printOrigins();
if (arguments_.includes('--record')) {
  recordRules({ diagnosis });
  writePeersPage();
}
console.log('\nconfusion (with exit code and command)');
for (const line of confusion(knowsExit ? full : text)) console.log(line);
console.log('\nconfusion (text alone)');
for (const line of confusion(text)) console.log(line);
console.log('\ncalibration (both)');
for (const line of calibration(knowsExit ? [...full, ...text] : text)) console.log(line);
if (knowsExit && isOwn) {
  console.log('\ncalibration (leave one tool out)');
  for (const line of calibration(leftOut)) console.log(line);
}
if (verbose) {
  console.log('\nwrong');
  for (const { row, got } of knowsExit ? full : text)
    if (got.failureType !== row.failure_type || (row.root_cause_line !== '' && !namesCause(row, got)))
      console.log(
        `  ${row.id} ${row.tool}: ${row.failure_type} / ${got.failureType}\n    said ${got.evidence[0]?.text.trim().slice(0, 150)}\n    want ${row.root_cause_line.slice(0, 150)}`,
      );
}
const best = scoresOf(knowsExit ? full : text);
console.log(
  `\neval:diagnose ${rows.length} outputs: macro-F1 ${best.macroF1.toFixed(3)} (text alone ${scoresOf(text).macroF1.toFixed(3)}${isOwn ? `, leave-one-tool-out ${left.macroF1.toFixed(3)}` : ''}), false alarms ${(best.falseAlarms * 100).toFixed(1)} %, cause first ${(best.causeFirst * 100).toFixed(1)} %, recoverable ${(best.recoverable * 100).toFixed(1)} %`,
);
