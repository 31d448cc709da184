/** `mayday hosts`: lists the hosts that share the store, and says what one of them should do: work, drain, maintenance. */
import { counted } from '../../core/text/counted.ts';
import { usageError } from '../../platform/mayday-error.ts';
import type { Host, HostMode, HostsRecord } from '../../record/contract/hosts.ts';
import type { Invocation } from '../command.ts';
import { print } from '../print.ts';
import { hostJson } from '../../report/host-json.ts';
import { fleetOf, setHostMode } from '../../use-cases/steer/set-host-mode.ts';
import { columns } from '../../core/text/columns.ts';
import { plain } from '../render/plain.ts';
import { withRecord } from '../with-record.ts';

const MODES: Readonly<Record<string, HostMode>> = {
  work: 'working',
  drain: 'draining',
  maintenance: 'maintenance',
};

export function run(invocation: Invocation): Promise<number> {
  const [verb, name] = invocation.args;
  const mode = verb === undefined ? null : MODES[verb];
  if (mode === undefined || (mode !== null) !== (name !== undefined))
    throw usageError(
      'WRONG_ARGUMENTS',
      'mayday hosts takes nothing, or work, drain or maintenance and a host',
      [['do', 'mayday hosts lists them']],
    );
  return withRecord(invocation, async (caller) => {
    const hosts = fleetOf(caller.record);
    if (mode !== null && name !== undefined) await setHostMode(caller, { host: name, mode });
    return await list(invocation, hosts);
  });
}

const SHOWN_ID = 8;

async function list(invocation: Invocation, hosts: HostsRecord): Promise<number> {
  const all = await hosts.hosts();
  const none = 'no host has worked for this store yet; mayday work makes one of this\n';
  const text = all.length === 0 ? none : columns(all.map((host) => line(host, hosts.id)));
  const documents = all.map((host) => hostJson(host, hosts.id));
  return print(invocation, documents, text);
}

function line(host: Host, own: string): string[] {
  const { id, name, mode, lost, runs, concurrency, labels, agents } = host;
  return [
    id.slice(0, SHOWN_ID),
    plain(name),
    lost ? 'lost' : mode,
    `${counted(runs, 'run')} of ${concurrency}`,
    labels.join(','),
    agents.join(','),
    id === own ? 'this host' : '',
  ];
}
