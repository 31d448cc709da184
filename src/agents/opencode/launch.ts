/** `launchOpencode`: how opencode is started: headless, brief on stdin, a plugin of the attempt that tells what stdout does not. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type LaunchContext, type LaunchPlan, type McpServerCommand, nudgeFiles } from '../adapter.ts';
import { documentedVariables } from '../credentials.ts';
import { type JsonObject, jsonList, jsonObject, objectOrNull } from '../../core/text/json.ts';
import { watchPlugin } from './watch-plugin.ts';

/** A title of ours saves the model request that opencode makes for one. */
const TITLE_CHARS = 60;

/** Where it keeps its settings, login and sessions. */
export const OPENCODE_FOLDERS = ['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'];

export function launchOpencode(context: LaunchContext): LaunchPlan {
  const pluginFile = join(context.attemptDir, 'opencode-watch.js');
  const eventFile = join(context.attemptDir, 'opencode-events.jsonl');
  return {
    argv: [
      ...(context.command.length > 0 ? context.command : ['opencode']),
      'run',
      '--format',
      'json',
      ...(context.mode === 'resume' && context.agentSession !== null
        ? ['--session', context.agentSession]
        : ['--title', titleOf(context.brief.text)]),
      ...(context.permissions.skipAll ? ['--auto'] : []),
      ...(context.model === null ? [] : ['--model', context.model]),
    ],
    env: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify(configuration(context, pathToFileURL(pluginFile).href)),
      // The CLI must not update itself in the middle of a run.
      OPENCODE_DISABLE_AUTOUPDATE: '1',
    },
    passEnv: [...documentedVariables(['opencode']), 'OPENCODE_*', ...OPENCODE_FOLDERS, 'NODE_EXTRA_CA_CERTS'],
    stdin: 'brief',
    files: [{ path: pluginFile, content: watchPlugin(eventFile, nudgeFiles(context.attemptDir)) }],
    hookFiles: [eventFile],
  };
}

/** The person's own inline configuration, with ours added. It lies over their files, and changes none. */
function configuration({ env, permissions, mcpServer }: LaunchContext, plugin: string): JsonObject {
  const own = objectOrNull(env['OPENCODE_CONFIG_CONTENT'] ?? '') ?? {};
  const rules = bashRules(permissions.allowedTools);
  return {
    ...own,
    plugin: [...jsonList(own['plugin']), plugin],
    ...(mcpServer === undefined
      ? {}
      : { mcp: { ...jsonObject(own['mcp']), mayday: localServer(mcpServer) } }),
    ...(rules === null ? {} : { permission: { ...jsonObject(own['permission']), bash: rules } }),
  };
}

/**
 * Only for a command that was refused before and then allowed by the person. A rule of ours replaces a person's one-word rule for bash, so
 * it repeats that everything else is asked for, which means refused in a headless run: it never widens more than that command.
 */
function bashRules(allowedTools: readonly string[]): JsonObject | null {
  const commands = allowedTools.flatMap((rule) => /^bash\((.+)\)$/s.exec(rule)?.[1] ?? []);
  return commands.length === 0
    ? null
    : { '*': 'ask', ...Object.fromEntries(commands.map((one) => [one, 'allow'])) };
}

function localServer({ command, args, env }: McpServerCommand): JsonObject {
  return { type: 'local', command: [command, ...args], environment: env, enabled: true };
}

function titleOf(brief: string): string {
  const line = brief.split('\n').find((one) => /\w/.test(one)) ?? 'a run of Mayday';
  return line.replaceAll(/^\W+/g, '').slice(0, TITLE_CHARS);
}
