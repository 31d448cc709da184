import { describe, expect, it } from 'vitest';
import { HOSTILE, MARK, outside } from '../hostile-texts.ts';
import { RESCUE_KINDS, type Say } from '../rescue-kinds.ts';
import { Random } from '../../simulation/random.ts';

const KINDS = Object.entries(RESCUE_KINDS);
const plain: Say = (place) => place;

/** What stands between marks of this brief. */
function quotations(brief: string): string {
  const blocks = brief.match(new RegExp(`<<<(\\w+)-${MARK}\\n[^]*?\\n\\1-${MARK}>>>`, 'g')) ?? [];
  const lines = brief.match(new RegExp(`<<${MARK} [^\\n]*? ${MARK}>>`, 'g')) ?? [];
  return [...blocks, ...lines].join('\n');
}

/** The lines outside of quotations; lists of any length are one. */
function ownLines(brief: string): ReadonlySet<string> {
  const text = outside(brief)
    .replaceAll(/<<>>(?:, <<>>)*/g, '<<>>')
    .replaceAll(/<<>> and \d+ more/g, '<<>>');
  return new Set(text.split('\n'));
}

describe('over all kinds of rescue', () => {
  it('text of programs and agents stands in thirty places, each between marks', () => {
    const places = new Set<string>();
    const say: Say = (place) => {
      places.add(place);
      return `[${place}]`;
    };
    const quoted = KINDS.map(([, brief]) => quotations(brief(say))).join('\n');
    const seen = [...places].filter((place) => quoted.includes(`[${place}]`));
    expect(seen.length, seen.join(', ')).toBeGreaterThanOrEqual(30);
    for (const [kind, brief] of KINDS)
      expect(outside(brief(say)), kind).not.toMatch(/\[(created|plan|question|denied|lesson|note|evidence)/);
  });

  it.each(KINDS)('%s: hostile text in every place changes nothing outside the marks', (_, brief) => {
    const own = ownLines(brief(plain));
    for (const text of HOSTILE) {
      const strange = [...ownLines(brief((place) => `${place} ${text}`))].filter((line) => !own.has(line));
      // Where the brief is full, whole lines are left out and this tells it.
      expect(
        strange.filter((line) => line !== '…'),
        JSON.stringify(text),
      ).toEqual([]);
    }
  });

  it.each(KINDS)('%s: the brief stays under 3,000 characters besides task and diff', (_, brief) => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const random = new Random(seed);
      const text = brief((place) =>
        `${place} ${random.pick(['y', 'y ', 'y\n', '🦀'])}`.repeat(random.between(1, 900)),
      );
      const counted = text
        .replace(new RegExp(`Diff of the work so far.*\\n<<<diff-${MARK}\\n[^]*?\\ndiff-${MARK}>>>`), '')
        .replace('## Task\n\nwrite a.txt\n', '');
      expect(counted.length, `seed ${seed}`).toBeLessThan(3_000);
      expect(text.split(`<<${MARK} `).length, `seed ${seed}`).toBe(text.split(` ${MARK}>>`).length);
      expect(text).toContain('## What to do now');
      expect(text).toContain('## If you get stuck');
    }
  });
});
