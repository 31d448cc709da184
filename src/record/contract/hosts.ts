/** `HostsRecord`: the hosts that share a record, which runs they take, and what travels between them. A record on one machine has none. */

/** `working`: takes runs. `draining`: finishes its own and takes no more. `maintenance`: gives its runs to other hosts. */
export const HOST_MODES = ['working', 'draining', 'maintenance'] as const;
export type HostMode = (typeof HOST_MODES)[number];

export interface NewHost {
  readonly name: string;
  readonly boot: string;
  readonly labels: readonly string[];
  /** The agents that it can start. */
  readonly agents: readonly string[];
  readonly concurrency: number;
  /** Without a sign of life for so long it is lost. */
  readonly leaseMs: number;
}

export interface Host extends NewHost {
  readonly id: string;
  /** Counts the workers that this host had; only the latest one is it. */
  readonly incarnation: number;
  readonly mode: HostMode;
  readonly seenAt: number;
  /** By the clock of the store: it was not heard for so long that other hosts take its runs. */
  readonly lost: boolean;
  /** How many runs it holds now, and the first of them. */
  readonly runs: number;
  readonly runIds: readonly string[];
}

export interface ClaimAsk {
  readonly owner: string;
  readonly ttlMs: number;
  readonly labels: readonly string[];
  readonly agents: readonly string[];
  /** Names the credential that agents use on this host. */
  readonly account: string;
  /** At most so many runs of one account or repository at once in the whole fleet; null: no limit. */
  readonly perAccount: number | null;
  readonly perRepository: number | null;
  /** Runs that this host could not keep. */
  readonly except: readonly string[];
}

export interface ClaimedRun {
  readonly runId: string;
  readonly fence: number;
  /** The last owner; null: the run was free. */
  readonly from: string | null;
  /** The host that has the files of the run, if it is another one. `isLost`: it held the run when it was last heard of. */
  readonly left: { readonly id: string; readonly name: string; readonly isLost: boolean } | null;
}

export interface OfferAsk {
  readonly runId: string;
  readonly fence: number;
  readonly movable: boolean;
  readonly labels: readonly string[];
  readonly priority: number;
}

export interface ParcelAsk {
  readonly runId: string;
  readonly fence: number;
  readonly name: string;
  readonly body: Buffer;
}

export interface HostsRecord {
  /** This host. */
  readonly id: string;
  /** The worker of this host begins; the number makes every earlier worker of the same host stop. */
  enrol(host: NewHost): Promise<number>;
  /** The worker lives. Null: another one has taken its place. */
  beat(incarnation: number): Promise<HostMode | null>;
  hosts(): Promise<readonly Host[]>;
  /** False: there is no such host. */
  setMode(id: string, mode: HostMode): Promise<boolean>;
  /** Takes the most urgent run that this host may have, in one statement; null: there is none. */
  claim(ask: ClaimAsk): Promise<ClaimedRun | null>;
  /** The runs that this host holds, also those whose lease has run out. */
  held(): Promise<readonly string[]>;
  /** Says which hosts may take the run, and how soon. `movable`: other hosts than this one. */
  offer(ask: OfferAsk): Promise<void>;
  /** Takes the offer back: the run stays on this host. */
  keepHere(runId: string, fence: number): Promise<void>;
  /** Gives the run up, so that the next claim takes it as from a host that was lost. */
  handOver(runId: string, fence: number): Promise<void>;
  /** The host that has the files of the run, and whether others may take it; null: no such run. */
  placeOf(runId: string): Promise<{ readonly host: string; readonly movable: boolean } | null>;
  /** False: the fence is stale, nothing was written. A parcel of the same name is replaced. */
  saveParcel(ask: ParcelAsk): Promise<boolean>;
  /** Names of the parcels of a run, oldest first. */
  parcels(runId: string): Promise<readonly string[]>;
  parcel(runId: string, name: string): Promise<Buffer | null>;
  /** Runs that other hosts delivered, and whose branch is not yet in the repository of this host. */
  deliveries(): Promise<readonly string[]>;
  markFetched(runId: string): Promise<void>;
  /** The key of the fleet. The first host that opens the store gives its own. */
  key(own: string): Promise<string>;
}
