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

test('where no agent works and nothing is waited for, Mayday itself is at work', () => {
  const attempts = [attempt(6, 4)];
  expect(drawn({ attempts, created_at: at(8) })).toBe('  ┄┄──┄┄┄┄');
  expect(drawn({ attempts: [], created_at: at(3), word: 'preparing' })).toBe('       ┄┄┄');
  expect(drawn({ attempts: [], created_at: at(3), word: 'queued' })).toBe('          ');
  const waits = [{ for: 'time', reason: '', from: at(3), to: null }] as const;
  expect(drawn({ attempts, waits, created_at: at(8) } as never)).toBe('  ┄┄──┄░░░');
});

test('what was before the oldest attempt that is known stays empty', () => {
  const later = { ...attempt(6, null), number: 61 };
  expect(drawn({ attempts: [later], created_at: at(9) })).toBe('    ──────');
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

test('what is over ends with its mark', () => {
  const over = { attempts: [attempt(8, 3, [[8, 3]])], updated_at: at(3) };
  expect(drawn({ ...over, word: 'delivered' })).toBe('  ━━━━━✓  ');
  expect(drawn({ ...over, word: 'abandoned' })).toBe('  ━━━━━✗  ');
});
