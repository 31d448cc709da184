/** `launchGemini`: how Gemini CLI is started: headless, brief on stdin, permissions as a policy file of the attempt. */
import { dirname, join } from 'node:path';
import { partTexts } from '../../core/judge/check-line.ts';
import type { LaunchContext, LaunchPlan } from '../adapter.ts';
import { documentedVariables } from '../credentials.ts';

/** Over the defaults of the CLI, within the tier of the person's own rules. */
const PRIORITY = 500;

export function launchGemini(context: LaunchContext): LaunchPlan {
  const { permissions, noteFiles, agentSession } = context;
  const policyFile = join(context.attemptDir, 'gemini-policy.toml');
  const rules = [
    ...permissions.checks.map(shellRule),
    ...permissions.allowedTools.filter((rule) => rule !== 'all').map(toolRule),
  ];
  return {
    argv: [
      ...(context.command.length > 0 ? context.command : ['gemini']),
      '--output-format',
      'stream-json',
      ...(agentSession === null
        ? []
        : [context.mode === 'resume' ? '--resume' : '--session-id', agentSession]),
      '--approval-mode',
      permissions.skipAll ? 'yolo' : 'auto_edit',
      ...(rules.length === 0 ? [] : ['--policy', policyFile]),
      ...[...new Set(noteFiles.map(dirname))].flatMap((folder) => ['--include-directories', folder]),
      ...(context.model === null ? [] : ['--model', context.model]),
    ],
    env: {
      // With its second process it ignores every signal but SIGKILL.
      GEMINI_CLI_NO_RELAUNCH: 'true',
      // The workspace is a folder of Mayday's own, of a repository that the person chose.
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    },
    passEnv: [...documentedVariables(['gemini']), 'GEMINI_*', 'GOOGLE_GENAI_*', 'NODE_EXTRA_CA_CERTS'],
    stdin: 'brief',
    files: rules.length === 0 ? [] : [{ path: policyFile, content: rules.join('\n') }],
    hookFiles: [],
  };
}

/** `run_shell_command(npm test)` or the name of a tool. */
function toolRule(rule: string): string {
  const command = /^run_shell_command\((.+)\)$/s.exec(rule)?.[1];
  return command === undefined ? policyRule(`toolName = ${JSON.stringify(rule)}`) : shellRule(command);
}

/**
 * The command, word for word: the pattern is matched against the arguments as JSON. The CLI then looks up each part of a line of several
 * commands on its own, without the description that a model gives with its calls: that look is allowed, a call with a description is not.
 */
function shellRule(command: string): string {
  const parts = partTexts(command).filter((part) => part !== command);
  return [
    `"command":${literal(command)}`,
    ...parts.map((part) => String.raw`^\{\x00"command":${literal(part)}\x00(?:\}|,\x00"dir_path")`),
  ]
    .map((pattern) =>
      policyRule(
        `toolName = "run_shell_command"\nargsPattern = ${JSON.stringify(pattern)}\nallowRedirection = true`,
      ),
    )
    .join('\n');
}

function literal(command: string): string {
  return JSON.stringify(command).replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}

function policyRule(conditions: string): string {
  return `[[rule]]\n${conditions}\ndecision = "allow"\npriority = ${PRIORITY}\n`;
}
