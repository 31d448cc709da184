/** `mayday replay`: what other thresholds would have said about runs that are over. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { detectPolicyOf } from '../core/detect/detect-policy.ts';
import { whatIf } from '../core/detect/what-if.ts';
import { DEFAULT_POLICY, type Policy, withPolicy } from '../core/policy.ts';
import { usageError } from '../platform/mayday-error.ts';
import { changedKeys, whatIfJson, whatIfText } from '../report/replay/what-if-text.ts';
import { loadConfig, parseConfig, policyOf } from '../supervise/config.ts';
import type { Invocation } from './command.ts';
import { pastRuns } from './past-runs.ts';
import { withRecord } from './with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async (opened) => {
    const { args, cwd, json, stdout, options } = invocation;
    const file = options['policy'];
    if (typeof file !== 'string') {
      throw usageError('POLICY_MISSING', 'replay needs --policy FILE', [
        ['do', 'write the limits to try as YAML, for example: loop_stop: 4'],
      ]);
    }
    const now = withPolicy(DEFAULT_POLICY, policyOf(loadConfig(cwd)));
    const proposed = withPolicy(now, policyFile(resolve(cwd, file)));
    const runs = await pastRuns(opened, args, cwd);
    const compared = {
      changed: changedKeys(now, proposed),
      now: whatIf(runs, detectPolicyOf(now)),
      proposed: whatIf(runs, detectPolicyOf(proposed)),
    };
    stdout.write(json ? `${JSON.stringify(whatIfJson(compared))}\n` : whatIfText(compared));
    return 0;
  });
}

/** The keys alone, or a configuration that has them under `policy:`. */
function policyFile(path: string): Partial<Policy> {
  const text = readFileSync(path, 'utf8');
  const config = /^policy:/m.test(text) ? text : `policy:\n${text.replace(/^/gm, '  ')}`;
  return policyOf(parseConfig(config, path));
}
