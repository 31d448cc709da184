import { describe, expect, it } from 'vitest';
import type { StoredLesson } from '../../../src/record/contract/lessons.ts';
import { inPlace, type OpenPlace } from './place.ts';

export function describeLessons(name: string, openPlace: OpenPlace): void {
  const inRecord = inPlace(openPlace);

  describe(`${name}: lessons`, () => {
    const lesson = (id: string, change: Partial<StoredLesson> = {}): StoredLesson => ({
      repository: '/repo',
      id,
      hash: `hash-${id}`,
      origin: 'file',
      stamp: '1:1',
      updatedAt: 1,
      title: `title of ${id}`,
      guidance: '',
      words: '',
      document: '{}',
      ...change,
    });

    it(
      'find lessons by their text, the title before the rest, also after a change',
      inRecord(async (_place, record) => {
        await record.saveLessons([
          lesson('a', { title: 'Start redis before the tests', guidance: 'docker compose up' }),
          lesson('b', { title: 'Ports', guidance: 'redis listens on 6380 here' }),
          lesson('c', { repository: '/other', title: 'redis there' }),
        ]);
        const find = async (text: string) =>
          (await record.searchLessons({ text, repository: '/repo' })).map(({ id }) => id);
        expect(await find('redis')).toEqual(['a', 'b']);
        expect(await find('"redis" OR NOT (')).toEqual(['a', 'b']);
        expect(await find('* ^')).toEqual([]);
        await record.saveLessons([lesson('a', { title: 'Start the queue' })]);
        expect(await find('redis')).toEqual(['b']);
        await record.removeLessons('/repo', ['b']);
        expect(await find('redis')).toEqual([]);
        expect((await record.lessons()).map(({ id }) => id)).toEqual(['a', 'c']);
        expect((await record.lessons({ repository: '/other' })).map(({ id }) => id)).toEqual(['c']);
        expect(await record.verify()).toEqual([]);
      }),
    );
  });
}
