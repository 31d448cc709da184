/**
 * `HostWorker`: this host in its fleet, as `mayday work` sees it: it enrols, gives signs of life, claims what it can do, and lets go of
 * runs that other hosts took while it was away. It listens to nothing: every step is a question to the record.
 */
import { readdirSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import { join } from 'node:path';
import { AGENT_NAMES, findAdapter } from '../../agents/registry.ts';
import { findCommand } from '../../platform/container/startable.ts';
import { lookOrNull } from '../../platform/file/vanished.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { bootId } from '../../platform/process/process-identity.ts';
import type { RunRecord } from '../../record/contract.ts';
import type { ClaimedRun, HostMode, HostsRecord } from '../../record/contract/hosts.ts';
import { accountOf } from '../fleet-board.ts';
import { ownOwner } from '../lease/owner.ts';
import { configOrNothing, wholePolicy } from '../request/config.ts';
import { fetchDeliveries } from './fetch-deliveries.ts';
import { leaveRun, tellLeft } from './leave-run.ts';

/** Several signs of life within the shortest lease that makes sense. */
const BEAT_MS = 2_000;

export interface HostOptions {
  readonly home: string;
  readonly record: RunRecord;
  readonly hosts: HostsRecord;
  readonly env: NodeJS.ProcessEnv;
  readonly labels: readonly string[];
  readonly concurrency: number;
  readonly perAccount: number | null;
  readonly perRepository: number | null;
}

export class HostWorker {
  readonly #options: HostOptions;
  readonly #agents: readonly string[];
  readonly #leaseMs: number;
  readonly #account: string;
  #incarnation = 0;
  #beatAt = Number.NEGATIVE_INFINITY;
  #mode: HostMode = 'working';

  private constructor(options: HostOptions, agents: readonly string[], leaseMs: number) {
    this.#options = options;
    this.#agents = agents;
    this.#leaseMs = leaseMs;
    this.#account = accountOf(options.env);
  }

  static async enrol(options: HostOptions): Promise<HostWorker> {
    const { home, env, hosts, labels, concurrency } = options;
    const config = await configOrNothing(home);
    // A command line of a person's own is tried, and fails where its program is missing.
    const agents = [...agentsHere(env), ...Object.keys(config.agents ?? {})];
    const { lease_ms: leaseMs } = wholePolicy(config);
    const worker = new HostWorker(options, agents, leaseMs);
    const host = { name: hostname(), boot: bootId(), labels, agents, concurrency };
    worker.#incarnation = await hosts.enrol({ ...host, leaseMs });
    await worker.#leaveTaken();
    return worker;
  }

  /** Gives a sign of life when it is time, and says what this host is asked to do. */
  async look(): Promise<HostMode> {
    if (performance.now() - this.#beatAt < Math.min(BEAT_MS, this.#leaseMs / 4)) return this.#mode;
    this.#beatAt = performance.now();
    const { home, record, hosts } = this.#options;
    const mode = await hosts.beat(this.#incarnation);
    if (mode === null)
      throw new MaydayError(
        'HOST_REPLACED',
        'another `mayday work` has taken the place of this one on this host',
        [
          ['did', 'ended; agents go on, and the other one keeps their runs'],
          ['do', 'use a MAYDAY_HOME of its own for a second worker'],
        ],
      );
    await fetchDeliveries(home, record);
    this.#mode = mode;
    return mode;
  }

  async claim(except: readonly string[]): Promise<(ClaimedRun & { readonly at: number }) | null> {
    const { hosts, labels, perAccount, perRepository } = this.#options;
    const at = uptime();
    const claimed = await hosts.claim({
      owner: ownOwner(),
      ttlMs: this.#leaseMs,
      labels,
      agents: this.#agents,
      account: this.#account,
      perAccount,
      perRepository,
      except,
    });
    return claimed === null ? null : { ...claimed, at };
  }

  /** A host that comes back stops its own agents before it does anything else. */
  async #leaveTaken(): Promise<void> {
    const { home, record, hosts } = this.#options;
    const records = lookOrNull(() => readdirSync(join(home, 'work'))) ?? [];
    for (const name of records.filter((one) => one.endsWith('.json'))) {
      const runId = name.slice(0, -'.json'.length);
      const place = await hosts.placeOf(runId);
      if (place !== null && place.host !== hosts.id)
        await tellLeft(home, record, await leaveRun(home, record, runId));
    }
  }
}

/** The known agents that this host can start. */
function agentsHere(env: NodeJS.ProcessEnv): readonly string[] {
  return AGENT_NAMES.filter((name) => {
    const program = findAdapter(name)?.preflight({ command: [], env })?.argv[0];
    return program === undefined || findCommand(program, '/', env['PATH'] ?? '') !== 'missing';
  });
}
