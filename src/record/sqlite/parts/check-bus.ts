/** `checkBus`: reports gaps and damaged rows of the bus. */
import { checksum } from '../../checksum.ts';
import { busMessageOf } from '../../stored-rows.ts';
import { messageSum } from './bus.ts';
import type { Connection } from '../connection.ts';
import type { ReportProblem } from '../verify.ts';

type Row = Readonly<Record<string, string | number | null>>;

export function checkBus({ database }: Connection, report: ReportProblem): void {
  let last = 0;
  for (const row of database.prepare('SELECT * FROM bus ORDER BY id').iterate()) {
    const message = busMessageOf(row);
    if (message.id !== last + 1) report(null, `bus message ${last + 1} is missing`);
    if (messageSum(message) !== row['sum']) report(null, `bus message ${message.id} is damaged`);
    last = message.id;
  }
  for (const row of database.prepare('SELECT * FROM bus_tasks').iterate() as Iterable<Row>) {
    const { agent_id: agent = '', task_id: task = '', latest_id: latest = 0, running_since: since = 0 } = row;
    if (checksum(agent, task, latest, since, row['body'] ?? '') !== row['sum'])
      report(null, `what the bus says about task ${task} is damaged`);
    if (Number(latest) > last) report(null, `the bus once reached message ${latest}: its end was lost`);
  }
  for (const row of database.prepare('SELECT * FROM bus_agents').iterate() as Iterable<Row>)
    if (checksum(row['name'] ?? '', row['external'] ?? 0, row['body'] ?? '') !== row['sum'])
      report(null, `what the bus says about agent ${row['name']} is damaged`);
}
