/** `claudeAdapter`: the adapter of Claude Code in headless mode. */
import { join } from 'node:path';
import type { AgentAdapter } from '../adapter.ts';
import { LOGINS } from '../credentials.ts';
import { endingVerdict } from '../ending-verdict.ts';
import { cliPreflight } from '../judge-preflight.ts';
import { launchClaude } from './launch.ts';
import { askClaude } from './opinion-call.ts';
import { claudeConfigDir, claudeSessionFiles } from './session-files.ts';
import { CLAUDE_SESSION } from './session-shape.ts';
import { ClaudeStreamReader } from './stream-reader.ts';
import { recognisers } from '../../core/lexicon/recogniser.ts';

/** The versions that Mayday was measured with. */
export const CLAUDE_MEASURED = { from: '2.1.197', to: '2.1.325' };

const CLAUDE = {
  program: 'claude',
  title: 'Claude Code',
  package: '@anthropic-ai/claude-code',
  version: /(\d+\.\d+\.\d+)[^\n]*Claude Code/,
  measured: CLAUDE_MEASURED,
  login: {
    by: LOGINS.claude,
    missing: {
      message:
        'Claude Code is installed but not logged in: no credentials file, ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN',
      advice:
        'run "claude" once and log in, or "claude setup-token" for a machine without a browser, then start again',
    },
  },
};

export const claudeAdapter: AgentAdapter = {
  name: 'claude',
  capabilities: { resume: true, sessionIdUpFront: true, nudges: true, measures: ['tokens', 'usd', 'turns'] },
  // Measured: SIGINT ends it within 1.6 s and takes its tools along; SIGTERM and SIGKILL leave tools behind.
  stopSignal: 'SIGINT',
  ...cliPreflight(CLAUDE, (env) => [join(claudeConfigDir(env), '.credentials.json')]),
  launch: launchClaude,
  sessionFiles: claudeSessionFiles,
  sessionShape: CLAUDE_SESSION,
  opinionCall: askClaude,
  reader: (earlier = []) => new ClaudeStreamReader(earlier),
  verdict: (facts) => endingVerdict({ title: CLAUDE.title, says: CLAUDE_WORDS }, facts),
};

/** Words of Claude Code that name a cause. */
const CLAUDE_WORDS = recognisers(String.raw`
  claude.refusal model_refusal 0.8
    i unable to respond to this request
  claude.session session_corrupt 0.7
    i tool use concurrency issues|no conversation found with session id
  claude.login auth_failure 0.7
    i this organization has been disabled|oauth token (?:has expired|revoked|is invalid)
  claude.context context_overflow 0.7
    i error during compaction|compaction failed|could not compact
  claude.turns budget_exhausted 0.7
    i error_max_(?:turns|budget)
  claude.dropped network_failure 0.6
    i connection to the api was lost
  claude.start environment 0.5
    i cannot be used with root|git-bash
`);
