/** `hostJson`, `hostsDocument`: a host, and all hosts, as documents. Keys are promised: add, never rename. */
import { availableParallelism, freemem, hostname, loadavg, totalmem } from 'node:os';
import { statfsSync } from 'node:fs';
import { readView } from '../core/view/read-view.ts';
import type { RunJson } from '../core/view/run-json.ts';
import { LINE_WORDS, type LineWord } from '../core/view/state-word.ts';
import type { RunRecord } from '../record/contract.ts';
import type { Host } from '../record/contract/hosts.ts';
import type { RunRow } from '../record/contract/journal.ts';

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
  const open = await record.rows({ ended: false });
  const working = open.filter(({ state }) => state !== 'waiting' && state !== 'queued');
  const asking = open.filter(({ needsPerson }) => needsPerson).length;
  const only = {
    name: hostname(),
    runs: working.length,
    /** Of all that do not work now. */
    waiting: open.length - working.length,
    asking,
    /** By the words of the list of all runs, the most urgent first. */
    words: wordsOf(open),
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

function wordsOf(rows: readonly RunRow[]): readonly { readonly word: LineWord; readonly runs: number }[] {
  const words = rows.map((row) => {
    const { word, state } = readView(row) as Partial<RunJson> & Pick<RunJson, 'state'>;
    return word ?? state;
  });
  return LINE_WORDS.map((word) => ({ word, runs: words.filter((one) => one === word).length })).filter(
    ({ runs }) => runs > 0,
  );
}

/** More work waits for a core than there are cores: what follows, and what to do. Null: there is room. */
export function strainOf(load: number, cores: number): string | null {
  if (load <= cores) return null;
  return 'busy: agents and checks take longer, and it still takes runs; fewer at once with mayday work --concurrency';
}

function machineNow(home: string) {
  const disk = statfsSync(home);
  const [cores, load] = [availableParallelism(), loadavg()[0] ?? 0];
  return {
    cores,
    load_1m: load,
    strain: strainOf(load, cores),
    memory_bytes: totalmem(),
    memory_free_bytes: freemem(),
    disk_bytes: disk.blocks * disk.bsize,
    disk_free_bytes: disk.bavail * disk.bsize,
  };
}
