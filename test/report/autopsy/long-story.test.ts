import { expect, test } from 'vitest';
import type { AgentSession } from '../../../src/agents/sessions/session-stores.ts';
import { noFacts } from '../../../src/agents/sessions/session-store.ts';
import { autopsy } from '../../../src/core/detect/autopsy/autopsy.ts';
import type { TranscriptEntry } from '../../../src/core/vocabulary/transcript.ts';
import { tellStory } from '../../../src/report/autopsy/story.ts';

const RESULT = 'src/core/example.ts:41: const value = compute(input, options);\n'.repeat(8);

/** One call for hours, with another number each time: as many texts as there are calls. */
function sameCallFor(calls: number): AgentSession {
  const entries = Array.from({ length: calls }).flatMap((_, n): readonly TranscriptEntry[] => [
    { type: 'tool_call', at: n * 4_000, id: `t${n}`, tool: 'Bash', input: `run part ${n}` },
    { type: 'tool_result', at: n * 4_000 + 1_000, id: `t${n}`, output: `${n} ${RESULT}`, isError: false },
  ]);
  const file = { store: 'neutral', path: '/s.jsonl', sessionId: null, writtenAt: 0 } as const;
  return { file, title: 'a session', facts: noFacts(), entries, resumeCommand: null };
}

function tellMs(calls: number): number {
  const session = sameCallFor(calls);
  const found = autopsy('long', session.entries);
  expect(found.repeats?.turns.length).toBeGreaterThan(calls / 2);
  const begun = process.cpuUsage();
  tellStory(session, found);
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
}

test('to tell the story of a call made eight times as often takes about eight times as long', () => {
  tellMs(500);
  const [short, long] = [tellMs(1_000), tellMs(8_000)];
  expect(long / short).toBeLessThan(24);
});
