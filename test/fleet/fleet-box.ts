/** `FleetBox`: a fleet for a test: one store, one repository, and hosts that are processes with homes of their own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { Box, type Called } from '../e2e/box.ts';
import { MAYDAY } from '../mayday-under-test.ts';

/** Short, so that a test sees a host lost; long enough for a busy machine to renew. */
export const LEASE_MS = 6_000;
const LEASE = { lease_ms: LEASE_MS, lease_renew_ms: 1_000, lease_stop_ms: 4_000 };

export interface FleetHost {
  readonly name: string;
  readonly home: string;
  /** The worker; null while it is not started. */
  child: ChildProcess | null;
}

interface HostPlace {
  /** Words before the command, such as those that make a namespace. */
  readonly wrap?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The host's own way to the store. */
  readonly store?: string;
}

export class FleetBox extends Box {
  readonly store: string;
  readonly hosts: FleetHost[] = [];

  constructor(store: string) {
    super();
    this.store = store;
    this.env['MAYDAY_STORE'] = store;
    this.policy({ ...LEASE, snapshot_every_ms: 500, backoff_ms: 100 });
  }

  /** Starts `mayday work` as a host with its own home. */
  startHost(
    name: string,
    args: readonly string[] = [],
    { wrap = [], env = {}, store }: HostPlace = {},
  ): FleetHost {
    const home = join(this.folder, `host-${name}`);
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'mayday.yaml'), readFileSync(join(this.home, 'mayday.yaml')));
    const host: FleetHost = this.hosts.find((one) => one.name === name) ?? { name, home, child: null };
    if (!this.hosts.includes(host)) this.hosts.push(host);
    const words = [...wrap, process.execPath, MAYDAY, 'work', ...args];
    const [command = '', ...rest] = words;
    const log = openSync(join(this.folder, `${name}.log`), 'a');
    host.child = spawn(command, rest, {
      cwd: this.folder,
      env: { ...process.env, ...this.env, MAYDAY_STORE: store ?? this.store, ...env, MAYDAY_HOME: home },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    return host;
  }

  said(name: string): string {
    const path = join(this.folder, `${name}.log`);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  /** A command of a person at this host. */
  async at(host: FleetHost, ...args: string[]): Promise<Called> {
    return await this.start(args, { env: { MAYDAY_HOME: host.home } }).done;
  }

  /** What agents wrote down for the test, a line each. */
  lines(name: string): string[] {
    const path = join(this.folder, name);
    return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
  }

  /** Asks the tables themselves: what Mayday says about them is not what is tested here. */
  async ask<T extends object>(sql: string): Promise<T[]> {
    const client = new pg.Client({ connectionString: this.store, options: '-c search_path=mayday' });
    await client.connect();
    try {
      return (await client.query<T>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** The public documents of all runs, as the tables have them. */
  async runs(): Promise<FleetRun[]> {
    const rows = await this.ask<{ view: string }>('SELECT view FROM run_rows ORDER BY created_at, run');
    return rows.map(({ view }) => JSON.parse(view) as FleetRun);
  }

  override async until<T>(
    what: string,
    look: () => T | undefined | false | Promise<T | undefined | false>,
    limitMs = 90_000,
  ): Promise<T> {
    return await super.until(what, look, limitMs).catch(async (error: unknown) => {
      const said = this.hosts.map(({ name }) => `${name}: ${this.said(name)}`).join('\n');
      const states = (await this.runs()).map(({ run_id, state, attempts, questions }) =>
        [run_id, state, attempts.length, ...questions.map((asked) => JSON.stringify(asked))].join(' '),
      );
      throw new Error([String(error), ...states, ...this.lines('starts'), said].join('\n'), { cause: error });
    });
  }
}

export interface FleetRun {
  readonly run_id: string;
  readonly state: string;
  readonly attempts: readonly { readonly ended_by: string }[];
  readonly questions: readonly unknown[];
  readonly checkpoints: readonly unknown[];
}

/** What a long run of a fleet came to. */
export interface FleetResult {
  readonly problems: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
}

export async function inFleet(store: string, use: (fleet: FleetBox) => Promise<void>): Promise<void> {
  const fleet = new FleetBox(store);
  try {
    await use(fleet);
  } finally {
    for (const { child } of fleet.hosts) child?.kill('SIGKILL');
    await fleet.dispose();
  }
}
