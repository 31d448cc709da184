import { expect, it } from 'vitest';
import { permissionRule } from '../../../src/agents/claude/tool-text.ts';

it.each([
  ['Bash', { command: 'npm publish' }, 'Bash(npm publish)'],
  ['Write', { file_path: '/etc/hosts' }, 'Edit(//etc/hosts)'],
  ['Edit', { file_path: 'src/a.ts' }, 'Edit(src/a.ts)'],
  ['NotebookEdit', { notebook_path: '/x/n.ipynb' }, 'Edit(//x/n.ipynb)'],
  ['Read', { file_path: '/etc/passwd' }, 'Read(//etc/passwd)'],
  ['Grep', { path: '/etc', pattern: 'x' }, 'Read(//etc)'],
  ['WebFetch', { url: 'https://example.org/a?b' }, 'WebFetch(domain:example.org)'],
  ['mcp__db__query', { sql: 'select 1' }, 'mcp__db__query'],
])('a denied %s %j would be allowed by the narrow rule %s', (tool, input, rule) => {
  expect(permissionRule(tool, input)).toBe(rule);
});
