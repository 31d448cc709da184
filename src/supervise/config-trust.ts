/** The configuration a run uses, and the trust that its commands need once: a repository must not run programs by being cloned. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentedVariables } from '../agents/credentials.ts';
import { writeFileDurably } from '../platform/durable-write.ts';
import { MaydayError } from '../platform/mayday-error.ts';
import { canonicalJson } from '../record/canonical-json.ts';
import { CONFIG_FILE, type Config, loadConfig } from './config.ts';

interface TrustOptions {
  readonly home: string;
  readonly repository: string;
  /** The person says so now. */
  readonly trust: boolean;
}

export async function loadRunConfig(options: TrustOptions): Promise<Config> {
  const { home, repository } = options;
  const own = loadConfig(home);
  const shared = loadConfig(repository);
  if (powersOf(shared).length > 0 && !isTrusted(home, shared)) {
    if (!options.trust) {
      throw new MaydayError(
        'CONFIG_NOT_TRUSTED',
        `${join(repository, CONFIG_FILE)} wants to run or see what nobody has trusted on this machine`,
        [
          ['it wants', powersOf(shared).join(' · ').slice(0, 400)],
          ['do', 'read them, then give --trust once (or mayday init --yes)'],
          ['the run', 'was not started and nothing was changed'],
        ],
      );
    }
    await trustConfig(home, shared);
  }
  return {
    ...own,
    ...shared,
    policy: { ...own.policy, ...shared.policy },
    ...(own.agent_policy === undefined && shared.agent_policy === undefined
      ? {}
      : { agent_policy: { ...own.agent_policy, ...shared.agent_policy } }),
  };
}

export async function trustConfig(home: string, config: Config): Promise<void> {
  const trusted = readTrust(home);
  const hash = hashOf(config);
  if (!trusted.includes(hash))
    await writeFileDurably(trustPath(home), `${JSON.stringify([...trusted, hash])}\n`);
}

/** What a repository may not take by being cloned: programs to run, permissions for agents, variables they see, a model that is shown its files with the person's key. */
function powersOf(config: Config): string[] {
  const { checks = [], setup, agents = {}, permissions = [], environment = [], recovery } = config;
  return [
    ...checks,
    ...(setup === undefined ? [] : [setup]),
    ...Object.values(agents).map(({ command }) => command.join(' ')),
    ...Object.entries(agents).flatMap(([name, { command, env = [] }]) =>
      [...env, ...documentedVariables(command)].map((variable) => `variable ${variable} for ${name}`),
    ),
    ...permissions.map((rule) => `permission ${rule}`),
    ...environment.map((name) => `variable ${name}`),
    ...(recovery === undefined ? [] : [recoveryPower(recovery)]),
  ];
}

function recoveryPower(recovery: NonNullable<Config['recovery']>): string {
  return recovery.provider === 'claude'
    ? `recovery agent ${(recovery.command ?? ['claude']).join(' ')}`
    : `recovery agent at ${recovery.url} with the key in ${recovery.key_variable}`;
}

function isTrusted(home: string, config: Config): boolean {
  return readTrust(home).includes(hashOf(config));
}

/** Only what can run is hashed: changing a budget needs no new trust. */
function hashOf({ checks, setup, agents, permissions, environment, recovery }: Config): string {
  const logins = Object.values(agents ?? {}).flatMap(({ command }) => documentedVariables(command));
  const seen = logins.length > 0 ? { logins } : {};
  return createHash('sha256')
    .update(canonicalJson({ checks, setup, agents, permissions, environment, recovery, ...seen }))
    .digest('hex');
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
