/** `claudeProbe`, `judgeClaude`: tell before a run starts whether Claude Code is installed, in which version, and logged in. */
import { join } from 'node:path';
import type { LaunchContext, PreflightJudgement, PreflightProbe, PreflightResult } from '../adapter.ts';
import { LOGINS } from '../credentials.ts';
import { judgeCli, PROBE_TIMEOUT_MS } from '../judge-preflight.ts';
import { CLAUDE_MEASURED } from './quirks.ts';
import { claudeConfigDir } from './session-files.ts';

export function claudeProbe(context: Pick<LaunchContext, 'command' | 'env'>): PreflightProbe {
  return {
    argv: [...(context.command.length > 0 ? context.command : ['claude']), '--version'],
    timeoutMs: PROBE_TIMEOUT_MS,
    lookFor: [join(claudeConfigDir(context.env), '.credentials.json')],
  };
}

export function judgeClaude(result: PreflightResult): PreflightJudgement {
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
