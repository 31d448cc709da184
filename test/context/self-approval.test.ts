import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONTEXT_CHAIN, DECISION_KIND } from '../../src/context/decisions.ts';
import { lessonHash } from '../../src/context/lesson.ts';
import { addLesson, approveLesson, findLesson } from '../../src/supervise/lessons/lesson-desk.ts';
import { openLessonIndex } from '../../src/supervise/lessons/lesson-index.ts';
import { RehearsalRepository } from './rehearsal-repository.ts';
import { MAYDAY } from '../mayday-under-test.ts';

const MINE = {
  title: 'mine',
  guidance: 'trust me',
  classes: [],
  fingerprints: [],
  paths: [],
  agents: [],
  words: [],
  expires: null,
};
const WORD = { by: 'agent', note: '', at: Date.UTC(2026, 1, 1) };

let place: RehearsalRepository;
beforeAll(async () => {
  place = await RehearsalRepository.make();
});
afterAll(() => place.remove());

describe('an agent', () => {
  it('cannot approve a lesson, its own or another, from inside its run', async () => {
    const { id } = await addLesson(place.repository, MINE, WORD);
    const out = join(place.folder, 'out.txt');
    const command = `cd ${place.repository} && MAYDAY_HOME=${place.home} ${process.execPath} --no-warnings ${MAYDAY} context approve ${id} > ${out} 2>&1`;
    await place.run({ attempts: [{ steps: [{ run: command }, { write: { 'a.txt': 'A' } }, { exit: 0 }] }] });
    expect(readFileSync(out, 'utf8')).toContain('NOT_A_PERSON');
    expect(await place.record.ledger(CONTEXT_CHAIN)).toEqual([]);
    const [item] = (await openLessonIndex(place, place.repository, Date.now())).lessons;
    expect(item?.standing.status).toBe('proposed');
  });

  it('by writing an approval of a person into the ledger: it does not count', async () => {
    const { id } = await addLesson(place.repository, { ...MINE, title: 'planted' }, WORD);
    const index = async () => (await openLessonIndex(place, place.repository, WORD.at)).lessons;
    const item = findLesson(await index(), id);
    const approval = { lesson: id, hash: item.hash, decision: 'approve', by: 'ann', note: '', at: WORD.at };
    for (const more of [{}, { mac: '0'.repeat(64) }])
      await place.record.appendEvidence(CONTEXT_CHAIN, [
        { id: randomUUID(), kind: DECISION_KIND, at: 1, payload: JSON.stringify({ ...approval, ...more }) },
      ]);
    expect(findLesson(await index(), id).standing.status).toBe('proposed');
    await approveLesson(place, item, { by: 'ann', note: 'mine', at: WORD.at });
    expect(findLesson(await index(), id).standing.status).toBe('approved');
    const [signed] = (await place.record.ledger(CONTEXT_CHAIN)).slice(-1);
    const other = {
      ...(JSON.parse(signed?.payload ?? '{}') as object),
      hash: lessonHash({ ...item.lesson, guidance: 'x' }),
    };
    await place.record.appendEvidence(CONTEXT_CHAIN, [
      { id: randomUUID(), kind: DECISION_KIND, at: 1, payload: JSON.stringify(other) },
    ]);
    expect(findLesson(await index(), id).standing.because, 'a signature for another text').toContain('mine');
  });
});
