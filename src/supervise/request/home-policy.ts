/** The limits of the person: what belongs to no repository (the bus, the house itself) goes by them. */
import { DEFAULT_POLICY, type Policy, withPolicy } from '../../core/vocabulary/policy.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { loadConfig, policyOf } from './config.ts';

export function homePolicy(home: string): Policy {
  return withPolicy(DEFAULT_POLICY, policyOf(loadConfig(home)));
}

/** A broken configuration is told to whoever starts something; it must not stop what runs. */
export function homePolicyOrDefault(home: string): Policy {
  try {
    return homePolicy(home);
  } catch (error) {
    if (error instanceof MaydayError) return DEFAULT_POLICY;
    throw error;
  }
}
