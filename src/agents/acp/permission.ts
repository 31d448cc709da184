/**
 * `answerPermission`: what a permission request of an ACP agent is answered with. The person's word decides: edits in the workspace and the
 * task's checks, word for word, and the rules that a person allowed. All else is refused and comes to the person as a question.
 */
import { resolve } from 'node:path';
import { isInside } from '../../platform/file/inside.ts';
import type { Permissions } from '../adapter.ts';
import { type JsonObject, jsonList, jsonObject, jsonText } from '../../core/text/json.ts';
import { commandLineOf, toolNameOf } from './tool-call.ts';

const CHANGING = new Set(['edit', 'delete', 'move']);
const LOOKING = new Set(['read', 'search', 'think']);
/** Mayday's own tools, as the agents name them. Never for a shell: its title is the command, which can begin with anything. */
// biome-ignore format: words stand together
const OWN_TOOLS = [
  'checkpoint', 'raise_blocker', 'request_scope', 'record_note', 'report_progress', 'search_context',
].flatMap((name) => [
  `mcp__mayday__${name}`,
  `mayday_${name}`,
  `mayday.${name}`,
  `${name} (mayday MCP Server)`,
]);

export interface PermissionAnswer {
  readonly isAllowed: boolean;
  /** The narrowest rule that would allow it: what a person is asked about. */
  readonly rule: string;
}

export function answerPermission(
  toolCall: JsonObject,
  permissions: Permissions,
  { workspace, noteFiles }: { readonly workspace: string; readonly noteFiles: readonly string[] },
): PermissionAnswer {
  const kind = jsonText(toolCall['kind']);
  const paths = pathsOf(toolCall);
  const rule = ruleOf(toolCall, kind, paths);
  const isLocal =
    paths.length > 0 &&
    paths.every((path) => isInside(resolve(workspace, path), resolve(workspace)) || noteFiles.includes(path));
  const isAllowed =
    permissions.skipAll ||
    permissions.allowedTools.includes(rule) ||
    (CHANGING.has(kind) && isLocal) ||
    (LOOKING.has(kind) && (isLocal || paths.length === 0)) ||
    (kind === 'execute' && permissions.checks.includes(commandLineOf(toolCall))) ||
    (kind !== 'execute' && isOwnTool(toolCall));
  return { isAllowed, rule };
}

/** The option to choose. Once, never always: the rules of this run are Mayday's to keep. Null: the agent offers none that fits. */
export function permissionOption(options: unknown, isAllowed: boolean): string | null {
  const kinds = isAllowed ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  const offered = jsonList(options).map(jsonObject);
  const found = kinds.map((kind) => offered.find((option) => option['kind'] === kind)).find((one) => one);
  return found === undefined ? null : jsonText(found['optionId']);
}

function isOwnTool(toolCall: JsonObject): boolean {
  return [toolNameOf(toolCall), jsonText(toolCall['title'])].some((name) => OWN_TOOLS.includes(name));
}

function ruleOf(toolCall: JsonObject, kind: string, paths: readonly string[]): string {
  if (kind === 'execute') return `Bash(${commandLineOf(toolCall)})`;
  if (CHANGING.has(kind)) return `Edit(${paths.join(', ') || jsonText(toolCall['title'])})`;
  if (LOOKING.has(kind)) return `Read(${paths.join(', ') || jsonText(toolCall['title'])})`;
  return toolNameOf(toolCall) || jsonText(toolCall['title']) || kind;
}

const PATH_KEYS = ['file_path', 'filePath', 'path', 'filepath', 'notebook_path'];

function pathsOf(toolCall: JsonObject): readonly string[] {
  const input = jsonObject(toolCall['rawInput']);
  const named = PATH_KEYS.map((key) => jsonText(input[key]));
  const changes = Object.keys(jsonObject(input['changes']));
  const located = jsonList(toolCall['locations']).map((place) => jsonText(jsonObject(place)['path']));
  const diffs = jsonList(toolCall['content']).map((block) => jsonText(jsonObject(block)['path']));
  return [...new Set([...named, ...changes, ...located, ...diffs])].filter((path) => path !== '');
}
