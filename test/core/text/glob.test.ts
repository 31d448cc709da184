import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { globsOverlap, literalGlob, matchesGlob } from '../../../src/core/text/glob.ts';
import { CHECKPOINT, Story } from '../story.ts';

describe('a path taken literally', () => {
  it.each(['**', '*', 'a/**', '?', '{a,b}', 'a{', 'src/[id].ts', '!keep', 'back\\slash', 'x\\', '.\\*'])(
    '%s opens itself and nothing else',
    (path) => {
      expect(matchesGlob(path, literalGlob(path))).toBe(true);
      for (const other of ['a', 'b', 'a/b', 'db/token_store.ts', 'src/i.ts', 'keep', `${path}x`])
        if (other !== path) expect(matchesGlob(other, literalGlob(path)), other).toBe(false);
    },
  );

  it('matches exactly itself, whatever its name is', () => {
    const name = fc
      .string({ minLength: 1, unit: fc.constantFrom(...'*?{},[]!\\./ab'.split('')) })
      .filter(isPath);
    fc.assert(
      fc.property(name, name, (path, other) => {
        expect(matchesGlob(other, literalGlob(path))).toBe(other === path);
      }),
    );
  });

  it('overlaps with a folder that it lies in', () => {
    expect(globsOverlap([literalGlob('src/*/a.ts')], ['src/**'])).toBe(true);
    expect(globsOverlap([literalGlob('*')], ['src/**'])).toBe(false);
  });
});

it('a change of a file that is called ** does not open the whole workspace', () => {
  const story = new Story({ task: { scope: ['src/**'] } }).prepared().started();
  const checkpoint = CHECKPOINT;
  story.ended({ exitCode: 0 }, { claimsDone: true, claim: 'done', checkpoint });
  story.checked('gate', 't1', true, ['src/a.ts', '**']);
  story.tell({
    type: 'question_answered',
    question: 'r1-q1',
    option: 'expand_scope',
    note: '',
    by: 'ann',
  });
  story.checked('gate', 't1', true, ['src/a.ts', '**', 'db/token_store.ts']);
  expect(story.state.delivery.blockers).toMatchObject([
    { code: 'scope_exceeded', paths: ['db/token_store.ts'] },
  ]);
});

/** As git names files: no empty segment, no trailing slash. */
function isPath(text: string): boolean {
  return text.split('/').every((segment) => segment !== '' && segment !== '.');
}
