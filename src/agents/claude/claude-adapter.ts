/** `claudeAdapter`: the adapter of Claude Code in headless mode. */
import type { AgentAdapter } from '../adapter.ts';
import { endingVerdict } from '../ending-verdict.ts';
import { quirksOf } from '../version-range.ts';
import { launchClaude } from './launch.ts';
import { claudeProbe, judgeClaude } from './preflight.ts';
import { CLAUDE_MEASURED, CLAUDE_QUIRKS } from './quirks.ts';
import { repairClaudeSession } from './repair-session.ts';
import { claudeSessionFiles } from './session-files.ts';
import { ClaudeStreamReader } from './stream-reader.ts';

export const claudeAdapter: AgentAdapter = {
  name: 'claude',
  capabilities: {
    resume: true,
    sessionIdUpFront: true,
    hooks: true,
    nudges: true,
    measures: ['tokens', 'usd', 'turns'],
    permissions: true,
  },
  // Measured: SIGINT ends it within 1.6 s and takes its tools along; SIGTERM and SIGKILL leave tools behind.
  stop: { signal: 'SIGINT', graceMs: 15_000 },
  preflight: claudeProbe,
  judgePreflight: judgeClaude,
  launch: launchClaude,
  sessionFiles: claudeSessionFiles,
  repairSession: repairClaudeSession,
  reader: (earlier = []) => new ClaudeStreamReader(earlier),
  verdict: (facts) => endingVerdict({ title: 'Claude Code' }, facts),
  quirks: (version) => quirksOf(CLAUDE_QUIRKS, CLAUDE_MEASURED, version),
};
