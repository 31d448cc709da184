/** `launchCodex`: how Codex is started: headless, brief on stdin, in its own sandbox unless the person lifted it. */
import { dirname } from 'node:path';
import type { LaunchContext, LaunchPlan } from '../adapter.ts';
import { documentedVariables } from '../credentials.ts';
import { askForPieces } from './piece-log.ts';

export function launchCodex(context: LaunchContext): LaunchPlan {
  const pieces = askForPieces(context);
  return {
    argv: [
      ...(context.command.length > 0 ? context.command : ['codex']),
      'exec',
      '--json',
      // The workspace is Mayday's own, so a missing repository is no reason to refuse.
      '--skip-git-repo-check',
      ...permissionOptions(context),
      ...mcpOptions(context),
      ...pieces.argv,
      ...(context.model === null ? [] : ['--model', context.model]),
      ...(context.mode === 'resume' && context.agentSession !== null ? ['resume', context.agentSession] : []),
      // The prompt comes on stdin.
      '-',
    ],
    env: pieces.env,
    passEnv: [...documentedVariables(['codex']), 'CODEX_*', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'],
    stdin: 'brief',
    files: [],
    hookFiles: [],
  };
}

/** For this run only: a value of `-c` is TOML, in which a JSON string or list of strings is written alike. */
function mcpOptions({ mcpServer }: LaunchContext): readonly string[] {
  if (mcpServer === undefined) return [];
  const env = Object.entries(mcpServer.env).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const values = {
    command: JSON.stringify(mcpServer.command),
    args: JSON.stringify(mcpServer.args),
    env: `{${env.join(',')}}`,
    // They only tell Mayday something, and a headless run has nobody to ask.
    default_tools_approval_mode: '"approve"',
  };
  return Object.entries(values).flatMap(([key, value]) => ['-c', `mcp_servers.mayday.${key}=${value}`]);
}

/**
 * Its sandbox lets every command run that writes in the workspace only; a check needs no rule of its own. A wider wish of the person is
 * one of its sandbox modes, or folders to write in: `sandbox:danger-full-access`, `dir:/srv/data`.
 */
function permissionOptions({ permissions, noteFiles }: LaunchContext): readonly string[] {
  const { skipAll, allowedTools } = permissions;
  if (skipAll) return ['--dangerously-bypass-approvals-and-sandbox'];
  const named = (prefix: string): readonly string[] =>
    allowedTools.filter((rule) => rule.startsWith(prefix)).map((rule) => rule.slice(prefix.length));
  return [
    '--sandbox',
    named('sandbox:').at(-1) ?? 'workspace-write',
    '-c',
    'approval_policy="never"',
    ...[...new Set([...noteFiles.map(dirname), ...named('dir:')])].flatMap((folder) => ['--add-dir', folder]),
  ];
}
