/** `POLICY_RULES`: every limit of Mayday, each with its reason; `mayday doctor --policy` prints this table. */

interface PolicyRule {
  readonly value: number;
  readonly why: string;
  /** Detection uses it, so it may differ by agent and model. */
  readonly detects?: true;
  /** The value is a choice: a person writes one of these words, and the value is its place. */
  readonly choices?: readonly string[];
}

/** What happens when the work changed what judges it. `by_reason`: see `changed_judges`. */
export const JUDGE_POLICIES = ['by_reason', 'tell', 'ask', 'refuse'] as const;
/** What happens with files that the task does not explain. `by_number`: see `unrelated`. */
export const UNRELATED_POLICIES = ['by_number', 'tell', 'ask'] as const;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

// biome-ignore format: the short columns of a row stand together
export const POLICY_RULES = {
  restarts: { value: 3, why: 'more than three restarts in the window: hope is spent, a person decides (OTP restart intensity)' },
  restart_window_ms: { value: 10 * MINUTE, why: 'the burst; one bad night is bounded by restarts_total' },
  restarts_total: { value: 12, why: 'the sustained budget: slow crash loops end too' },
  refusal_fallback: {
    value: 0,
    why: "1: a model's refusal may go to the next fallback, in the task's own words; by default a person decides",
  },
  backoff_ms: { value: 10 * SECOND, why: 'first pause before a restart (Kubernetes)' },
  backoff_max_ms: { value: 5 * MINUTE, why: 'longest pause before a restart (Kubernetes)' },
  backoff_reset_ms: { value: 10 * MINUTE, why: 'that long healthy: the back-off starts over (Kubernetes)' },
  silence_ms: { value: 90 * SECOND, detects: true, why: 'a model turn without a byte; p99 of real turns is 41 s' },
  command_silence_ms: { value: 5 * MINUTE, why: 'a program that speaks no protocol may be honestly silent for longer' },
  tool_silence_ms: {
    value: 30 * MINUTE, detects: true,
    why: 'a tool in flight delays the verdict, never mutes it; p99 of tool results is 278 s, p99.9 58 min',
  },
  busy_factor: { value: 3, detects: true, why: 'silent but burning CPU gets that many times the silence limit' },
  wordless_ms: {
    value: 1 * HOUR, detects: true,
    why: 'bytes on its sockets, but not a word: the longest answer, 128,000 tokens at 40 a second, takes 54 min',
  },
  frozen_ms: { value: 5 * SECOND, why: 'a stopped process is frozen after that; a short stop is somebody’s own doing' },
  loop_warn: { value: 3, detects: true, why: 'the third equal call with equal result and no progress warns' },
  loop_stop: { value: 5, detects: true, why: 'the fifth stops: honest repetition rarely gets there without progress' },
  stale_allowance: { value: 0.5, detects: true, why: 'how stale turns of healthy work are on average; only the excess counts' },
  stale_warn: { value: 1, detects: true, why: 'an excess of two equal repetitions: loop_warn for what is not exactly equal' },
  stale_stop: {
    value: 1.75, detects: true,
    why:
      'an excess of almost four: loop_stop for what is not exactly equal; ' +
      'the middle between 1.5 (most of any healthy run) and 2 (least of any stuck run that is caught)',
  },
  flat_warn: { value: 5, detects: true, why: 'one check failed that often with edits in between and nothing moved' },
  flat_stop: { value: 7, detects: true, why: 'ordinary work ends at six or seven failures of one check without a move' },
  refusals_warn: { value: 3, why: 'refused twice with the same words is a reminder, three times a pattern' },
  refusals_stop: { value: 4, why: 'half of what such a run costs comes after the third refusal' },
  nudge_wait_ms: {
    value: 2 * MINUTE,
    why:
      'an agent that loops is told so once, where its CLI can be told, and has that long to take the message ' +
      'with its next tool call; a slow model turn and a short tool fit in; 0: it is stopped at once',
  },
  cycle_turns: { value: 3, detects: true, why: 'three times round the same calls with the same results' },
  undo_warn: { value: 2, detects: true, why: 'an edit taken back once is thinking, twice a habit' },
  undo_stop: { value: 4, detects: true, why: 'four edits taken back: nothing decides between the versions' },
  compactions_warn: { value: 3, detects: true, why: 'compacted that often without a change in between' },
  compactions_stop: { value: 5, detects: true, why: 'the task does not fit into the context' },
  monologue_warn: { value: 12, detects: true, why: 'messages in a row without an action; chats do that, so it only warns' },
  subagent_silence_ms: { value: 5 * MINUTE, detects: true, why: 'subagents read and think longer than a model turn takes' },
  poll_warn_ms: { value: 30 * MINUTE, detects: true, why: 'polling is judged by time: the same answer for that long is odd' },
  poll_stop_ms: { value: 2 * HOUR, detects: true, why: 'no build takes that long without another word' },
  repeat_warn_ms: {
    value: 2 * MINUTE, detects: true,
    why: 'a plain command prints the same failure over and over and changes nothing; a service that starts does that for a minute',
  },
  repeat_stop_ms: {
    value: 10 * MINUTE, detects: true,
    why: 'twenty times or more for that long: it will not go away by itself; what says that it waits has poll_stop_ms instead',
  },
  input_silence_ms: { value: 10 * SECOND, detects: true, why: 'a prompt nobody answers need not be watched for long' },
  pace_horizon_ms: { value: 10 * MINUTE, detects: true, why: 'warn while there is still time to act' },
  tokens_per_minute: { value: 0, detects: true, why: 'runaway spending; 0: nobody has set a norm' },
  retries_stop: { value: 3, detects: true, why: 'three attempts without improvement alert people: the blocker flag stops it' },
  timeout_ms: { value: 4 * HOUR, why: 'time limit of one attempt, unless --timeout says otherwise; --budget-time limits all together' },
  overdue_factor: { value: 2, detects: true, why: 'twice the expected duration warns' },
  budget_warn_share: { value: 0.8, detects: true, why: 'from this share of a budget on it warns; a failing gate makes it critical' },
  stop_soft_ms: { value: 15 * SECOND, why: 'time to end by itself after the soft signal' },
  stop_term_ms: { value: 10 * SECOND, why: 'time to end after TERM' },
  stop_kill_every_ms: { value: 5 * SECOND, why: 'KILL is repeated; the kernel may be busy' },
  stop_give_up_ms: { value: 30 * SECOND, why: 'after that an unkillable process becomes a question' },
  reset_skew_ms: {
    value: 5 * MINUTE,
    why: 'an announced reset is late or early by minutes; told to the second it waits 5 s at most, to the minute (9:08) 1 min',
  },
  wait_horizon_ms: { value: 12 * HOUR, why: 'network and overload are ridden out that long, then a person decides' },
  limit_horizon_ms: { value: 8 * 24 * HOUR, why: 'weekly limits exist; a reset further away is asked about' },
  unknown_reset_ms: { value: 15 * MINUTE, why: 'a limit that tells no reset time is probed that often' },
  question_deadline_ms: { value: 0, why: '0: questions wait for days; a deadline is opt-in' },
  check_reruns: {
    value: 0,
    why: 'a failing check is run that often again, every result kept: it tells flaky from broken, never best-of-n',
  },
  delivery_retries: { value: 2, why: 'a sink that failed for a moment is tried again that often before a person is asked' },
  explore_confirm: { value: 1, why: 'a person confirms what --explore proposes; 0: confirmed by this policy' },
  hide_home: {
    value: 1,
    why:
      "agents and checks do not see Mayday's own folder where the machine can hide it; " +
      '0: they do, and may use sudo and other setuid programs',
  },
  told_apart: {
    value: 0,
    why:
      "1: an approval is refused where an agent of the run could have read the person's key; " +
      '0: it counts, and is recorded as not told apart',
  },
  check_network: {
    value: 1,
    why: 'many checks talk to a service; 0: only their own loopback, and where the machine cannot do that they do not run',
  },
  changed_judges: {
    value: 0, choices: JUDGE_POLICIES,
    why:
      'work that changed what judges it: always told; asked about (ask), or sent back (refuse); by_reason: asked where the check passes ' +
      'only with the change, where a judge is no longer read, where you protect it, and where an opinion quotes what was weakened',
  },
  unrelated: {
    value: 0, choices: UNRELATED_POLICIES,
    why:
      'changed files that the task does not explain, in the opinion of a model: always told; asked about (ask); by_number: asked ' +
      'about from five on, because an agent that forgot its task writes many',
  },
  opinion_questions: { value: 4, why: 'a run asks a model that often at most; 0: never' },
  opinion_ms: { value: MINUTE, why: 'a run waits that long for an opinion, then goes on without' },
  opinion_cost_usd: { value: 0.1, why: 'what the opinions of a run may cost in all, beside the budget of the agent' },
  check_timeout_ms: { value: 15 * MINUTE, why: 'a check that hangs must not hang the gate' },
  setup_timeout_ms: { value: 15 * MINUTE, why: 'npm ci on a slow network' },
  snapshot_every_ms: { value: 15 * SECOND, why: 'how often the tree is looked at for progress; stretched when it is costly' },
  final_grace_ms: { value: 30 * SECOND, why: 'after the final result the agent may tidy up, then its tree goes' },
  futile_rescues: { value: 3, why: 'that many rescues without a useful artefact open the futility breaker' },
  wake_stagger_ms: {
    value: 60 * SECOND,
    why: 'runs that were held together wake spread over that time, or they meet the limit together again',
  },
  probe_ms: { value: 20 * SECOND, why: 'the first run after a hold is well when it lived that long, or did something useful before' },
  shared_cause_runs: { value: 3, why: 'that many runs failing alike have one cause; restarts only repeat it' },
  shared_cause_window_ms: { value: 15 * MINUTE, why: 'alike and close in time, or it is a coincidence' },
  fleet_restarts: { value: 60, why: 'restarts of all runs together in the window; budgets per run multiply, a storm of rescues must not' },
  fleet_window_ms: { value: 10 * MINUTE, why: 'the window of fleet_restarts' },
  disk_free_bytes: { value: 200 * 1024 * 1024, why: 'below this no agent is started: it would tear its own work' },
  rescue_at_deadline: { value: 0, why: '1: an unanswered question becomes a rescue mission at its deadline instead of the end' },
  mission_deadline_ms: { value: 7 * 24 * HOUR, why: 'a mission without enrichment by then is shown as overdue' },
  bus_task_limit_ms: { value: 5 * MINUTE, why: 'a task of an external agent that is RUNNING for longer is unresponsive' },
  bus_stop_grace_ms: { value: 15 * SECOND, why: 'time to end by itself after STOP_AGENT' },
  lease_ms: { value: 15 * SECOND, why: 'how long a silent supervisor keeps its run (Kubernetes lease)' },
  lease_renew_ms: { value: 5 * SECOND, why: 'three renewals per lease' },
  lease_stop_ms: { value: 10 * SECOND, why: 'without renewal for that long we stop acting before the lease is gone' },
  quarantine_ms: { value: 7 * 24 * HOUR, why: 'an ended workspace can be brought back for a week' },
  raw_output_ms: {
    value: 7 * 24 * HOUR,
    why: "unredacted output and the keeper's log of an ended run, then erased; its redacted transcript stays",
  },
  sweep_every_ms: { value: 24 * HOUR, why: 'what is due to go goes without being asked, once a day' },
} as const satisfies Readonly<Record<string, PolicyRule>>;

export type PolicyKey = keyof typeof POLICY_RULES;
export type Policy = Readonly<Record<PolicyKey, number>>;

export const DEFAULT_POLICY: Policy = Object.fromEntries(
  Object.entries(POLICY_RULES).map(([key, { value }]) => [key, value]),
) as Policy;

export function isPolicyKey(key: string): key is PolicyKey {
  return Object.hasOwn(POLICY_RULES, key);
}

/** Values as a person writes them: a choice is a word. Null: the value is none of its choices. */
export function policyNumber(key: string, value: number | string): number | null {
  const choices = isPolicyKey(key) ? policyChoices(key) : [];
  const place = typeof value === 'string' ? choices.indexOf(value) : value;
  return place < 0 || (choices.length > 0 && typeof value === 'number') ? null : place;
}

export function policyChoices(key: PolicyKey): readonly string[] {
  return (POLICY_RULES[key] as PolicyRule).choices ?? [];
}

export function policyText(key: PolicyKey, value: number): string {
  return policyChoices(key)[value] ?? String(value);
}

/** The code that reads the overrides also checks them; here they only replace the base values. */
export function withPolicy(base: Policy, overrides: Partial<Policy>): Policy {
  const policy = { ...base, ...overrides };
  // A person who changes the silence limit means every agent, also one that speaks no protocol.
  if (overrides.silence_ms !== undefined && overrides.command_silence_ms === undefined) {
    policy.command_silence_ms = overrides.silence_ms;
  }
  return policy;
}
