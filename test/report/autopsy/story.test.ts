import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type AgentSession,
  readSession,
  sessionFileAt,
} from '../../../src/agents/sessions/session-stores.ts';
import { autopsy } from '../../../src/core/detect/autopsy/autopsy.ts';
import { storyHtml } from '../../../src/report/autopsy/story-html.ts';
import { storyText } from '../../../src/report/autopsy/story-text.ts';
import { tellStory } from '../../../src/report/autopsy/story.ts';
import { FAILURE, writeClaude } from '../../agents/session-fixtures.ts';

let home = '';
let session: AgentSession;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'mayday-story-'));
  const file = sessionFileAt(writeClaude(home));
  if (file === null) throw new Error('the fixture is no session');
  session = readSession(file);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('the story of a stuck session', () => {
  test('says where progress ended, what it cost, why, and how to go on', () => {
    const text = storyText(tellStory(session, autopsy('x', session.entries)), '/briefs/x.md');
    expect(text).toContain(
      'Claude Code session 5c1e0000… · 16 min · 7 turns, 7 calls · 8k tokens · ended by you · 1 damaged line skipped',
    );
    expect(text).toContain(
      'It was stuck from call 3 (turn 3) on. That took 5 of 7 calls, 13 min and 6k tokens. ' +
        `\`pnpm test upload\` failed 6 times: ${FAILURE}. That came first in call 2.`,
    );
    expect(text).toContain('call 1    last change before that: src/upload.ts');
    expect(text).toContain('3-7       the same failure 6 times in all\n');
    expect(text).toContain(`Cause     6 failing calls printed this line: "${FAILURE}"; why is not proven`);
    expect(text).toContain('claude --resume 5c1e0000');
    expect(text).toContain('written to /briefs/x.md');
  });

  test('as a page escapes what agents and programs wrote', () => {
    const entries = session.entries.map((entry) =>
      entry.type === 'tool_result' && entry.isError
        ? { ...entry, output: 'Error: <script>alert(1)</script> & "more"' }
        : entry,
    );
    const html = storyHtml([tellStory({ ...session, entries }, autopsy('x', entries))]);
    expect(html).not.toContain('<script>');
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;more&quot;');
  });
});

describe('the story of a session that', () => {
  test('has hardly begun admits that it cannot tell', () => {
    const entries = session.entries.slice(0, 1);
    expect(tellStory({ ...session, entries }, autopsy('x', entries)).summary).toContain('too short');
  });

  test('has hardly begun still names the call that failed last', () => {
    const failed = (id: string, at: number) =>
      [
        { type: 'tool_call', at, id, tool: 'Bash', input: 'npm test' },
        {
          type: 'tool_result',
          at: at + 1,
          id,
          output: "Error: Cannot find module 'left-pad'",
          isError: true,
        },
      ] as const;
    const entries = [...session.entries.slice(0, 1), ...failed('1', 1_000), ...failed('2', 3_000)];
    const { summary } = tellStory({ ...session, entries }, autopsy('x', entries));
    expect(summary).toContain('left-pad');
  });

  test('says that it is done while its last check is red is told so, in its own words', () => {
    const said = { type: 'message', at: 0, role: 'agent', text: 'All tests pass now.' } as const;
    const told = tellStory(
      { ...session, entries: [...session.entries.slice(0, -1), said] },
      autopsy('x', [...session.entries.slice(0, -1), said]),
    );
    expect(told.summary).toContain('At its end it said: "All tests pass now." Its last check is red.');
  });

  test('finished does not call the work right', () => {
    const entries = [
      ...session.entries.slice(0, 4),
      { type: 'message', at: 0, role: 'agent', text: 'All done.' } as const,
    ];
    expect(tellStory({ ...session, entries }, autopsy('x', entries)).summary).toContain('by its own word');
  });
});
