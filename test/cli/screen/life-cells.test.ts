import { expect, test } from 'vitest';
import { lifeCells } from '../../../src/cli/screen/life-cells.ts';
import { line, NOW } from './line.ts';

const MINUTE = 60_000;
const at = (minutesAgo: number) => new Date(NOW - minutesAgo * MINUTE).toISOString();
const attempt = (from: number, to: number | null, moved: readonly (readonly [number, number])[] = []) => ({
  number: 1,
  started_at: at(from),
  ended_at: to === null ? null : at(to),
  progress_at: null,
  moved: moved.map(([begun, ended]) => ({ from: at(begun), to: at(ended) })),
  looks_every_ms: 0,
});
const drawn = (given: Parameters<typeof line>[1]) => lifeCells(line('a', given), NOW - 10 * MINUTE, NOW, 10);

test('thick where the work moved, thin where it did not, nothing before it began', () => {
  expect(drawn({ attempts: [attempt(6, null, [[4, 2]])] })).toBe('    ──━━──');
});

test('a wait is hatched, an incident begins with a mark, and a person is waited for in a sign of its own', () => {
  const waits = [{ for: 'time', reason: '', from: at(4), to: at(2) }] as const;
  const incidents = [
    { id: 'i1', class: 'looping', detected_at: at(5), resumed_at: null, verified_at: null, outcome: null },
  ] as const;
  expect(drawn({ attempts: [attempt(8, 4)], waits, incidents } as never)).toBe('  ───!░░  ');
  const asked = [{ for: 'person', reason: '', from: at(3), to: null }];
  expect(drawn({ word: 'needs_you', attempts: [attempt(8, 3)], waits: asked } as never)).toBe('  ─────◆◆◆');
  expect(drawn({ word: 'working', attempts: [attempt(8, 3)], waits: asked } as never)).toBe('  ─────···');
});
