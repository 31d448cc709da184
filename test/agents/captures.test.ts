/** Output of agent CLIs that was kept in a file is read like their own sessions, and named as what it is. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readSession, sessionFileAt } from '../../src/agents/sessions/session-stores.ts';
import { autopsy } from '../../src/core/detect/autopsy/autopsy.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

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

function written(name: string, text: string): string {
  const path = join(temporaryDirectory(), name);
  writeFileSync(path, text);
  return path;
}

test('a log of shell commands is read as calls with their results', () => {
  const path = written('build.log', `# nightly\n${'$ make\nmake: *** No rule to make target.\n'.repeat(6)}`);
  const session = readSession(sessionFileAt(path) ?? expect.fail('it is recognised'));
  expect(session.title).toBe('log of a shell');
  const found = autopsy('x', session.entries);
  expect(found.state).toBe('stuck');
  expect(found.turns).toHaveLength(6);
});

test('a text with one command in it is no log', () => {
  expect(sessionFileAt(written('notes.md', 'Run this:\n$ make\nand wait.\n'))).toBeNull();
});
