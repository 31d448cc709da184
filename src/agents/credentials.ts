/**
 * `documentedVariables`: the environment variables that an agent CLI documents for its login. They are passed to named agents; where they
 * are not passed, the person is told.
 */
import { basename, isAbsolute } from 'node:path';
import type { AgentChoice } from '../core/vocabulary/events/event.ts';
import { isPassed } from '../platform/process/environment.ts';
import type { Environment } from './adapter.ts';

const OPENAI = ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_ORGANIZATION', 'OPENAI_PROJECT'];
const ANTHROPIC = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL'];
const GOOGLE = ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GEMINI_BASE_URL'];
const VERTEX = [
  'GOOGLE_APPLICATION_CREDENTIALS',
  'GOOGLE_CLOUD_PROJECT',
  'GOOGLE_CLOUD_LOCATION',
  'GOOGLE_GENAI_USE_VERTEXAI',
];
const MANY = [
  ...OPENAI,
  ...ANTHROPIC,
  ...GOOGLE,
  'OPENROUTER_API_KEY',
  'DEEPSEEK_API_KEY',
  'GROQ_API_KEY',
  'XAI_API_KEY',
];

/** By the name of the program, or of the npm package that holds it. */
const BY_PROGRAM: Readonly<Record<string, readonly string[]>> = {
  claude: [...ANTHROPIC, 'CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CONFIG_DIR'],
  codex: [...OPENAI, 'CODEX_API_KEY', 'CODEX_HOME'],
  gemini: [...GOOGLE, ...VERTEX],
  opencode: [
    ...MANY,
    'GOOGLE_GENERATIVE_AI_API_KEY',
    'MISTRAL_API_KEY',
    'OPENCODE_CONFIG',
    'OPENCODE_API_KEY',
  ],
  aider: [...MANY, 'MISTRAL_API_KEY', 'COHERE_API_KEY'],
  goose: [...MANY, 'GOOSE_PROVIDER', 'GOOSE_MODEL'],
  crush: MANY,
  qwen: [...OPENAI, 'DASHSCOPE_API_KEY'],
  amp: ['AMP_API_KEY'],
  'cursor-agent': ['CURSOR_API_KEY'],
  copilot: ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN'],
};
const PACKAGES: Readonly<Record<string, string>> = {
  'claude-code': 'claude',
  'gemini-cli': 'gemini',
  'opencode-ai': 'opencode',
  'qwen-code': 'qwen',
};

/** Names that look like a login, for programs that Mayday does not know. */
const LOOKS_NEEDED = /_(?:(?:API_)?KEY|TOKEN|SECRET|PASSWORD)$/;

/** The variables that an agent of the configuration gets by default. A program of the repository itself gets none. */
export function documentedVariables([program = '']: readonly string[]): readonly string[] {
  return program.includes('/') && !isAbsolute(program) ? [] : (BY_PROGRAM[knownName(program) ?? ''] ?? []);
}

/** Variables that the person has set, that the program looks for, and that are not passed. `said`: what it printed. */
export function withheldVariables(
  env: Environment,
  { command }: AgentChoice,
  passed: readonly string[],
  said = '',
): readonly string[] {
  const program = knownProgram(command);
  const documented = new Set(program === null ? [] : BY_PROGRAM[program]);
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
