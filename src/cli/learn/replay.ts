/** `mayday replay`: shows what another policy would have noticed and decided in ended runs. */
import { resolve } from 'node:path';
import { whatIf } from '../../core/detect/autopsy/what-if.ts';
import { withPolicy } from '../../core/vocabulary/policy.ts';
import { readNamed } from '../../platform/file/named-file.ts';
import { usageError } from '../../platform/mayday-error.ts';
import { readFalsePositives } from '../../report/false-positive.ts';
import { decisionsJson } from '../../report/replay/decisions-json.ts';
import { decisionsText } from '../../report/replay/decisions-text.ts';
import { type ProposedPolicy, replayHistory } from '../../report/replay/replay-history.ts';
import { changedKeys, type Compared, whatIfJson, whatIfText } from '../../report/replay/what-if-text.ts';
import { classPolicies } from '../../supervise/request/class-policies.ts';
import { loadConfig, policyOf, wholePolicy } from '../../supervise/request/config.ts';
import type { Invocation } from '../command.ts';
import { print } from '../print.ts';
import { pastRuns } from './past-runs.ts';
import { plain } from '../render/plain.ts';
import { withRecord } from '../with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async (opened) => {
    const { args, cwd, options } = invocation;
    const file = options['policy'];
    if (typeof file !== 'string') {
      throw usageError('POLICY_MISSING', 'replay needs --policy FILE', [
        ['do', 'write the limits to try as YAML, for example: loop_stop: 4'],
      ]);
    }
    const own = wholePolicy(await loadConfig(opened.home));
    const now = withPolicy(own, policyOf(await loadConfig(cwd)));
    const proposal = await proposalIn(resolve(cwd, file));
    const proposed = withPolicy(now, proposal.policy);
    const { runs, journals } = await pastRuns(opened, args, cwd);
    const compared: Compared = {
      classes: Object.keys(proposal.classes),
      changed: changedKeys(now, proposed),
      now: whatIf(runs, now),
      proposed: whatIf(runs, proposed),
    };
    const decided = replayHistory(journals, proposal, await readFalsePositives(opened.record));
    const keys = compared.changed.map(({ key }) => key);
    const text = plain(whatIfText(compared) + decisionsText(decided, keys));
    return print(invocation, { ...whatIfJson(compared), ...decisionsJson(decided) }, text);
  });
}

/** As of a configuration. */
const MAX_POLICY_BYTES = 1024 * 1024;

async function proposalIn(path: string): Promise<ProposedPolicy> {
  const text = readNamed(path, MAX_POLICY_BYTES, { wrong: 'NO_POLICY_FILE', large: 'NO_POLICY_FILE' });
  const whole = /^(?:policy|classes):/m.test(text);
  const { parseConfig } = await import('../../supervise/request/read-config.ts');
  const config = await parseConfig(whole ? text : `policy:\n${text.replace(/^/gm, '  ')}`, path);
  return { policy: policyOf(config), classes: classPolicies(config.classes ?? {}) };
}
