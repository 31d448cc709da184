/** `CONTESTANTS`, `NOT_RUN`: what people use today to keep a coding agent going, and Mayday, each as one row of data. */

interface NpmPackage {
  readonly name: string;
  readonly version: string;
  /** For `npm install`. */
  readonly flags?: readonly string[];
}

export interface Contestant {
  readonly name: string;
  readonly title: string;
  /** An npm package beside the agent CLI; null: nothing more is needed. */
  readonly package: NpmPackage | null;
  /** What the package needs beside it. */
  readonly needs?: readonly NpmPackage[];
  /** What it says of itself, or what people expect from it. */
  readonly claims: string;
  /** As a person types it, for each agent CLI. TASK, CHECK, SILENCE_MS and DRIVERS (this folder) are set; the programs are on the PATH. */
  readonly commandLine: Readonly<Record<PeerAgent, string>>;
  /** What a person does once before the work: run in the repository before the clock starts. */
  readonly setUp?: Readonly<Record<PeerAgent, string>>;
  /** What a person does after the work: run when the clock has stopped, before what is left behind is counted. */
  readonly closeDown?: string;
  /** What its agents are told to run when they say that they are done; it prints `CLOSED` and nothing of the task. */
  readonly closing?: string;
  /** Why it never gets to work with an agent, in what it prints: no setting of its own changes that. */
  readonly cannot?: Readonly<Partial<Record<PeerAgent, string>>>;
  /** It keeps a journal of its own, which also tells when it noticed. */
  readonly isMayday?: true;
}

/** Printed by the `closing` of a contestant. */
export const CLOSED = 'the ticket is closed';

/** By the name of their adapter. */
export const PEER_AGENTS = ['claude', 'codex'] as const;
export type PeerAgent = (typeof PEER_AGENTS)[number];

const CLAUDE = 'claude -p "$TASK" --output-format stream-json --verbose --dangerously-skip-permissions';
const CODEX = 'codex exec --json --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox';
/** Of the provider that the configuration of the bench names. */
const CODEX_OWN = [
  'stream_idle_timeout_ms=$SILENCE_MS',
  'request_max_retries=10',
  'stream_max_retries=10',
].map((option) => `-c model_providers.scripted.${option}`);

const retrying = (agent: string): string =>
  `pause=5; until ${agent}; do sleep $pause; pause=$((pause * 2)); done`;
const checking = (agent: string, again: string): string =>
  `${agent}; pause=5; until sh -c "$CHECK"; do sleep $pause; pause=$((pause * 2)); ${again}; done`;
/** The same command line but for the name of the agent. */
const forBoth = (line: (agent: PeerAgent) => string): Contestant['commandLine'] => ({
  claude: line('claude'),
  codex: line('codex'),
});

/** Keys are kept from the agent, a task that fails is skipped, and Codex gets an option that it has no more, unless its settings say otherwise. */
const RALPH_TUI_FILES = `mkdir .ralph-tui
cat > .ralph-tui/config.toml <<END
configVersion = "2.1"
envPassthrough = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"]
[agentOptions]
fullAuto = false
sandbox = "danger-full-access"
[errorHandling]
strategy = "retry"
maxRetries = 3
END
cat > prd.json <<END
{"name": "bench", "userStories": [{"id": "US-001", "title": "$TASK", "description": "$TASK",
  "acceptanceCriteria": ["$CHECK"], "priority": 1, "passes": false, "dependsOn": []}]}
END`;

/** As the skill says that Paperclip gives to its agents. */
const CLOSE_TICKET = [
  'curl -sf -o /dev/null -X PATCH "$PAPERCLIP_API_URL/api/issues/$PAPERCLIP_TASK_ID"',
  '-H "Authorization: Bearer $PAPERCLIP_API_KEY" -H "X-Paperclip-Run-Id: $PAPERCLIP_RUN_ID"',
  `-H "Content-Type: application/json" -d '{"status": "done"}'; echo "${CLOSED}"`,
].join(' ');

export const CONTESTANTS: readonly Contestant[] = [
  {
    name: 'bare',
    title: 'the CLI alone',
    package: null,
    claims: 'retries failed requests by itself',
    commandLine: { claude: CLAUDE, codex: `${CODEX} "$TASK"` },
  },
  {
    name: 'own-options',
    title: 'the CLI with its own options',
    package: null,
    claims: 'more retries, a limit for a request that is not answered; Claude Code also a limit of turns',
    commandLine: {
      claude: `CLAUDE_CODE_MAX_RETRIES=10 API_TIMEOUT_MS=$SILENCE_MS ${CLAUDE} --max-turns 30`,
      codex: `${CODEX} ${CODEX_OWN.join(' ')} "$TASK"`,
    },
  },
  {
    name: 'retry-loop',
    title: 'a retry loop',
    package: null,
    claims: 'starts it again, with back-off, until it exits with 0',
    commandLine: { claude: retrying(CLAUDE), codex: retrying(`${CODEX} "$TASK"`) },
  },
  {
    name: 'checked-loop',
    title: 'a loop over the check that continues the session',
    package: null,
    claims: 'goes on in the same conversation, with back-off, until the check passes',
    commandLine: {
      claude: checking(CLAUDE, `${CLAUDE} --continue`),
      codex: checking(`${CODEX} "$TASK"`, `${CODEX} resume --last "$TASK"`),
    },
  },
  {
    name: 'ralphy',
    title: 'ralphy-cli',
    package: { name: 'ralphy-cli', version: '4.7.2' },
    claims: 'an autonomous coding loop with retries per task',
    commandLine: forBoth(
      (agent) => `ralphy --${agent} --fast --no-commit --max-retries 3 --retry-delay 5 "$TASK"`,
    ),
    cannot: {
      codex:
        'starts `codex exec --full-auto`, an option that this version of Codex has no more: "error: unexpected argument \'--full-auto\' found"',
    },
  },
  {
    name: 'ralph-starter',
    title: 'ralph-starter',
    // Its first script ends an installation by npm.
    package: { name: 'ralph-starter', version: '0.5.2', flags: ['--ignore-scripts'] },
    claims: 'an autonomous coding loop with a circuit breaker for failures',
    commandLine: forBoth(
      (agent) =>
        `ralph-starter run "$TASK" --agent ${agent === 'claude' ? 'claude-code' : agent} --headless --no-auto-skills --output-dir . --max-iterations 20`,
    ),
    cannot: {
      codex:
        'starts `codex -p "$TASK" --auto-approve`, an option that this version of Codex does not have, 20 times, and ends with "Error: max_iterations"',
    },
  },
  {
    name: 'ralph-tui',
    title: 'ralph-tui',
    package: { name: 'ralph-tui', version: '0.11.0' },
    needs: [{ name: 'bun', version: '1.4.4' }],
    claims: 'a loop over a list of tasks, with a strategy for failures and for rate limits',
    setUp: forBoth(() => RALPH_TUI_FILES),
    commandLine: forBoth(
      (agent) => `ralph-tui run --prd prd.json --agent ${agent} --headless --no-setup --iterations 20`,
    ),
  },
  {
    name: 'paperclip',
    title: 'Paperclip',
    package: { name: 'paperclipai', version: '2026.916.1' },
    claims: 'a company of agents with tickets; takes up lost runs, retries, asks the board',
    setUp: forBoth((agent) => `node "$DRIVERS/paperclip.ts" set-up ${agent}`),
    commandLine: forBoth(() => 'node "$DRIVERS/paperclip.ts" work "$TASK" "$CHECK"'),
    closing: CLOSE_TICKET,
    closeDown: 'node "$DRIVERS/paperclip.ts" close',
  },
  {
    name: 'mayday',
    title: 'Mayday',
    package: null,
    claims: 'notices a stuck run, names the blocker, resumes from the checkpoint, proves the result',
    commandLine: forBoth(
      (agent) => `mayday run --agent ${agent} --check "$CHECK" --max-wait "$MAX_WAIT" --json "$TASK"`,
    ),
    isMayday: true,
  },
];

/** Looked at, and not in the table: why. */
export const NOT_RUN: readonly { readonly name: string; readonly version: string; readonly why: string }[] = [
  {
    name: '@ralph-orchestrator/ralph-cli',
    version: '2.10.1',
    why: 'its package fetches the program from GitHub Releases when it is installed, which the measuring machine cannot reach',
  },
  { name: 'ccmanager', version: '4.2.3', why: 'works only in a terminal with a person at it' },
  { name: 'claude-code-runner', version: '0.3.3', why: 'needs Docker or Podman' },
  { name: 'claude-auto-retry', version: '-', why: 'the npm registry answered 404 on 2026-11-16' },
  { name: 'claude-auto-continue', version: '-', why: 'the npm registry answered 404 on 2026-11-16' },
  {
    name: 'smithers-orchestrator',
    version: '0.32.0',
    why: 'could not be installed on 2026-11-17: "No matching version found for @tanstack/electric-db-collection@0.3.11", which it pins; with another version of that, the same for @vectorize-io/hindsight-client@0.8.4',
  },
  {
    name: '@gastown/gt',
    version: '0.12.0',
    why: 'its package fetches the program from GitHub Releases, which the measuring machine cannot reach: "getaddrinfo ENOTFOUND github.com"',
  },
  {
    name: 'vibe-kanban',
    version: '0.1.44',
    why: 'fetches its program when it starts, from a host that the measuring machine cannot reach: "getaddrinfo ENOTFOUND npm-cdn.vibekanban.com"',
  },
];
