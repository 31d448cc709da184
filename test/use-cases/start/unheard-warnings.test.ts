import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { claudeAdapter } from '../../../src/agents/claude/claude-adapter.ts';
import { codexAdapter } from '../../../src/agents/codex/codex-adapter.ts';
import type { AgentAdapter, PreflightProblem } from '../../../src/agents/adapter.ts';
import { unheardWarnings } from '../../../src/use-cases/start/unheard-warnings.ts';

function warningsOf(adapter: AgentAdapter, stdout: string): readonly PreflightProblem[] {
  const env = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' };
  const facts = { spawnError: null, exitCode: 0, stderr: '', present: [], uid: 1, platform: 'linux' };
  return adapter.judgePreflight({ ...facts, stdout, env }).problems;
}

it('an unknown version of an agent is warned about once; another version and another agent are told again', async () => {
  const home = mkdtempSync(join(tmpdir(), 'mayday-told-'));
  try {
    const newer = warningsOf(codexAdapter, 'codex-cli 9.9.9');
    expect(newer).toHaveLength(1);
    expect(await unheardWarnings(home, newer)).toEqual(newer);
    expect(await unheardWarnings(home, newer)).toEqual([]);
    expect(await unheardWarnings(home, warningsOf(codexAdapter, 'codex-cli 9.9.10'))).toHaveLength(1);
    expect(await unheardWarnings(home, warningsOf(claudeAdapter, '9.9.9 (Claude Code)'))).toHaveLength(1);
    const other: PreflightProblem = { severity: 'warning', code: 'login_missing', message: 'm', advice: 'a' };
    expect(await unheardWarnings(home, [other])).toEqual(await unheardWarnings(home, [other]));
    expect(await unheardWarnings(home, [other])).toHaveLength(1);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
