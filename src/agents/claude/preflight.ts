/** `claudeProbe`, `judgeClaude`: tell before a run starts whether Claude Code is installed, in which version, and logged in. */
import { join } from 'node:path';
import type {
  LaunchContext,
  PreflightJudgement,
  PreflightProbe,
  PreflightProblem,
  PreflightResult,
} from '../adapter.ts';
import { KNOWN_VERSIONS } from './quirks.ts';
import { claudeConfigDir } from './session-files.ts';

/** A cold start of the binary takes seconds on a slow disk. */
const PROBE_TIMEOUT_MS = 20_000;
/** Names that hold a login, or point the CLI at a cloud or helper that has one. */
const LOGIN_VARIABLES = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
];

export function claudeProbe(context: Pick<LaunchContext, 'command' | 'env'>): PreflightProbe {
  const config = claudeConfigDir(context.env);
  return {
    argv: [...(context.command.length > 0 ? context.command : ['claude']), '--version'],
    timeoutMs: PROBE_TIMEOUT_MS,
    lookFor: [join(config, '.credentials.json')],
  };
}

export function judgeClaude(result: PreflightResult): PreflightJudgement {
  const version = /(\d+\.\d+\.\d+)[^\n]*Claude Code/.exec(result.stdout)?.[1] ?? null;
  const known = version !== null && KNOWN_VERSIONS.includes(version);
  const broken = startProblem(result, version);
  if (broken !== null) return { version, known, problems: [broken] };
  const problems = [known ? null : versionProblem(version as string), loginProblem(result)];
  return { version, known, problems: problems.filter((problem) => problem !== null) };
}

function startProblem(result: PreflightResult, version: string | null): PreflightProblem | null {
  if (result.spawnError === 'ENOENT')
    return {
      severity: 'error',
      code: 'agent_missing',
      message: 'The command "claude" was not found on the PATH.',
      advice: `Install it with "npm install -g @anthropic-ai/claude-code@${KNOWN_VERSIONS.at(-1)}", or name its path in mayday.yaml.`,
    };
  if (result.spawnError !== null || result.exitCode !== 0 || version === null)
    return {
      severity: 'error',
      code: 'agent_unusable',
      message: `"claude --version" did not work: ${firstLine(result)}`,
      advice: 'Run "claude --version" yourself; reinstall Claude Code if it does not print a version.',
    };
  return null;
}

function versionProblem(version: string): PreflightProblem {
  const oldest = KNOWN_VERSIONS[0] as string;
  const newest = KNOWN_VERSIONS.at(-1) as string;
  if (compareVersions(version, oldest) < 0)
    return {
      severity: 'warning',
      code: 'version_too_old',
      message: `Claude Code ${version} is older than ${oldest}, the oldest version that Mayday was measured with.`,
      advice: `Update it with "npm install -g @anthropic-ai/claude-code@${newest}".`,
    };
  return {
    severity: 'warning',
    code: 'version_unknown',
    message: `Claude Code ${version} is not one of the versions that Mayday was measured with (${KNOWN_VERSIONS.join(', ')}).`,
    advice: `Mayday goes on as with ${newest}. If it misreads something, please report it with the output of "mayday logs".`,
  };
}

function loginProblem(result: PreflightResult): PreflightProblem | null {
  const loggedIn =
    LOGIN_VARIABLES.some((name) => (result.env[name] ?? '') !== '') || result.present.length > 0;
  // On macOS the login is in the keychain, which Mayday does not read.
  if (loggedIn || result.platform !== 'linux') return null;
  return {
    severity: 'error',
    code: 'login_missing',
    message:
      'Claude Code is installed but not logged in: no credentials file, ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN.',
    advice:
      'Run "claude" once and log in, or "claude setup-token" for a machine without a browser, then start again.',
  };
}

function firstLine(result: PreflightResult): string {
  if (result.spawnError !== null) return result.spawnError;
  const text = `${result.stderr}\n${result.stdout}`.trim().split('\n')[0] ?? '';
  return text === '' ? `exit code ${result.exitCode ?? 'none'}` : text.slice(0, 200);
}

export function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((version) => version.split('.').map(Number)) as [number[], number[]];
  const index = left.findIndex((part, position) => part !== right[position]);
  return index === -1 ? 0 : (left[index] as number) - (right[index] ?? 0);
}
