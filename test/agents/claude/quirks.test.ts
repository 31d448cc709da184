import { describe, expect, it } from 'vitest';
import { claudeAdapter } from '../../../src/agents/claude/claude-adapter.ts';
import { CLAUDE_QUIRKS } from './quirks.ts';
import { loadRecording, type Reading, type Recording, readRecording } from '../recording.ts';

const CLI: Readonly<Record<string, string>> = { '2.1.197': 'claude', '2.1.325': 'claude325' };

type Proof = readonly [recording: string, holds: (recording: Recording, reading: Reading) => boolean];

/** What in a recording shows the quirk, and that the adapter is not fooled by it. */
const PROOFS: Readonly<Record<string, Proof>> = {
  success_with_error: [
    'ctx',
    (_, { entries, verdict }) =>
      entries.some(
        (entry) => entry.type === 'result' && entry.subtype.startsWith('success') && entry.isError,
      ) && !verdict.claimsDone,
  ],
  exit_zero_after_sigint: [
    'slowtool_SIGINT',
    ({ exitCode }, { verdict }) => exitCode === 0 && verdict.failure?.class === 'interrupted',
  ],
  exit_zero_when_denied: [
    'denied',
    ({ exitCode }, { verdict }) => exitCode === 0 && verdict.failure?.class === 'permission_denied',
  ],
  output_tokens_per_message: [
    'ok',
    ({ lines }, { verdict }) =>
      lines.join('').includes('"output_tokens": 1}') && verdict.usage?.outputTokens === 103,
  ],
  hides_retry_after: [
    '429_retryafter3600',
    ({ requests, seconds }, { verdict }) =>
      requests < 4 &&
      seconds < 30 &&
      verdict.failure?.class === 'rate_limited' &&
      verdict.failure.retryAt === null,
  ],
  retries_login_failure: [
    '401',
    (_, { entries }) => entries.filter((entry) => entry.type === 'retry' && entry.status === 401).length >= 7,
  ],
  silent_stall: [
    'stall',
    ({ seconds }, { entries }) => seconds > 600 && !entries.some((entry) => entry.type === 'retry'),
  ],
  drop_ends_run: [
    'drop',
    ({ exitCode }, { entries, verdict }) =>
      exitCode === 1 &&
      !entries.some((entry) => entry.type === 'retry') &&
      verdict.failure?.class === 'network_failure',
  ],
  drop_is_retried: [
    'drop',
    (_, { entries }) => entries.filter((entry) => entry.type === 'retry').length >= 6,
  ],
  term_orphans_tools: ['slowtool_SIGTERM', ({ orphans }) => orphans > 0],
  kill_orphans_tools: ['slowtool_SIGKILL', ({ orphans }) => orphans > 0],
};
/** Shown only by a resumed conversation, as the model sees it: proved with the real CLI in test-agents. */
const PROVED_LIVE = new Set(['resume_forgets_open_call']);
describe('each quirk of Claude Code shows in a recording and does not fool the adapter', () => {
  for (const quirk of CLAUDE_QUIRKS)
    for (const version of Object.keys(CLI)) {
      if (PROVED_LIVE.has(quirk.code)) continue;
      const has = quirk.versions?.includes(version) ?? true;
      const [name, holds] = PROOFS[quirk.code] as Proof;
      const cli = CLI[version] as string;
      if (!has && cli === 'claude325' && name === 'stall') continue;
      it(`${version} ${has ? 'has' : 'has not'} ${quirk.code}`, () => {
        const recording = loadRecording(cli, name);
        expect(holds(recording, readRecording(claudeAdapter, recording))).toBe(has);
      });
    }
});
