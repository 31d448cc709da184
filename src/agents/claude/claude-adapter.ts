/** `claudeAdapter`: the adapter of Claude Code in headless mode. */
import type {
  AgentAdapter,
  LaunchContext,
  PreflightJudgement,
  PreflightProbe,
  PreflightResult,
} from '../adapter.ts';
import { endingVerdict } from '../ending-verdict.ts';
import { quirksOf } from '../version-range.ts';
import { launchClaude } from './launch.ts';
import { CLAUDE_MEASURED, CLAUDE_QUIRKS } from './quirks.ts';
import { repairClaudeSession } from './repair-session.ts';
import { claudeSessionFiles, claudeConfigDir } from './session-files.ts';
import { ClaudeStreamReader } from './stream-reader.ts';
import { join } from 'node:path';
import { LOGINS } from '../credentials.ts';
import { judgeCli, PROBE_TIMEOUT_MS } from '../judge-preflight.ts';

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

/** Tell before a run starts whether Claude Code is installed, in which version, and logged in. */
function claudeProbe(context: Pick<LaunchContext, 'command' | 'env'>): PreflightProbe {
  return {
    argv: [...(context.command.length > 0 ? context.command : ['claude']), '--version'],
    timeoutMs: PROBE_TIMEOUT_MS,
    lookFor: [join(claudeConfigDir(context.env), '.credentials.json')],
  };
}

function judgeClaude(result: PreflightResult): PreflightJudgement {
  return judgeCli(
    {
      program: 'claude',
      title: 'Claude Code',
      package: '@anthropic-ai/claude-code',
      version: /(\d+\.\d+\.\d+)[^\n]*Claude Code/,
      measured: CLAUDE_MEASURED,
      login: {
        by: LOGINS.claude,
        missing: {
          message:
            'Claude Code is installed but not logged in: no credentials file, ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN.',
          advice:
            'Run "claude" once and log in, or "claude setup-token" for a machine without a browser, then start again.',
        },
      },
    },
    result,
  );
}
