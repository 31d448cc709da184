/** Output of agent CLIs that was kept in a file is read like their own sessions, and named as what it is. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readSession, sessionFileAt } from '../../src/agents/session-stores.ts';
import { autopsy } from '../../src/core/detect/autopsy/autopsy.ts';

const at = (name: string) => fileURLToPath(new URL(`../recordings/${name}.jsonl`, import.meta.url));

test.each([
  ['codex/loop', 'Codex, output of `codex exec --json`'],
  ['opencode/loop', 'opencode, output of `opencode run --format json`'],
  ['gemini/loop', 'Gemini CLI, output in `stream-json`'],
  ['claude/loop', 'Claude Code, output in `stream-json`'],
])('%s', (name, title) => {
  const file = sessionFileAt(at(name)) ?? expect.fail('it is recognised');
  const session = readSession(file);
  expect(session.title).toBe(title);
  expect(session.facts.sessionId).not.toBeNull();
  expect(autopsy('x', session.entries).state).toBe('stuck');
});
