/** `homePolicy`: returns the limits of the person. They count for what belongs to no repository: the bus and Mayday's home. */
import { DEFAULT_POLICY, type Policy, withPolicy } from '../../core/vocabulary/policy.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { loadConfig, policyOf } from './config.ts';

export function homePolicy(home: string): Policy {
  return withPolicy(DEFAULT_POLICY, policyOf(loadConfig(home)));
}

/** Returns the defaults if the configuration is broken: commands that start a run report that, and runs that live must go on. */
export function homePolicyOrDefault(home: string): Policy {
  try {
    return homePolicy(home);
  } catch (error) {
    if (error instanceof MaydayError) return DEFAULT_POLICY;
    throw error;
  }
}
