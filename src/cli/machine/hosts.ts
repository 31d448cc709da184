/** `mayday hosts`: lists the hosts that share the store, and says what one of them should do: work, drain, maintenance. */
import { counted } from '../../core/text/counted.ts';
import { usageError } from '../../platform/mayday-error.ts';
import type { Host, HostMode, HostsRecord } from '../../record/contract/hosts.ts';
import type { Invocation } from '../command.ts';
import { print } from '../print.ts';
import { columns } from '../render/columns.ts';
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
    const { hosts } = caller.record;
    if (hosts === null)
      throw usageError('NO_FLEET', 'the record is on this machine alone: there are no hosts', [
        ['do', 'set MAYDAY_STORE=postgres://USER:PASSWORD@HOST/DATABASE on every host'],
      ]);
    if (mode !== null && name !== undefined) await hosts.setMode((await findHost(hosts, name)).id, mode);
    return await list(invocation, hosts);
  });
}

/** By its id, the beginning of it, or its name where only one host has it. */
async function findHost(hosts: HostsRecord, text: string): Promise<Host> {
  const found = (await hosts.hosts()).filter(({ id, name }) => name === text || id.startsWith(text));
  const [host] = found;
  if (host !== undefined && found.length === 1) return host;
  const what = host === undefined ? 'no host is called' : `${found.length} hosts are called`;
  throw usageError('UNKNOWN_HOST', `${what} ${JSON.stringify(text.slice(0, 80))}`, [
    ['do', 'mayday hosts shows the id of each; its beginning is enough'],
  ]);
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

function hostJson({ seenAt, leaseMs, ...host }: Host, own: string) {
  return { ...host, seen_at: seenAt, lease_ms: leaseMs, is_this: host.id === own };
}
