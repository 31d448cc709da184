/** The reference page of the diagnosis, made from its data. */
import { readFileSync } from 'node:fs';
import { BUILT_IN_PATTERNS } from '../../src/core/diagnose/patterns/built-in-patterns.ts';
import { CONFIDENCE_STEPS, LOG_LINES } from '../../src/core/diagnose/confidence.ts';
import { RECOGNISERS } from '../../src/core/lexicon/all.ts';
import { FAILURE_CLASSES, FAILURE_CLASS_NAMES } from '../../src/core/vocabulary/classes/failure-class.ts';

/** Measured once, at the commits named in the history; `npm run eval:diagnose -- FILE` measures anew. */
const HELD_OUT: readonly (readonly string[])[] = [
  ['A, 272 outputs, 127 tools', 'unseen', '0.833', '0.747', '0 %, 7.7 %', '83.5 %', '92.7 %'],
  ['B, 123 outputs, 61 tools', 'unseen', '0.924', '0.865', '0 %, 42.9 %', '87.1 %', '94.8 %'],
  ['B', 'A used', '0.936', '0.898', '0 %, 42.9 %', '87.9 %', '97.4 %'],
  ['C, 284 outputs, 159 tools', 'A used', '0.778', '0.710', '1.9 %, 23.1 %', '84.3 %', '87.9 %'],
  ['D, 92 outputs, 71 tools', 'A used', '0.866', '0.831', '0 %, 33.3 %', '89.2 %', '94.6 %'],
  ['D', 'A, B, C used', '0.882', '0.844', '0 %, 27.8 %', '93.2 %', '95.9 %'],
  ['E, 56 outputs, 47 tools', 'A to D used', '0.758', '0.671', '0 %, 28.6 %', '79.6 %', '85.7 %'],
  ['A, with 44 later outputs', 'all used', '0.967', '0.934', '0 %, 0 %', '91.0 %', '98.5 %'],
  ['B', 'all used', '0.990', '0.968', '0 %, 14.3 %', '92.2 %', '99.1 %'],
  ['C', 'all used', '0.991', '0.952', '0 %, 9.6 %', '95.6 %', '97.4 %'],
  ['D', 'all used', '0.985', '0.991', '0 %, 0 %', '93.2 %', '100 %'],
];

const WITH_OPINION: readonly (readonly string[])[] = [
  ['all', '632', '38 %', '0.962 / 0.983', '0.905 / 0.926', '0.998 / 0.996'],
  ['CI logs', '140', '84 %', '0.900 / 0.964', '0.793 / 0.862', '1.000 / 1.000'],
  ['forms that agents see', '31', '84 %', '0.903 / 0.935', '0.789 / 0.895', '1.000 / 0.957'],
  ['threads', '77', '57 %', '0.974 / 1.000', '0.895 / 0.895', '1.000 / 1.000'],
  ['one command, unseen tools', '118', '31 %', '0.958 / 0.966', '0.861 / 0.875', '0.988 / 0.991'],
  ['captures', '266', '6 %', '1.000 / 1.000', '0.987 / 0.987', '1.000 / 1.000'],
];

const EXAMPLES = new URL('../../test/fixtures/recogniser-examples.json', import.meta.url);

export function diagnoseReference(): string {
  const examples = JSON.parse(readFileSync(EXAMPLES, 'utf8')) as Readonly<Record<string, readonly string[]>>;
  return [
    '# Diagnosis: classes, recognisers, patterns',
    '',
    'Made from the data by `node scripts/reference-diagnose.ts`; a test keeps it fresh. Do not edit.',
    '',
    '## Failure classes',
    '',
    '`recoverable` is without a person; a recogniser may say otherwise for its own case.',
    '',
    '| class | sign | transient | recoverable | first phase | strategy | returns to | scope | category | concern |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...FAILURE_CLASS_NAMES.map((name) => {
      const rule = FAILURE_CLASSES[name];
      return `| \`${name}\` | ${rule.sign} | ${yes(rule.transient)} | ${yes(rule.recoverable)} | ${rule.firstPhase} | ${rule.strategy} | ${rule.returnTo ?? '-'} | ${rule.scope} | ${rule.category} | ${rule.concern} |`;
    }),
    '',
    '## How a line becomes a cause',
    '',
    '1. The **shape** of a line decides whether it states a failure at all: an exception header, `error: …`, `file:line: error`, `prog: …: No such file or directory`, an error body in JSON. Passed tests, stack frames, source excerpts, diffs, help texts, search results and logged warnings do not.',
    '2. A **recogniser** gives its meaning. They are asked in the order below; the first that fits a line wins.',
    '3. The **first cause** wins: what comes from outside (network, login, disk …) before the symptom it caused, an earlier line before a later one of the same class.',
    '4. In a failing test run, only what the failing tests threw counts; test names and captured logs never do.',
    '5. Exit code, signal and command are evidence too. Exit 0 is believed unless the command hides it (`| tail`, `|| true`).',
    '',
    '## Confidence',
    '',
    'The support of a verdict (how surely its line states a failure, and whether its words are known) is turned into a confidence by these steps. They lie midway between two measurements that',
    '`npm run eval:diagnose` prints: said against right on the labelled corpus, and the same with one tool left out. On part B, before it was used, the steps held: said 0.96, right 0.97; 0.93, 0.88; 0.90, 0.92; 0.77, 0.86; 0.61, 0.83.',
    '',
    '| support | confidence |',
    '|---|---|',
    ...CONFIDENCE_STEPS.map(([support, confidence]) => `| ${support} | ${confidence} |`),
    '',
    `Out of a log of many steps, and out of a text of more than ${LOG_LINES} lines without an exit code, the place may be the wrong one: 0.88 at most.`,
    '',
    '## How well it does on tools it has not seen',
    '',
    'The rules were made with the tools of `test/fixtures/corpus/dev.jsonl` and `other-tools.jsonl`. To know what they are worth elsewhere, about 450 further tools were made to fail (and to succeed alarmingly) in real ways, in five captures one after the other, each of tools that occurred in none before (`unseen.jsonl`, parts A to E). Each part was labelled and scored before anybody looked; then it was read to mend general rules. The rows "all used" are therefore tuned figures; the rows above them are what to expect of tools never seen.',
    '',
    '| part | when | macro-F1 with exit code and command | text alone | false alarms with, without exit code | cause line first | recoverable |',
    '|---|---|---|---|---|---|---|',
    ...HELD_OUT.map((row) => `| ${row.join(' | ')} |`),
    '',
    'Text alone has no way to tell an interruption that printed nothing. Part B holds 7 fine outputs, C 52 and D 18; all were chosen to look alarming (tables of failed jobs, logs, commit messages), and with an exit code none alarms. C was made of rarer tools than the others (hardware, bookkeeping, old languages), E of checkers, gates and generators of npm and of Debian, which say what is wrong with a text and not that something failed: without the exit code nothing tells their fine outputs from the others.',
    '',
    '`leave one tool out` and `leave one origin out` in `npm run eval:diagnose` are lower bounds ([decision 38](../decisions/0038-what-a-text-justifies.md)): before a tool or an origin is scored, every alternative of a recogniser that its texts hold and that no other text justifies is taken away, and the name of the tool; shapes of lines, signs in the text, names of exceptions and of system errors stay; nothing is put in the place of what was taken.',
    '',
    '## With an opinion',
    '',
    'A model is asked, where one is allowed (`--opinion`, `opinion:` in `mayday.yaml`, by default in runs of a model CLI), about every answer that is not proven: a confidence under 0.9, `unknown`, a success without an exit code that nothing hides, or a cause that another line of the failed step contradicts. It gets one prompt of at most 12,000 characters (median 6,800): the classes with a line each, the exit code, the failed step, the lines that structure picks, and what the rules found as candidates.',
    '',
    'Its class counts only if its quote stands in a line that states a failure, and a sign besides its words speaks for the class: what the line says, the exit code, what ran, or another line. Both alike: 0.95. Different: the model decides with 0.85 at most where that holds, otherwise the rules stand with 0.6 at most; both are shown. What needs a person by either reading needs one; `success` needs an exit code or the verdict of the service; words in the output are no sign of it. Its sentences stay in `opinion`: the cause is told by the line that it quoted, and its next step is never a plan, an instruction or a suggested action.',
    '',
    'Measured with blind readers in the place of a model: 305 prompts, drawn by a seed, one pass, answers in `test/recordings/opinion`. The prompt was fixed before. What counts as a sign besides the words of the model, the thresholds of the weighing and what contradicts an answer were chosen on these answers, so the figures are fitted: with the check as it was before anybody saw an answer it was 0.969 in all, CI logs 0.926, forms that agents see 0.903, threads 0.987. Outputs that are asked about and that nobody answered (66 of 698, most of them captures) are left out. `npm run eval:opinion`, with rules / with an opinion:',
    '',
    '| text | outputs | asked | class right | cause line first | right where 0.9 or more is said |',
    '|---|---|---|---|---|---|',
    ...WITH_OPINION.map((row) => `| ${row.join(' | ')} |`),
    '',
    'The readers alone named the class right in 295 of 303 (199 of 199 where they said 0.9 or more), and one answer of 304 was refused. Of fine outputs none was called a failure.',
    '',
    '## Recognisers',
    '',
    'Adding one: a row in a file of `src/core/lexicon/`, and its examples in `test/fixtures/recogniser-examples.json`; they are tests.',
    '',
    ...RECOGNISERS.flatMap((recogniser) => [
      `### ${recogniser.id}`,
      '',
      `\`${recogniser.failureClass}\`${recogniser.recoverable === undefined ? '' : recogniser.recoverable ? ', recoverable' : ', not recoverable'}${recogniser.transient === undefined ? '' : recogniser.transient ? ', transient' : ', not transient'}${recogniser.byRole !== undefined ? ' (or the failing test, or the program, by what ran)' : ''}`,
      '',
      '```text',
      ...(examples[recogniser.id] ?? []),
      '```',
      '',
    ]),
    '## Patterns that are built in',
    '',
    'A team adds its own under `patterns:` in `mayday.yaml`; they are matched first.',
    '',
    ...BUILT_IN_PATTERNS.flatMap((pattern) => [
      `### ${pattern.id}`,
      '',
      pattern.title,
      '',
      `* recovery: ${pattern.recovery}`,
      `* prevention: ${pattern.prevention}`,
      '',
    ]),
  ].join('\n');
}

function yes(value: boolean): string {
  return value ? 'yes' : '-';
}
