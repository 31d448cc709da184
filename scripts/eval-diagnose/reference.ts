/** The reference page of the diagnosis, made from its data. */
import { BUILT_IN_PATTERNS } from '../../src/core/diagnose/built-in-patterns.ts';
import { CONFIDENCE_STEPS } from '../../src/core/diagnose/confidence.ts';
import { RECOGNISERS } from '../../src/core/diagnose/recognisers/all.ts';
import { FAILURE_CLASSES, FAILURE_CLASS_NAMES } from '../../src/core/failure-class.ts';

export function diagnoseReference(): string {
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
    '`npm run eval:diagnose` prints: said against right on the labelled corpus, and the same with one tool left out (every alternative of a pattern that only that tool justifies is taken away). Below 0.6 the recovery agent is asked where one is configured.',
    '',
    '| support | confidence |',
    '|---|---|',
    ...CONFIDENCE_STEPS.map(([support, confidence]) => `| ${support} | ${confidence} |`),
    '',
    '## Recognisers',
    '',
    'Adding one: an entry with its examples in a file of `src/core/diagnose/recognisers/`; the examples are tests.',
    '',
    ...RECOGNISERS.flatMap((recogniser) => [
      `### ${recogniser.id}`,
      '',
      `\`${recogniser.failureClass}\`${recogniser.recoverable === undefined ? '' : recogniser.recoverable ? ', recoverable' : ', not recoverable'}${recogniser.transient === undefined ? '' : recogniser.transient ? ', transient' : ', not transient'}${recogniser.byRole === true ? ' (or the failing test, or the program, by what ran)' : ''}`,
      '',
      '```text',
      ...recogniser.examples,
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
