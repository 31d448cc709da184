/** Whatever stands in the mailbox, in a configuration, a task file, a lesson or a scenario: it is refused with a code, or read as what it is. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseLessonFile } from '../../src/context/lesson-file.ts';
import { readScenario } from '../../src/drills/scenario.ts';
import { MaydayError } from '../../src/platform/mayday-error.ts';
import { macOf } from '../../src/supervise/mail/mail.ts';
import { readMail } from '../../src/supervise/mail/read-mail.ts';
import { parseConfig } from '../../src/supervise/request/read-config.ts';
import { parseTaskFile } from '../../src/supervise/request/task-file.ts';
import { SEED } from '../lane.ts';
import { mutant, torn } from '../mutant.ts';
import { Random } from '../simulation/random.ts';

const ROUNDS = 300;
const KEY = randomBytes(32);
const WORD = { type: 'question_answered', question: 'r-q1', option: 'retry', note: 'go', by: 'ann' };

function letter(word: unknown) {
  const unsigned = {
    word: JSON.stringify(word) ?? '',
    at: Date.now(),
    nonce: randomBytes(16).toString('hex'),
  };
  return { ...unsigned, mac: macOf(KEY, 'r', unsigned) };
}

test(`no damaged letter is heard, and no signed word that may not be said (MAYDAY_TEST_SEED=${SEED})`, () => {
  const random = new Random(SEED);
  const read = (body: string) => readMail(body, { runId: 'r', key: KEY, heard: [] });
  expect(read(JSON.stringify(letter(WORD))).type).toBe('word');
  for (let round = 0; round < ROUNDS; round += 1) {
    const honest = letter(WORD);
    const body = random.chance(0.3)
      ? torn(random, JSON.stringify(honest))
      : (JSON.stringify(mutant(random, honest)) ?? '');
    const mail = read(body);
    // A copy may be whole by chance: then it says what was signed.
    if (mail.type === 'word') expect({ ...mail.letter }).toEqual(honest);
    const said = mutant(random, WORD);
    const signed = read(JSON.stringify(letter(said)));
    if (signed.type === 'word') expect(signed.word).toEqual(said);
  }
});

const CONFIG = `agent: claude
checks: [npm test]
scope: [src/**]
budget: {usd: 3, time: 1h}
policy: {silence_ms: 60000, restarts: 1}
agents: {mine: {command: [./mine]}}
classes: {test_failure: {first_phase: 3}}
`;
const TASK = `---
scope: [src/**]
checks: [npm test]
budget: {usd: 2}
---
Write the feature.
`;
const LESSON = `---
title: Use the helper
class: test_failure
paths: [src/**]
---
Call it first.
`;

const SCENARIO = readFileSync(join(import.meta.dirname, '../../drills/false-success.yaml'), 'utf8');

/** Scenarios are read from files only. */
function scenarioIn(text: string): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-scenario-'));
  try {
    const file = join(folder, 'one.yaml');
    writeFileSync(file, text);
    return readScenario(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.each([
  ['a configuration', CONFIG, (text: string) => parseConfig(text, 'mayday.yaml')],
  ['a task file', TASK, (text: string) => parseTaskFile(text, 'task.md')],
  ['a lesson', LESSON, (text: string) => parseLessonFile('lesson.md', text)],
  ['a scenario', SCENARIO, scenarioIn],
])(
  `%s that is damaged has a reading, or an error with a code (MAYDAY_TEST_SEED=${SEED})`,
  async (_, honest, parse) => {
    const random = new Random(SEED);
    await parse(honest);
    for (let round = 0; round < ROUNDS; round += 1) {
      let text = honest;
      for (let times = random.between(1, 4); times > 0; times -= 1) text = torn(random, text);
      try {
        await parse(text);
      } catch (error) {
        expect(error, `${String(error)} for ${JSON.stringify(text)}`).toBeInstanceOf(MaydayError);
      }
    }
  },
);
