/** Ten sessions of Claude Code that a stranger made, each stuck in another way; what is right was written down before any story was told. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { autopsy } from '../../../src/core/detect/autopsy/autopsy.ts';
import type { TranscriptEntry } from '../../../src/core/vocabulary/transcript.ts';
import { diagnose } from '../../../src/core/diagnose/diagnose.ts';
import { noFacts } from '../../../src/agents/sessions/session-store.ts';
import { tellStory } from '../../../src/report/autopsy/story.ts';

type Row =
  | readonly [second: number, who: 'person' | 'agent', text: string]
  | readonly [second: number, who: 'compacted']
  | readonly [second: number, tool: string, input: string, ended: number, output: string, isError?: true];

interface MadeSession {
  readonly id: string;
  readonly cwd: string;
  /** The calls between which it got stuck. */
  readonly from: number;
  readonly by: number;
  readonly rows: readonly Row[];
}

const file = resolve(import.meta.dirname, '../../fixtures/stories/claude-code.jsonl');
const sessions = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as MadeSession);

function entriesOf(rows: readonly Row[]): readonly TranscriptEntry[] {
  return rows.flatMap((row, index): readonly TranscriptEntry[] => {
    const [second, who, text = '', ended, output] = row;
    const [at, id] = [1_000_000 + second * 1_000, `${index}`];
    if (who === 'compacted') return [{ type: 'compaction', at, text: '' }];
    if (who === 'person' || who === 'agent') return [{ type: 'message', at, role: who, text }];
    const isError = row[5] === true;
    return [
      { type: 'tool_call', at, id, tool: who, input: text },
      ...(output === undefined
        ? []
        : [
            {
              type: 'tool_result',
              at: 1_000_000 + (ended ?? 0) * 1_000,
              id,
              output,
              isError,
              marksErrors: true,
            } as const,
          ]),
    ];
  });
}

function storyOf({ id, cwd, rows }: MadeSession) {
  const entries = entriesOf(rows);
  const found = autopsy(id, entries, diagnose);
  const facts = { ...noFacts(), cwd };
  const session = { title: 'Claude Code', entries, resumeCommand: null, facts };
  const story = tellStory(session as never, found);
  const row = (label: string) => story.facts.find(([name]) => name === label)?.join(' ') ?? '';
  return {
    story,
    call: found.turns.findIndex(({ callStep }) => callStep >= (found.firstStuckStep ?? Infinity)) + 1,
    cause: row('Cause'),
  };
}

/** Not a goal: what is reached. */
const RIGHT_PLACE = 6;

test('of ten stuck sessions, the place of as many is told as ever', () => {
  const right = sessions.filter((session) => {
    const { call } = storyOf(session);
    return call >= session.from && call <= session.by;
  });
  expect(right.length, right.map(({ id }) => id).join(', ')).toBeGreaterThanOrEqual(RIGHT_PLACE);
});

test.each(sessions)('session $id is told without tags, banners and the place of the project', (session) => {
  const { story, cause } = storyOf(session);
  const told = [story.summary, ...story.timeline.map(([, what]) => what), cause].join('\n');
  expect(told).not.toMatch(/<\/?tool_use_error>|> \S+@\d\S* \w+|Exit code \d+\.$/m);
  expect(told).not.toContain(`${session.cwd}/`);
});

test.each([
  ['03', /came first in call 8\b/],
  ['07', /the same failure 12 times in all/],
  ['09', /came first in call 3\b/],
  ['09', /the same call 4 times in all/],
])('session %s is counted right', (id, right) => {
  const { story } = storyOf(sessions.find((each) => each.id === id) as MadeSession);
  expect([story.summary, ...story.timeline.map(([, what]) => what)].join('\n')).toMatch(right);
});
