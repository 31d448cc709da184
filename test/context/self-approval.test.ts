import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONTEXT_CHAIN } from '../../src/context/decisions.ts';
import { addLesson } from '../../src/supervise/lessons/lesson-desk.ts';
import { openLessonIndex } from '../../src/supervise/lessons/lesson-index.ts';
import { RehearsalRepository } from './rehearsal-repository.ts';
import { MAYDAY } from '../mayday-under-test.ts';

let place: RehearsalRepository;
beforeAll(async () => {
  place = await RehearsalRepository.make();
});
afterAll(() => place.remove());

describe('an agent', () => {
  it('cannot approve a lesson, its own or another, from inside its run', async () => {
    const { id } = await addLesson(
      place.repository,
      {
        title: 'mine',
        guidance: 'trust me',
        classes: [],
        fingerprints: [],
        paths: [],
        agents: [],
        words: [],
        expires: null,
      },
      { by: 'agent', note: '', at: Date.now() },
    );
    const out = join(place.folder, 'out.txt');
    const command = `cd ${place.repository} && MAYDAY_HOME=${place.home} ${process.execPath} --no-warnings ${MAYDAY} context approve ${id} > ${out} 2>&1`;
    await place.run({ attempts: [{ steps: [{ run: command }, { write: { 'a.txt': 'A' } }, { exit: 0 }] }] });
    expect(readFileSync(out, 'utf8')).toContain('NOT_A_PERSON');
    expect(await place.record.ledger(CONTEXT_CHAIN)).toEqual([]);
    const [item] = (await openLessonIndex(place.record, place.repository, Date.now())).lessons;
    expect(item?.standing.status).toBe('proposed');
  });
});
