/** `launchClaude`: how Claude Code is started: headless, brief on stdin, permissions as decided, hooks into a file of the attempt. */
import { join } from 'node:path';
import {
  type Environment,
  type LaunchContext,
  type LaunchPlan,
  nudgeFiles,
  type Permissions,
} from '../adapter.ts';

/**
 * The CLI's own ten retries take three minutes without a message. Two survive a short disturbance; Mayday does the rest,
 * with a reset time, over hours.
 */
const MAX_RETRIES = '2';
/** Time to the first byte of an answer. The CLI's own limit (300 s to 600 s per try) is longer than a person waits. */
const API_TIMEOUT_MS = '120000';
// biome-ignore format: words stand together
const HOOK_EVENTS = [
  'SessionStart', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PreCompact', 'StopFailure',
  'SessionEnd',
];
/** What these print reaches the model together with the result of the call. */
const NUDGED_EVENTS = new Set(['PostToolUse', 'PostToolUseFailure']);
/** Every tool of the server `mayday`: they can only tell Mayday something. */
const OWN_TOOLS = 'mcp__mayday';
/** A hook that hangs holds the agent; ours appends one line. */
const HOOK_TIMEOUT_S = 5;

export function launchClaude(context: LaunchContext): LaunchPlan {
  const settingsFile = join(context.attemptDir, 'claude-settings.json');
  const hookFile = join(context.attemptDir, 'claude-hooks.jsonl');
  const mcpFile = join(context.attemptDir, 'claude-mcp.json');
  const { permissions, mcpServer } = context;
  return {
    argv: [
      ...(context.command.length > 0 ? context.command : ['claude']),
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      // A large tool argument streams for minutes; without its pieces the agent looks hung.
      '--include-partial-messages',
      ...sessionOption(context),
      ...(permissions.skipAll ? ['--dangerously-skip-permissions'] : ['--permission-mode', 'acceptEdits']),
      '--settings',
      settingsFile,
      // Beside the servers that the person configured, not instead of them.
      ...(mcpServer === undefined ? [] : ['--mcp-config', mcpFile]),
      ...(context.model === null ? [] : ['--model', context.model]),
      ...(context.maxTurns === null ? [] : ['--max-turns', String(context.maxTurns)]),
    ],
    env: claudeEnvironment(context),
    passEnv: claudeVariables(context.env),
    stdin: 'brief',
    files: [
      { path: settingsFile, content: `${JSON.stringify(settings(context, hookFile), null, 2)}\n` },
      ...(mcpServer === undefined
        ? []
        : [{ path: mcpFile, content: `${JSON.stringify({ mcpServers: { mayday: mcpServer } })}\n` }]),
    ],
    hookFiles: [hookFile],
  };
}

/** What Claude Code is told in every run, headless or behind a protocol; a person's own values stay. */
export function claudeEnvironment({ env }: Pick<LaunchContext, 'env'>): Readonly<Record<string, string>> {
  return {
    CLAUDE_CODE_MAX_RETRIES: env['CLAUDE_CODE_MAX_RETRIES'] ?? MAX_RETRIES,
    API_TIMEOUT_MS: env['API_TIMEOUT_MS'] ?? API_TIMEOUT_MS,
    // Behind ACP it asks the model after each turn what a person could say next.
    CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: 'false',
    // The CLI must not update itself in the middle of a run.
    DISABLE_AUTOUPDATER: '1',
  };
}

function sessionOption({ mode, agentSession }: LaunchContext): readonly string[] {
  if (agentSession === null) return [];
  return [mode === 'resume' ? '--resume' : '--session-id', agentSession];
}

function settings(
  { permissions, noteFiles, mcpServer, attemptDir }: LaunchContext,
  hookFile: string,
): object {
  const hooked = (event: string) => {
    const command = [
      hookCommand(hookFile),
      ...(NUDGED_EVENTS.has(event) ? [nudgeCommand(attemptDir, event)] : []),
    ];
    return [event, [{ hooks: [{ type: 'command', command: command.join('; '), timeout: HOOK_TIMEOUT_S }] }]];
  };
  return {
    permissions: {
      allow: [...allowRules(permissions, noteFiles), ...(mcpServer === undefined ? [] : [OWN_TOOLS])],
    },
    hooks: Object.fromEntries(HOOK_EVENTS.map(hooked)),
  };
}

/** Edits in the workspace come with `acceptEdits`; this adds the task's checks, word for word, the note files, and the person's list. */
export function allowRules(permissions: Permissions, noteFiles: readonly string[]): readonly string[] {
  return [
    ...permissions.checks.map((check) => `Bash(${check})`),
    ...noteFiles.map((path) => `Edit(/${path})`),
    ...permissions.allowedTools,
  ];
}

/** One line per event: milliseconds (seconds where `date` knows no better), then the JSON that the CLI gives on stdin. */
function hookCommand(hookFile: string): string {
  return `printf '%s %s\\n' "$(date +%s%3N)" "$(cat)" >> ${shellQuoted(hookFile)}`;
}

/** Gives the message that waits for the agent, once: only one of two hooks at the same time can rename it. */
function nudgeCommand(attemptDir: string, event: string): string {
  const { left, taken } = nudgeFiles(attemptDir);
  const output = `{"hookSpecificOutput":{"hookEventName":"${event}","additionalContext":%s}}`;
  return `if mv ${shellQuoted(left)} ${shellQuoted(taken)} 2>/dev/null; then printf '${output}' "$(cat ${shellQuoted(taken)})"; fi`;
}

function shellQuoted(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}

const PASSED = ['ANTHROPIC_*', 'CLAUDE_*', 'IS_SANDBOX', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'];

/** Cloud credentials pass only where the person has pointed the CLI at that cloud. */
export function claudeVariables(env: Environment): readonly string[] {
  return [
    ...PASSED,
    ...(isOn(env['CLAUDE_CODE_USE_BEDROCK']) ? ['AWS_*'] : []),
    ...(isOn(env['CLAUDE_CODE_USE_VERTEX']) ? ['GOOGLE_*', 'CLOUD_ML_REGION', 'VERTEX_*'] : []),
  ];
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}
