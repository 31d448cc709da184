/** `mayday sweep`: reclaim what ended runs left behind; what belongs to nobody is named and never deleted. */
import { assertPerson } from '../supervise/assert-person.ts';
import { homePolicy } from '../supervise/home-policy.ts';
import { sweepHome } from '../supervise/sweep-home.ts';
import type { Invocation } from './command.ts';
import { withRecord } from './with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async ({ home, record }) => {
    await assertPerson({ home, record }, '`mayday sweep`');
    const report = await sweepHome(home, record, homePolicy(home));
    const { stdout, json } = invocation;
    if (json) {
      stdout.write(`${JSON.stringify(report)}\n`);
      return 0;
    }
    const lines = [
      ...report.quarantined.map((path) => `quarantined  ${path}`),
      ...report.removed.map((path) => `removed      ${path}`),
      ...report.erased.map((runId) => `erased       raw output of run ${runId}; its transcript stays`),
      ...report.kept.map(({ path, why }) => `kept         ${path}: ${why}`),
      ...report.orphans.map(({ path, why }) => `orphan       ${path}: ${why} (not touched)`),
    ];
    stdout.write(lines.length === 0 ? 'nothing to sweep\n' : `${lines.join('\n')}\n`);
    return 0;
  });
}
