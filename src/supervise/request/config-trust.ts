/** `loadRunConfig`: loads the configuration of a run. Commands in it need a person's trust once: a clone must not run programs. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentedVariables } from '../../agents/credentials.ts';
import { writeFileDurably } from '../../platform/file/durable-write.ts';
import { DETECT_KEYS } from '../../core/vocabulary/agent-limits.ts';
import type { PolicyKey } from '../../core/vocabulary/policy.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { canonicalJson } from '../../record/canonical-json.ts';
import { CONFIG_FILE, loadConfig } from './config.ts';
import type { Config } from './read-config.ts';
import { parseDuration } from './duration.ts';

interface TrustOptions {
  readonly home: string;
  /** The configuration in the home, if it is read already. */
  readonly own?: Config;
  readonly repository: string;
  /** The person trusts the configuration with this call. */
  readonly trust: boolean;
}

export async function loadRunConfig(options: TrustOptions): Promise<Config> {
  const { home, repository, own = await loadConfig(home) } = options;
  const shared = await loadConfig(repository);
  if (powersOf(shared).length > 0 && !readTrust(home).includes(hashOf(shared))) {
    if (!options.trust) {
      throw new MaydayError(
        'CONFIG_NOT_TRUSTED',
        `${join(repository, CONFIG_FILE)} wants to run or see what was never trusted on this machine`,
        [
          ['happened', `it wants: ${powersOf(shared).join(' · ').slice(0, 400)}`],
          ['did', 'the run was not started and nothing was changed'],
          ['do', 'read what it wants, then give --trust once (or mayday init --yes)'],
        ],
      );
    }
    await trustConfig(home, shared);
  }
  return {
    ...own,
    ...shared,
    policy: { ...own.policy, ...shared.policy },
    ...lowerBudget(own.budget, shared.budget),
    ...(own.agent_policy === undefined && shared.agent_policy === undefined
      ? {}
      : { agent_policy: { ...own.agent_policy, ...shared.agent_policy } }),
  };
}

/** A repository may set its own limits, never raise those of the person. */
function lowerBudget(own: Config['budget'], shared: Config['budget']): Pick<Config, 'budget'> {
  if (own === undefined || shared === undefined) return {};
  const lower = (key: 'usd' | 'tokens' | 'turns') => {
    const amount = Math.min(own[key] ?? Infinity, shared[key] ?? Infinity);
    return amount === Infinity ? {} : { [key]: amount };
  };
  const times = [own.time, shared.time].filter((time) => time !== undefined);
  const [time] = times.toSorted(
    (one, other) => parseDuration(one, 'budget.time') - parseDuration(other, 'budget.time'),
  );
  return {
    budget: {
      ...lower('usd'),
      ...lower('tokens'),
      ...lower('turns'),
      ...(time === undefined ? {} : { time }),
    },
  };
}

export async function trustConfig(home: string, config: Config): Promise<void> {
  await addTrust(home, hashOf(config));
}

/** True: a person allowed the set-up that the files of this repository suggest. Bound to the repository: `npm ci` alone says little. */
export async function trustsSetup(
  { home, repository, trust }: TrustOptions,
  setup: string | null,
): Promise<boolean> {
  const hash = sha256({ repository, suggested_setup: setup });
  if (trust && setup !== null) await addTrust(home, hash);
  return readTrust(home).includes(hash);
}

async function addTrust(home: string, hash: string): Promise<void> {
  const trusted = readTrust(home);
  if (!trusted.includes(hash))
    await writeFileDurably(trustPath(home), `${JSON.stringify([...trusted, hash])}\n`);
}

/**
 * Keys that need no trust, because they can only narrow the work or slow it down. Every other key, also one that is added to the
 * configuration later, needs a person's trust.
 */
const HARMLESS: ReadonlySet<string> = new Set<keyof Config>([
  'scope',
  'protect',
  'budget',
  'agent_policy',
  'classes',
]);
/** Limits whose worst value costs time. A limit that widens a gate, skips a question or deletes sooner is not among them. */
// biome-ignore format: words stand together
const HARMLESS_POLICY: ReadonlySet<string> = new Set<PolicyKey>([
  ...DETECT_KEYS, 'restarts', 'restart_window_ms', 'restarts_total', 'backoff_ms', 'backoff_max_ms',
  'backoff_reset_ms', 'timeout_ms', 'check_timeout_ms', 'setup_timeout_ms', 'stop_soft_ms', 'stop_term_ms',
  'reset_skew_ms', 'wait_horizon_ms', 'delivery_retries',
]);

/** The part of a configuration that needs trust. */
function powersIn({ policy = {}, ...config }: Config): Partial<Config> {
  const limits = Object.entries(policy).filter(([key]) => !HARMLESS_POLICY.has(key));
  return {
    ...Object.fromEntries(Object.entries(config).filter(([key]) => !HARMLESS.has(key))),
    ...(limits.length === 0 ? {} : { policy: Object.fromEntries(limits) }),
  };
}

function powersOf(config: Config): string[] {
  const {
    checks = [],
    setup,
    agents = {},
    permissions = [],
    environment = [],
    opinion,
    ...more
  } = powersIn(config);
  return [
    ...checks,
    ...(setup === undefined ? [] : [setup]),
    ...Object.values(agents).map(({ command }) => command.join(' ')),
    ...Object.entries(agents).flatMap(([name, { command, env = [] }]) =>
      [...env, ...documentedVariables(command)].map((variable) => `variable ${variable} for ${name}`),
    ),
    ...permissions.map((rule) => `permission ${rule}`),
    ...environment.map((name) => `variable ${name}`),
    ...(opinion === undefined ? [] : [opinionPower(opinion)]),
    ...Object.entries(more).map(
      ([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ),
  ];
}

function opinionPower(opinion: NonNullable<Config['opinion']>): string {
  if (typeof opinion === 'string') return `opinion ${opinion}`;
  if ('url' in opinion) return `opinion at ${opinion.url} with the key in ${opinion.key_variable}`;
  if ('agent' in opinion) return `opinion ${(opinion.command ?? [opinion.agent]).join(' ')}`;
  return `opinion ${opinion.command}`;
}

/** Harmless keys are left out: changing a budget needs no new trust. */
function hashOf(config: Config): string {
  const logins = Object.values(config.agents ?? {}).flatMap(({ command }) => documentedVariables(command));
  const seen = logins.length > 0 ? { logins } : {};
  return sha256({ ...powersIn(config), ...seen });
}

function sha256(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

function trustPath(home: string): string {
  return join(home, 'trusted-configurations.json');
}

function readTrust(home: string): string[] {
  try {
    return JSON.parse(readFileSync(trustPath(home), 'utf8')) as string[];
  } catch {
    return [];
  }
}
