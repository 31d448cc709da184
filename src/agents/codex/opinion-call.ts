/**
 * `askCodex`: how Codex is asked for an opinion: in its read-only sandbox, with the features that bring tools turned off, without rules
 * and hooks; it keeps no session. It offers no alias of a cheap model, so it thinks little instead.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentedVariables } from '../credentials.ts';
import type { Environment } from '../adapter.ts';
import { OPINION_SYSTEM, type OpinionCall } from '../opinion/opinion-call.ts';
import { codexHome } from './session-store.ts';

// biome-ignore format: words stand together
const WITH_TOOLS = [
  'shell_tool', 'unified_exec', 'apps', 'plugins', 'multi_agent', 'goals', 'image_generation', 'view_image', 'sleep_tool', 'tool_suggest',
  'skill_search', 'hooks', 'browser_use', 'in_app_browser', 'computer_use', 'code_mode_host', 'workspace_dependencies',
];

export const askCodex: OpinionCall = {
  plan: ({ command, model, folder, env }) => {
    const system = join(folder, 'system.md');
    // A value of `-c` is TOML, in which a JSON text is written alike.
    const settings = {
      approval_policy: '"never"',
      model_reasoning_effort: '"low"',
      model_instructions_file: JSON.stringify(system),
      project_doc_max_bytes: '0',
      web_search: '"disabled"',
      'skills.include_instructions': 'false',
      include_permissions_instructions: 'false',
      include_environment_context: 'false',
      include_collaboration_mode_instructions: 'false',
      include_apps_instructions: 'false',
      'tools.experimental_request_user_input.enabled': 'false',
      ...Object.fromEntries(serversOf(env).map((name) => [`mcp_servers.${name}.enabled`, 'false'])),
      ...Object.fromEntries(WITH_TOOLS.map((name) => [`features.${name}`, 'false'])),
    };
    return {
      // biome-ignore format: an option and its value stand together
      argv: [
        ...(command.length > 0 ? command : ['codex']),
        'exec', '--json', '--skip-git-repo-check', '--ephemeral', '--ignore-rules', '--sandbox', 'read-only',
        ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
        ...(model === null ? [] : ['--model', model]),
        '-',
      ],
      env: {},
      passEnv: [...documentedVariables(['codex']), 'CODEX_*', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'],
      files: [{ path: system, content: OPINION_SYSTEM }],
    };
  },
};

const SERVER_TABLE = /^\s*\[mcp_servers\.([\w-]+|"[^"\n]+")[\].]/;

/** The person's MCP servers, each turned off by its name: there is no other switch for them. Throws where one may be left. */
function serversOf(env: Environment): readonly string[] {
  const path = join(codexHome(env), 'config.toml');
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  const meant = lines.filter((line) => line.includes('mcp_servers') && !line.trimStart().startsWith('#'));
  const names = meant.flatMap((line) => SERVER_TABLE.exec(line)?.[1] ?? []);
  if (names.length < meant.length)
    throw new Error(`the MCP servers in ${path} cannot be turned off one by one`);
  return [...new Set(names)];
}
