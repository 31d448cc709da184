/**
 * `loadConfig`, `configOrNothing`: the settings in the `mayday.yaml` of a repository or of the person; where there is none, nothing is
 * loaded to read it. `policyOf`, `wholePolicy`, `agentPolicyOf`: the limits in them.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentPolicies } from '../../core/vocabulary/agent-limits.ts';
import { DEFAULT_POLICY, type Policy, policyNumber, withPolicy } from '../../core/vocabulary/policy.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import type { Config } from './read-config.ts';

export const CONFIG_FILE = 'mayday.yaml';

export async function loadConfig(directory: string): Promise<Config> {
  const path = join(directory, CONFIG_FILE);
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return {};
  const { readConfig } = await import('./read-config.ts');
  return await readConfig(path);
}

/** A broken configuration is told by the commands that start runs; runs that live must go on. */
export async function configOrNothing(home: string): Promise<Config> {
  try {
    return await loadConfig(home);
  } catch (error) {
    if (error instanceof MaydayError) return {};
    throw error;
  }
}

export function policyOf(config: Config): Partial<Policy> {
  const given = Object.entries(config.policy ?? {});
  return Object.fromEntries(given.map(([key, value]) => [key, policyNumber(key, value)])) as Partial<Policy>;
}

/** All limits in force: where the configuration says nothing, the defaults. */
export function wholePolicy(config: Config): Policy {
  return withPolicy(DEFAULT_POLICY, policyOf(config));
}

export function agentPolicyOf(config: Config): AgentPolicies {
  return (config.agent_policy ?? {}) as AgentPolicies;
}

export interface Thresholds {
  readonly policy: Policy;
  readonly agentPolicy: AgentPolicies;
}

/** The limits of the person and of the folder, for commands that only look. Limits are data and need no trust. */
export async function thresholdsAt(home: string, directory: string): Promise<Thresholds> {
  const [own, shared] = [await loadConfig(home), await loadConfig(directory)];
  return {
    policy: withPolicy(DEFAULT_POLICY, { ...policyOf(own), ...policyOf(shared) }),
    agentPolicy: { ...agentPolicyOf(own), ...agentPolicyOf(shared) },
  };
}
