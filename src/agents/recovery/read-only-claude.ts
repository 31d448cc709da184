/**
 * `readOnlyArguments`, `readOnlyEnvironment`: start Claude Code so that it may only read: three tools; no settings, hooks, memory, servers
 * or skills of the person or the workspace; nothing outside the workspace; nothing that may hold credentials; no session is kept.
 */
import type { Environment } from '../adapter.ts';
import { claudeVariables } from '../claude/launch.ts';
import { agentEnvironment } from '../../platform/process/environment.ts';
import { ANSWER_JSON_SCHEMA } from './answer-schema.ts';
import { HIDDEN_GLOBS } from './hidden-files.ts';
import { SYSTEM } from './question.ts';

const TOOLS = ['Read', 'Glob', 'Grep'];
/** By which the CLI takes an answer of a given form. */
const ANSWER_TOOL = 'StructuredOutput';
/** One answer, with the thought before it. */
const ANSWER_TOKENS = '4000';
/** Of one file: some 20 kB, as much as the model is shown over HTTP. */
const READ_TOKENS = '6000';
/** A person waits for the answer: one retry survives a short disturbance, an outage is not waited out. */
const MAX_RETRIES = '1';
/** The CLI stops itself here; no diagnosis of a failed command is worth more. */
const BUDGET_USD = '0.50';

/**
 * The CLI asks before it reads outside the workspace, and gets no answer; but some versions do not ask about the pattern
 * of a glob. This runs before each glob and refuses a pattern that leads out.
 */
const REFUSE_OUTSIDE = `if grep -Eq '"pattern": ?"([/~]|[^"]*[.][.])'; then echo 'only files of the workspace' >&2; exit 2; fi`;

export function readOnlyArguments(model: string | null, turns: number): readonly string[] {
  const settings = {
    permissions: { deny: HIDDEN_GLOBS.map((glob) => `Read(${glob})`) },
    hooks: { PreToolUse: [{ matcher: 'Glob', hooks: [{ type: 'command', command: REFUSE_OUTSIDE }] }] },
  };
  // biome-ignore format: an option and its value stand together
  return [
    '-p', '--output-format', 'stream-json', '--verbose',
    '--tools', TOOLS.join(','),
    '--permission-mode', 'default',
    '--setting-sources', '',
    '--settings', JSON.stringify(settings),
    '--strict-mcp-config', '--disable-slash-commands', '--no-session-persistence',
    '--system-prompt', SYSTEM,
    '--json-schema', JSON.stringify(ANSWER_JSON_SCHEMA),
    '--max-turns', String(turns),
    '--max-budget-usd', BUDGET_USD,
    ...(model === null ? [] : ['--model', model]),
  ];
}

export function readOnlyEnvironment(env: Environment): Record<string, string> {
  return {
    ...agentEnvironment(env, claudeVariables(env)),
    CLAUDE_CODE_MAX_RETRIES: MAX_RETRIES,
    CLAUDE_CODE_DISABLE_CLAUDE_MDS: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: ANSWER_TOKENS,
    CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS: READ_TOKENS,
    DISABLE_AUTOUPDATER: '1',
  };
}

/** A version that does not know these options may offer more than it was allowed; then nothing it says counts. */
export function offersMore(tools: readonly string[]): readonly string[] {
  return tools.filter((name) => !TOOLS.includes(name) && name !== ANSWER_TOOL);
}
