import { readableQuotes } from '../../../src/core/text/quote-fenced.ts';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Fact } from '../../../src/core/vocabulary/events/event.ts';
import { writeRunMetrics } from '../../../src/core/view/metrics-code.ts';
import { observedDiagnosis } from '../../../src/core/decide/recovery/incident-diagnosis.ts';
import type { RunRecord } from '../../../src/record/contract.ts';
import { openSqliteRecord } from '../../../src/record/sqlite/open.ts';
import { approveLesson, findLesson } from '../../../src/supervise/lessons/lesson-desk.ts';
import type { LessonAnswer } from '../../../src/core/opinion/lesson-answer.ts';
import type { OpinionQuestion } from '../../../src/core/opinion/opinion-question.ts';
import { openLessonIndex } from '../../../src/supervise/lessons/lesson-index.ts';
import { lessonsBefore, packetFor } from '../../../src/supervise/lessons/lessons-before.ts';
import { proposeLessons } from '../../../src/supervise/lessons/propose-lessons.ts';
import { ENDED, EXAMINATION, Story } from '../../core/story.ts';
import { incidentMetrics, runMetrics } from '../../report/metrics-under-test.ts';

let folder = '';
let record: RunRecord;
const WORD = { by: 'ann', note: '', at: Date.UTC(2026, 1, 1) };

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mayday-lessons-before-'));
  record = await openSqliteRecord({ path: join(folder, 'home', 'record.db') });
});
afterEach(async () => {
  await record.close();
  rmSync(folder, { recursive: true, force: true });
});

const place = () => ({ home: join(folder, 'home'), record });

/** A story whose repository is the folder of this test. */
function story(): Story {
  const told = new Story();
  told.state = { ...told.state, repository: folder };
  return told;
}

async function approved(id: string, head: string): Promise<void> {
  mkdirSync(join(folder, '.mayday/context'), { recursive: true });
  writeFileSync(
    join(folder, '.mayday/context', `${id}.md`),
    `---\ntitle: ${id}\n${head}---\n\nadvice of ${id}\n`,
  );
  const { lessons } = await openLessonIndex(place(), folder, WORD.at);
  await approveLesson(place(), findLesson(lessons, id), WORD);
}

function examined(told: Story): Fact {
  const attempt = told.state.attempts.length;
  told.tell({
    type: 'attempt_ended',
    attempt,
    exit: { exitCode: 1, signal: null, outOfMemory: false, endedBy: 'itself', exitedAt: told.now },
  });
  const diagnosis = observedDiagnosis('missing_dependency', 'left-pad is not installed', []);
  return {
    type: 'attempt_examined',
    at: told.now + 1,
    attempt,
    examination: { ...EXAMINATION, diagnosis },
  };
}

describe('lessons are told to the core before it needs them', () => {
  it('for the incident that a fact is about to explain, and only once', async () => {
    await approved('vendored', 'classes: [missing_dependency]\n');
    const told = story().prepared().started();
    const fact = examined(told);
    const first = await lessonsBefore(place(), told.state, fact);
    expect(first).toMatchObject({ type: 'lessons_matched', lessons: [{ id: 'vendored', match: 'class' }] });
    if (first !== null) told.tell(first);
    expect(await lessonsBefore(place(), told.state, fact)).toBeNull();
  });

  it('not for facts that lead to no brief, nor while nothing is approved', async () => {
    const told = story().prepared().started();
    expect(await lessonsBefore(place(), told.state, examined(told))).toBeNull();
    await approved('vendored', '');
    const other = story().prepared().started();
    const progress: Fact = { type: 'progress_observed', at: 1, attempt: 1, kind: 'tree', detail: 'x' };
    expect(await lessonsBefore(place(), other.state, progress)).toBeNull();
  });

  it('a lesson that did not help is retired, on record, and shown no more', async () => {
    await approved('useless', 'classes: [missing_dependency]\n');
    const incident = incidentMetrics({ class: 'missing_dependency', attempt: 1 });
    const shown = [{ id: 'useless', hash: 'h', attempt: 1, match: 'class' }];
    await record.saveMetrics(
      Array.from({ length: 6 }, (_, index) => {
        const run = runMetrics({
          id: `r${index}`,
          repository: folder,
          created: index,
          incidents: [incident],
          shown,
        });
        return { id: run.id, repository: folder, at: index, imported: false, body: writeRunMetrics(run) };
      }),
    );
    const { state } = story().prepared();
    expect(await packetFor(place(), state, null, WORD.at)).toEqual({
      lessons: [],
      leftOut: [{ id: 'useless', why: 'retired: it did not help' }],
    });
    const [item] = (await openLessonIndex(place(), folder, WORD.at)).lessons;
    expect(item?.standing).toMatchObject({ status: 'retired', decision: { by: 'mayday' } });
  });
});

describe('a rescued run proposes', () => {
  function rescued(note: string, secret = ''): Story {
    const told = story().prepared().started();
    const diagnosis = observedDiagnosis('missing_dependency', `left-pad is not installed${secret}`, []);
    told.ended({}, { diagnosis });
    const question = told.state.questions.at(-1)?.question.id ?? '';
    told.tell({ type: 'question_answered', question, option: 'retry', note, by: 'ann' });
    told.started();
    told.ended({ exitCode: 0 }, { claimsDone: true }).checked('gate', 't0', true, ['a.txt']);
    told.state = { ...told.state, life: ENDED };
    return told;
  }
  const asked: OpinionQuestion<LessonAnswer>[] = [];
  const propose = (told: Story, answer: unknown = null) =>
    proposeLessons(
      record,
      told.state,
      (text) => text.replaceAll('s3cret', '[redacted]'),
      async (question) => {
        asked.push(question);
        const checked = question.check(answer);
        return typeof checked === 'string'
          ? null
          : { by: 'claude', kind: 'lesson', ...checked, costUsd: null, tokens: null };
      },
      WORD.at,
    );

  it('what failed, what was done and the proof, redacted, in the record and in nobody’s checkout', async () => {
    const [fact] = await propose(rescued('use vendor/left-pad, password s3cret'));
    expect(fact).toMatchObject({ type: 'lesson_proposed', incident: 'r1-i1' });
    const [item] = (await openLessonIndex(place(), folder, WORD.at)).lessons;
    expect(item).toMatchObject({ origin: 'record', standing: { status: 'proposed' } });
    expect(item?.lesson.guidance).toContain('use vendor/left-pad, password [redacted]');
    expect(readableQuotes(item?.lesson.title ?? '')).toBe(
      'missing dependency, this helped: “use vendor/left-pad, password [redacted]”',
    );
    expect(item?.lesson.guidance).toContain('What failed: “left-pad is not installed”');
    expect(item?.lesson.guidance).toContain('What was done: ann answered `');
    expect(item?.lesson.guidance).toContain('Proof of delivery: “the check passed');
  });

  it('in the words of a model, where one answers; it is asked with nothing secret, and once', async () => {
    asked.length = 0;
    const told = rescued('use vendor/left-pad, password s3cret');
    const opinion = { type: 'command', line: 'model' } as const;
    told.state = { ...told.state, options: { ...told.state.options, opinion } };
    const [fact] = await propose(told, {
      title: 'left-pad is vendored here',
      guidance: 'Take left-pad from the folder vendor.',
      applies: 'Where code needs left-pad.',
      quotes: [{ entry: 1, text: 'left-pad is not installed' }],
      confidence: 0.9,
    });
    expect(fact).toMatchObject({
      type: 'lesson_proposed',
      title: expect.stringContaining('opinion of claude'),
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.prompt).toContain('password [redacted]');
    expect(asked[0]?.prompt).not.toContain('s3cret');
    const [item] = (await openLessonIndex(place(), folder, WORD.at)).lessons;
    expect(item).toMatchObject({ standing: { status: 'proposed' }, lesson: { status: 'proposed' } });
    expect(item?.lesson.guidance).toMatch(/^use vendor\/left-pad.*\nOpinion of claude: “Take left-pad/);
    expect(await propose(told)).toEqual([fact]);
    expect(asked).toHaveLength(1);
  });

  it('the same thing once, also in the next run', async () => {
    const told = rescued('a');
    const [fact] = await propose(told);
    told.tell(fact as Fact);
    expect(await propose(told)).toEqual([]);
    const next = rescued('b');
    next.state = { ...next.state, runId: 'r2' };
    expect(await propose(next)).toEqual([]);
  });

  it('by the next keeper when one died between saving the lesson and telling of it', async () => {
    const told = rescued('a');
    const [fact] = await propose(told);
    expect(await propose(told)).toEqual([fact]);
    expect((await openLessonIndex(place(), folder, WORD.at)).lessons).toHaveLength(1);
  });
});
