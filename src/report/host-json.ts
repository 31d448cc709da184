/** `hostJson`, `hostsDocument`: a host, and all hosts, as documents. Keys are promised: add, never rename. */
import { availableParallelism, freemem, hostname, loadavg, totalmem } from 'node:os';
import { statfsSync } from 'node:fs';
import type { RunRecord } from '../record/contract.ts';
import type { Host } from '../record/contract/hosts.ts';

/** More runs than a machine works on at once. */
const NAMED_RUNS = 50;

export function hostJson({ seenAt, leaseMs, runIds, ...host }: Host, own: string) {
  return { ...host, seen_at: seenAt, lease_ms: leaseMs, run_ids: runIds, is_this: host.id === own };
}

export type HostJson = ReturnType<typeof hostJson>;

/** `fleet` false: the record is on this machine alone, which then is the only host, without labels and without a mode of its own. */
export async function hostsDocument(home: string, record: RunRecord) {
  const at = Date.now();
  const machine = machineNow(home);
  if (record.hosts !== null) {
    const { id } = record.hosts;
    return {
      fleet: true,
      at,
      machine,
      only: null,
      hosts: (await record.hosts.hosts()).map((host) => hostJson(host, id)),
    };
  }
  const open = await record.rows({ ended: false, withoutView: true });
  const working = open.filter(({ state }) => state !== 'waiting' && state !== 'queued');
  const asking = open.filter(({ needsPerson }) => needsPerson).length;
  const only = {
    name: hostname(),
    runs: working.length,
    /** Of all that do not work now. */
    waiting: open.length - working.length,
    asking,
  };
  return {
    fleet: false,
    at,
    machine,
    hosts: [],
    only: { ...only, run_ids: working.slice(0, NAMED_RUNS).map(({ runId }) => runId) },
  };
}

export type HostsDocument = Awaited<ReturnType<typeof hostsDocument>>;

/** What the machine of the desk has left, now. */
function machineNow(home: string) {
  const disk = statfsSync(home);
  return {
    cores: availableParallelism(),
    load_1m: loadavg()[0] ?? 0,
    memory_bytes: totalmem(),
    memory_free_bytes: freemem(),
    disk_bytes: disk.blocks * disk.bsize,
    disk_free_bytes: disk.bavail * disk.bsize,
  };
}
