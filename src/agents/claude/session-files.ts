/** `claudeSessionFiles`: the files of a conversation and, beside it, of its subagents and large tool results. */
import { join } from 'node:path';
import type { AgentAdapter, Environment } from '../adapter.ts';

/** Longer folder names are cut and hashed by the CLI in a way that differs between versions. */
const MAX_FOLDER_NAME = 200;

export function claudeSessionFiles(context: Parameters<AgentAdapter['sessionFiles']>[0]): readonly string[] {
  const folder = context.workspace.replaceAll(/[^A-Za-z0-9]/g, '-');
  if (folder.length > MAX_FOLDER_NAME) return [];
  const session = join(claudeConfigDir(context.env), 'projects', folder, context.agentSession);
  return [`${session}.jsonl`, session];
}

export function claudeConfigDir(env: Environment): string {
  return env['CLAUDE_CONFIG_DIR'] ?? join(env['HOME'] ?? '/', '.claude');
}
