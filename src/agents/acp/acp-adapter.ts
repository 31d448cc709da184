/** `ACP_ADAPTERS`: any agent that speaks the Agent Client Protocol (`acp:COMMAND`, read by `acpCommand`), and four that are ready-made. */
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type AgentAdapter,
  type Environment,
  type LaunchContext,
  type LaunchPlan,
  type MeasuredBudget,
  nudgeFiles,
  type PreflightResult,
} from '../adapter.ts';
import { claudeEnvironment, claudeVariables } from '../claude/launch.ts';
import { documentedVariables } from '../credentials.ts';
import type { AcpPlan } from './acp-plan.ts';
import { AcpReader } from './acp-reader.ts';
import { type EndingHabits, endingVerdict } from '../ending-verdict.ts';

interface AcpAgent {
  readonly name: string;
  /** Empty: the person names it. */
  readonly command: readonly string[];
  readonly install: string;
  readonly measures: readonly MeasuredBudget[];
  readonly passEnv: (env: Environment) => readonly string[];
  readonly env?: (context: LaunchContext) => Readonly<Record<string, string>>;
}

/** The adapter of `acp:COMMAND`. */
export const ANY_ACP = 'acp';

/** Which usage each tells was measured; one that is told for some agents only cannot be kept for any. */
const AGENTS: readonly AcpAgent[] = [
  {
    name: 'claude-acp',
    command: ['claude-agent-acp'],
    install: 'npm install -g @agentclientprotocol/claude-agent-acp',
    measures: ['tokens', 'usd'],
    passEnv: claudeVariables,
    env: claudeEnvironment,
  },
  {
    name: 'codex-acp',
    command: ['codex-acp'],
    install: 'npm install -g @agentclientprotocol/codex-acp',
    measures: ['tokens'],
    passEnv: () => ['CODEX_*', ...documentedVariables(['codex'])],
  },
  {
    name: 'gemini-acp',
    command: ['gemini', '--acp'],
    install: 'npm install -g @google/gemini-cli',
    measures: ['tokens'],
    passEnv: () => ['GEMINI_*', 'GOOGLE_GENAI_*', ...documentedVariables(['gemini'])],
    // A workspace that no person trusted by hand would be read-only for it.
    env: () => ({ GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
  },
  {
    name: 'opencode-acp',
    command: ['opencode', 'acp'],
    install: 'npm install -g opencode-ai',
    measures: ['tokens', 'usd'],
    passEnv: () => ['OPENCODE_*', ...documentedVariables(['opencode'])],
    env: opencodeEnvironment,
  },
  { name: ANY_ACP, command: [], install: '', measures: [], passEnv: () => [] },
];

/** A cold start of a shell takes milliseconds. */
const PROBE_TIMEOUT_MS = 10_000;

export const ACP_ADAPTERS: readonly AgentAdapter[] = AGENTS.map(adapterOf);

function adapterOf(agent: AcpAgent): AgentAdapter {
  const commandOf = (command: readonly string[]) => (command.length > 0 ? command : agent.command);
  return {
    name: agent.name,
    capabilities: { resume: true, sessionIdUpFront: false, nudges: true, measures: agent.measures },
    // The client turns it into session/cancel, which all four answer within three seconds.
    stopSignal: 'SIGINT',
    preflight: ({ command }) => {
      const [program = ''] = commandOf(command);
      // Started without a client some of these wait for ever, so they are only looked for.
      const argv = ['/bin/sh', '-c', 'command -v -- "$1"', 'look', program];
      return { argv, program, timeoutMs: PROBE_TIMEOUT_MS, lookFor: [] };
    },
    judgePreflight: (result) => judge(agent, result),
    launch: (context) => launch(agent, commandOf(context.command), context),
    sessionFiles: () => [],
    reader: (earlier = []) => new AcpReader(earlier),
    verdict: (facts) => endingVerdict(ACP_ENDINGS, facts),
  };
}

function judge({ name, install }: AcpAgent, { exitCode }: PreflightResult) {
  if (exitCode === 0) return { version: null, problems: [] };
  const advice =
    install === ''
      ? 'name a program that is installed: --agent "acp:PROGRAM ARGUMENTS"'
      : `install it with "${install}"`;
  const message = `the program of the agent ${name} was not found on the PATH`;
  return {
    version: null,
    problems: [{ severity: 'error', code: 'agent_missing', message, advice }] as const,
  };
}

function launch(agent: AcpAgent, command: readonly string[], context: LaunchContext): LaunchPlan {
  const client = fileURLToPath(new URL(`./acp-client${extname(import.meta.url)}`, import.meta.url));
  const planFile = join(context.attemptDir, 'acp-plan.json');
  const plan: AcpPlan = {
    command,
    workspace: context.workspace,
    briefFile: context.brief.path,
    resume: context.mode === 'resume' ? context.agentSession : null,
    permissions: context.permissions,
    noteFiles: context.noteFiles,
    nudge: nudgeFiles(context.attemptDir),
    mcpServer: context.mcpServer ?? null,
  };
  return {
    // The client is part of Mayday and runs on its Node; the agent finds its own on the PATH.
    argv: [process.execPath, '--no-warnings', client, planFile],
    env: agent.env?.(context) ?? {},
    passEnv: [
      ...agent.passEnv(context.env),
      ...documentedVariables(command),
      'NODE_EXTRA_CA_CERTS',
      'SSL_CERT_FILE',
    ],
    stdin: 'closed',
    files: [{ path: planFile, content: `${JSON.stringify(plan)}\n` }],
    hookFiles: [],
  };
}

/** opencode allows everything unless it is told to ask; a person's own content stays as it is. */
function opencodeEnvironment({ env, permissions }: LaunchContext): Readonly<Record<string, string>> {
  if (env['OPENCODE_CONFIG_CONTENT'] !== undefined || permissions.skipAll) return {};
  const permission = { bash: 'ask', webfetch: 'ask', external_directory: 'ask' };
  return { OPENCODE_CONFIG_CONTENT: JSON.stringify({ permission }) };
}

/** `acp:gemini --acp` as the name of the agent and its words. */
export function acpCommand(name: string): readonly string[] | null {
  if (!name.startsWith('acp:')) return null;
  return name
    .slice('acp:'.length)
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** The ends that the protocol names; any other is read like the end of any agent CLI. */
const ACP_ENDINGS: EndingHabits = {
  title: 'the agent',
  stops: {
    cancelled: ['interrupted', 'the turn was cancelled'],
    refusal: ['model_refusal', 'the model refused to go on'],
    max_tokens: ['context_overflow', 'the answer reached the limit of tokens'],
    max_turn_requests: ['budget_exhausted', 'the turn reached the limit of requests'],
  },
};
