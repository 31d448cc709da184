import { describe, expect, it } from 'vitest';
import { answerPermission, permissionOption } from '../../../src/agents/acp/permission.ts';

const NOTHING = { checks: ['npm test'], allowedTools: [], skipAll: false };
const PLACE = { workspace: '/repo', noteFiles: ['/home/a/blocker.json'] };
const allowed = (toolCall: object, permissions = NOTHING) =>
  answerPermission(toolCall as never, permissions, PLACE).isAllowed;

describe('a permission request', () => {
  it('for work in the workspace is allowed', () => {
    expect(allowed({ kind: 'edit', rawInput: { file_path: '/repo/src/a.ts' } })).toBe(true);
    expect(allowed({ kind: 'edit', content: [{ type: 'diff', path: 'src/a.ts' }] })).toBe(true);
    expect(allowed({ kind: 'delete', locations: [{ path: '/repo/x' }] })).toBe(true);
    expect(allowed({ kind: 'read', title: 'Find files' })).toBe(true);
    expect(allowed({ kind: 'edit', rawInput: { file_path: '/home/a/blocker.json' } })).toBe(true);
  });

  it('for a check is allowed word for word, in the form of each agent', () => {
    expect(allowed({ kind: 'execute', rawInput: { command: 'npm test' } })).toBe(true);
    expect(allowed({ kind: 'execute', rawInput: { command: ['/bin/bash', '-lc', 'npm test'] } })).toBe(true);
    expect(allowed({ kind: 'execute', title: 'npm test' })).toBe(true);
    expect(allowed({ kind: 'execute', rawInput: { command: 'npm test; npm publish' } })).toBe(false);
  });

  it('for anything else is refused, with the narrowest rule that would allow it', () => {
    expect(allowed({ kind: 'edit', rawInput: { file_path: '/repo/../etc/hosts' } })).toBe(false);
    expect(allowed({ kind: 'edit', title: 'Edit something' })).toBe(false);
    expect(allowed({ kind: 'edit', locations: [{ path: '/repo/a' }, { path: '/etc/b' }] })).toBe(false);
    expect(allowed({ kind: 'read', locations: [{ path: '/etc/passwd' }] })).toBe(false);
    expect(allowed({ kind: 'fetch', title: 'https://example.org' })).toBe(false);
    expect(allowed({})).toBe(false);
    const publish = { kind: 'execute', rawInput: { command: 'npm publish' } };
    const { rule } = answerPermission(publish, NOTHING, PLACE);
    expect(rule).toBe('Bash(npm publish)');
    expect(allowed(publish, { ...NOTHING, allowedTools: [rule] } as never)).toBe(true);
    expect(allowed(publish, { ...NOTHING, skipAll: true } as never)).toBe(true);
  });

  it("for Mayday's own tools is allowed, and no shell can take their name", () => {
    expect(
      allowed({ kind: 'other', _meta: { claudeCode: { toolName: 'mcp__mayday__raise_blocker' } } }),
    ).toBe(true);
    expect(allowed({ kind: 'other', title: 'mayday_checkpoint' })).toBe(true);
    expect(allowed({ kind: 'other', title: 'record_note (mayday MCP Server)' })).toBe(true);
    expect(allowed({ kind: 'execute', title: 'mayday_checkpoint' })).toBe(false);
    expect(allowed({ kind: 'other', title: 'checkpoint' })).toBe(false);
    expect(allowed({ kind: 'other', title: 'mayday_checkpoint; rm -rf /' })).toBe(false);
  });

  it('is answered once, never for always', () => {
    const options = ['allow_always', 'allow_once', 'reject_once'].map((kind) => ({
      kind,
      optionId: `id-${kind}`,
    }));
    expect(permissionOption(options, true)).toBe('id-allow_once');
    expect(permissionOption(options, false)).toBe('id-reject_once');
    expect(permissionOption([], false)).toBeNull();
  });
});
