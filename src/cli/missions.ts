/** `mayday missions`: rescue missions with their records, those that owe enrichment first. */
import type { MissionJson } from '../core/view/mission-json.ts';
import type { Invocation } from './command.ts';
import { columns } from './render/columns.ts';
import { oneLine } from './render/plain.ts';
import { withRecord } from './with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async ({ record }) => {
    const { stdout, json } = invocation;
    const missions = (await record.rows())
      .flatMap(({ view }) => (JSON.parse(view) as { missions?: readonly MissionJson[] }).missions ?? [])
      .toSorted((a, b) => owed(b) - owed(a) || (b.detected_at ?? '').localeCompare(a.detected_at ?? ''));
    if (json) stdout.write(`${JSON.stringify(missions)}\n`);
    else if (missions.length === 0) stdout.write('no rescue missions yet: mayday rescue RUN\n');
    else stdout.write(columns(missions.map(cells)));
    return 0;
  });
}

function owed({ enrichment, outcome }: MissionJson): number {
  return outcome !== null && enrichment.state === 'owed' ? 1 : 0;
}

function cells(mission: MissionJson): readonly string[] {
  const { id, outcome, diagnosis, mttu_minutes, enrichment, injection } = mission;
  return [
    id,
    outcome ?? 'under way',
    diagnosis.category ?? '-',
    mttu_minutes === null ? '-' : `${mttu_minutes} min`,
    `enrichment ${enrichment.state}`,
    oneLine(diagnosis.root_cause ?? injection.description, 50),
  ];
}
