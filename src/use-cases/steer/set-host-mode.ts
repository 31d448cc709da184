/** `setHostMode`: tells a host of the fleet to work, to take no more runs, or to give its runs to the others. */
import { usageError } from '../../platform/mayday-error.ts';
import type { RunRecord } from '../../record/contract.ts';
import type { Host, HostMode, HostsRecord } from '../../record/contract/hosts.ts';
import { assertPerson } from '../../supervise/mail/assert-person.ts';
import type { Caller } from '../caller.ts';

/** Throws NO_FLEET and UNKNOWN_HOST. `host`: its id, the beginning of it, or its name where only one host has it. */
export async function setHostMode(
  caller: Caller,
  { host, mode }: { readonly host: string; readonly mode: HostMode },
): Promise<{ readonly type: HostMode; readonly host: Host }> {
  await assertPerson(caller, 'a word to a host');
  const hosts = fleetOf(caller.record);
  const found = await findHost(hosts, host);
  await hosts.setMode(found.id, mode);
  return { type: mode, host: { ...found, mode } };
}

export function fleetOf({ hosts }: RunRecord): HostsRecord {
  if (hosts !== null) return hosts;
  throw usageError('NO_FLEET', 'the record is on this machine alone: there are no hosts', [
    ['do', 'set MAYDAY_STORE=postgres://USER:PASSWORD@HOST/DATABASE on every host'],
  ]);
}

async function findHost(hosts: HostsRecord, text: string): Promise<Host> {
  const all = await hosts.hosts();
  const found = all.filter(({ id, name }) => name === text || (text !== '' && id.startsWith(text)));
  const [host] = found;
  if (host !== undefined && found.length === 1) return host;
  const what = host === undefined ? 'no host is called' : `${found.length} hosts are called`;
  throw usageError('UNKNOWN_HOST', `${what} ${JSON.stringify(text.slice(0, 80))}`, [
    ['do', 'mayday hosts shows the id of each; its beginning is enough'],
  ]);
}
