import { expect, test } from 'vitest';
import type { LaunchContext } from '../../src/agents/adapter.ts';
import { findAdapter } from '../../src/agents/registry.ts';
import { STUCK } from '../../src/core/view/brief/note-paths.ts';

const CONTEXT: LaunchContext = {
  mode: 'fresh',
  agentSession: '7f7ab1a5-9f9f-4a43-9d5e-000000000001',
  brief: { path: '/brief.md', text: 'write a.txt' },
  workspace: '/work',
  attemptDir: '/attempt',
  permissions: { checks: [], allowedTools: [], skipAll: false },
  noteFiles: ['/notes/checkpoint.json', '/notes/blocker.json'],
  model: null,
  maxTurns: null,
  command: [],
  version: null,
  env: {},
  mcpServer: { command: 'mayday', args: ['mcp'], env: { MAYDAY_RUN: 'r1' } },
};

/** The agent may write the files that its brief names. */
const BY_FILE = ['claude', 'codex', 'gemini', 'acp'];
/** The agent has the tools that its brief names; opencode refuses every path outside the workspace. */
const BY_TOOL = ['claude', 'codex', 'opencode'];

function launched(name: string): string {
  const plan = findAdapter(name)?.launch({ ...CONTEXT, command: name === 'acp' ? ['some-agent'] : [] });
  return JSON.stringify(plan);
}

test.each(BY_FILE)('%s may write the files of its brief without a permission of the person', (name) => {
  expect(launched(name)).toContain('/notes');
});

test.each(BY_TOOL)('%s has the tools by which it asks without a permission of the person', (name) => {
  expect(launched(name)).toMatch(/mayday/);
  expect(launched(name)).toContain('MAYDAY_RUN');
});

test('the brief names both ways', () => {
  expect(STUCK).toContain('$MAYDAY_BLOCKER');
  expect(STUCK).toContain('raise_blocker');
});
