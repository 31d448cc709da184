/**
 * `LOGINS`, `documentedVariables`: the environment variables that an agent CLI documents for its login. They are passed to named agents;
 * where they are not passed, the person is told. `loginOf`: those of one agent, by which its account is known.
 */
import { basename, isAbsolute } from 'node:path';
import type { AgentChoice } from '../core/vocabulary/events/event.ts';
import { isPassed } from '../platform/process/environment.ts';
import type { Environment } from './adapter.ts';

/** Every name by which an agent finds its login; a preflight, an account and what is passed to it are read from here. */
export interface Login {
  /** Hold a credential. */
  readonly keys: readonly string[];
  /** Switch it to a cloud, whose own login counts then. */
  readonly clouds?: readonly string[];
  /** Say which service, project or model account it talks to. */
  readonly services: readonly string[];
  /** Folders and files with a login or providers of their own. */
  readonly homes: readonly string[];
  /** The command line by which a person logs in again. */
  readonly renewedBy?: string;
}

const OPENAI = {
  keys: ['OPENAI_API_KEY'],
  services: ['OPENAI_BASE_URL', 'OPENAI_ORGANIZATION', 'OPENAI_PROJECT'],
  homes: [],
};
const ANTHROPIC = {
  keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
  services: ['ANTHROPIC_BASE_URL'],
  homes: [],
};
const GOOGLE = {
  keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  services: ['GOOGLE_GEMINI_BASE_URL'],
  homes: [],
};
const ROUTED = {
  keys: ['OPENROUTER_API_KEY', 'DEEPSEEK_API_KEY', 'GROQ_API_KEY', 'XAI_API_KEY'],
  services: [],
  homes: [],
};
const MANY = together([OPENAI, ANTHROPIC, GOOGLE, ROUTED]);

/** Those that have an adapter of their own. */
export const LOGINS = {
  claude: {
    keys: [...ANTHROPIC.keys, 'CLAUDE_CODE_OAUTH_TOKEN'],
    clouds: ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY'],
    services: ANTHROPIC.services,
    homes: ['CLAUDE_CONFIG_DIR'],
    renewedBy: 'claude /login',
  },
  codex: {
    keys: [...OPENAI.keys, 'CODEX_API_KEY', 'CODEX_ACCESS_TOKEN'],
    services: OPENAI.services,
    homes: ['CODEX_HOME'],
    renewedBy: 'codex login',
  },
  gemini: {
    keys: GOOGLE.keys,
    clouds: ['GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_GCA'],
    services: [
      ...GOOGLE.services,
      'GOOGLE_APPLICATION_CREDENTIALS',
      'GOOGLE_CLOUD_PROJECT',
      'GOOGLE_CLOUD_LOCATION',
    ],
    homes: ['GEMINI_CLI_HOME'],
  },
  opencode: {
    keys: [...MANY.keys, 'GOOGLE_GENERATIVE_AI_API_KEY', 'MISTRAL_API_KEY', 'OPENCODE_API_KEY'],
    services: MANY.services,
    homes: ['OPENCODE_CONFIG', 'XDG_DATA_HOME'],
    renewedBy: 'opencode auth login',
  },
} satisfies Readonly<Record<string, Login>>;

/** By the name of the program, or of the npm package that holds it. */
const BY_PROGRAM: Readonly<Record<string, Login>> = {
  ...LOGINS,
  aider: { ...MANY, keys: [...MANY.keys, 'MISTRAL_API_KEY', 'COHERE_API_KEY'] },
  goose: { ...MANY, services: [...MANY.services, 'GOOSE_PROVIDER', 'GOOSE_MODEL'] },
  crush: MANY,
  qwen: { ...OPENAI, keys: [...OPENAI.keys, 'DASHSCOPE_API_KEY'] },
  amp: { keys: ['AMP_API_KEY'], services: [], homes: [] },
  'cursor-agent': { keys: ['CURSOR_API_KEY'], services: [], homes: [] },
  copilot: { keys: ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN'], services: [], homes: [] },
};
const PACKAGES: Readonly<Record<string, string>> = {
  'claude-code': 'claude',
  'claude-agent-acp': 'claude',
  'claude-acp': 'claude',
  'codex-acp': 'codex',
  'gemini-acp': 'gemini',
  'opencode-acp': 'opencode',
  'gemini-cli': 'gemini',
  'opencode-ai': 'opencode',
  'qwen-code': 'qwen',
};

/** Names that look like a login, for programs that Mayday does not know. */
const LOOKS_NEEDED = /_(?:(?:API_)?KEY|TOKEN|SECRET|PASSWORD)$/;

/** The variables that an agent of the configuration gets by default. A program of the repository itself gets none. */
export function documentedVariables([program = '']: readonly string[]): readonly string[] {
  return program.includes('/') && !isAbsolute(program) ? [] : namesOf(BY_PROGRAM[knownName(program) ?? '']);
}

/** The login of an agent by its adapter and command. Of one that is not known: what any agent with an adapter may use. */
export function loginOf(adapter: string, command: readonly string[]): Login {
  return BY_PROGRAM[knownProgram([adapter, ...command]) ?? ''] ?? ANY_LOGIN;
}

export const ANY_LOGIN: Login = together(Object.values(LOGINS));

function together(logins: readonly Login[]): Login {
  const all = (names: (login: Login) => readonly string[]) => [...new Set(logins.flatMap(names))];
  return {
    keys: all(({ keys }) => keys),
    clouds: all(({ clouds = [] }) => clouds),
    services: all(({ services }) => services),
    homes: all(({ homes }) => homes),
  };
}

function namesOf(login: Login | undefined): readonly string[] {
  if (login === undefined) return [];
  return [...login.keys, ...(login.clouds ?? []), ...login.services, ...login.homes];
}

/** Variables that the person has set, that the program looks for, and that are not passed. `said`: what it printed. */
export function withheldVariables(
  env: Environment,
  { command }: AgentChoice,
  passed: readonly string[],
  said = '',
): readonly string[] {
  const program = knownProgram(command);
  const documented = new Set(namesOf(BY_PROGRAM[program ?? '']));
  return setButNotPassed(env, passed).filter(
    (name) => documented.has(name) || mentions(said, name) || isNamedAfter(command, name),
  );
}

export function looksLikeLogin(name: string): boolean {
  return LOOKS_NEEDED.test(name);
}

/** `MYTOOL_API_KEY` of the program `mytool`. */
function isNamedAfter([program = '']: readonly string[], name: string): boolean {
  const prefix = basename(program).toUpperCase().replace(/\W/g, '_');
  return prefix.length > 2 && name.startsWith(`${prefix}_`) && looksLikeLogin(name);
}

/** For the start of a run: of a program that we do not know, everything that looks like a login. */
export function likelyNeeded(
  env: Environment,
  agent: AgentChoice,
  passed: readonly string[],
): readonly string[] {
  if (knownProgram(agent.command) !== null) return withheldVariables(env, agent, passed);
  return setButNotPassed(env, passed).filter((name) => LOOKS_NEEDED.test(name));
}

function setButNotPassed(env: Environment, passed: readonly string[]): readonly string[] {
  return Object.keys(env)
    .filter((name) => (env[name] ?? '') !== '' && !isPassed(name, passed))
    .toSorted();
}

/** A short name would be found in any text. */
const MIN_MENTIONED_CHARS = 6;

function mentions(said: string, name: string): boolean {
  if (name.length < MIN_MENTIONED_CHARS || !/^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(name)) return false;
  for (let at = said.indexOf(name); at !== -1; at = said.indexOf(name, at + 1))
    if (!/\w/.test(said[at - 1] ?? ' ') && !/\w/.test(said[at + name.length] ?? ' ')) return true;
  return false;
}

/** Also behind `npx`, `env` or in the line of a shell: the first word that names a program we know. */
function knownProgram(command: readonly string[]): string | null {
  for (const word of command.flatMap((part) => part.split(/[\s'";|&()]+/))) {
    const name = knownName(word);
    if (name !== null) return name;
  }
  return null;
}

function knownName(word: string): string | null {
  const plain = basename(word).replace(/@[^@]*$/, '');
  const name = Object.hasOwn(PACKAGES, plain) ? (PACKAGES[plain] as string) : plain;
  return Object.hasOwn(BY_PROGRAM, name) ? name : null;
}
