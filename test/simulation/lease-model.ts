/**
 * `playLease`: the rule by which hosts share a run, as a model: one store with its own clock, hosts that are cut off, paused, asleep or
 * killed, renewals whose request or answer is lost or late. It tells when two agents of the run lived at the same time, and how long after
 * the last fault the run had an agent again. `RULE` is what is built; `BROKEN_RULES` are mistakes that the model must find.
 */
import { DEFAULT_POLICY } from '../../src/core/vocabulary/policy.ts';
import { Random } from './random.ts';

const TICK_MS = 100;
const FAULTS_MS = 120_000;
const CALM_MS = 60_000;
/** As the attendant does it. */
const LOOK_MS = 500;
const KILL_MS = 500;
const CLAIM_LOOK_MS = 250;

export interface LeaseRule {
  /** From which moment the host counts the age of its lease. */
  readonly countsFrom: 'asked' | 'answered';
  /** Whose clock says that a lease is over. */
  readonly clock: 'store' | 'host';
  /** Who ends the agent when the lease is old. */
  readonly ender: 'attendant' | 'worker';
  readonly stopMs: number;
}

const LEASE_MS = DEFAULT_POLICY.lease_ms;
const RENEW_MS = DEFAULT_POLICY.lease_renew_ms;
export const RULE: LeaseRule = {
  countsFrom: 'asked',
  clock: 'store',
  ender: 'attendant',
  stopMs: DEFAULT_POLICY.lease_stop_ms,
};
export const BROKEN_RULES: Readonly<Record<string, LeaseRule>> = {
  'the lease is counted from the answer': { ...RULE, countsFrom: 'answered' },
  'the clock of the host decides': { ...RULE, clock: 'host' },
  'the worker alone ends the agent': { ...RULE, ender: 'worker' },
  'the agent is ended only when the lease is over': { ...RULE, stopMs: LEASE_MS },
};

interface Message {
  readonly arrivesAt: number;
  readonly deliver: (now: number) => void;
}

class Host {
  /** How far its wall clock is ahead. */
  readonly skewMs: number;
  cutUntil = 0;
  pausedUntil = 0;
  asleepUntil = 0;
  isAsleep = false;
  /** Since when the agent of the run lives here; null: none does. */
  agentSince: number | null = null;
  fence = 0;
  /** As the host counts it, in its time since boot. */
  renewedAt = 0;
  askedAt = 0;
  killAt = Infinity;

  constructor(random: Random) {
    this.skewMs = random.between(-300_000, 300_000);
  }

  works(now: number): boolean {
    return now >= this.pausedUntil && now >= this.asleepUntil;
  }
}

export interface LeaseStory {
  readonly twoAgents: boolean;
  /** From the end of the faults until an agent lived; Infinity: never. */
  readonly backAfterMs: number;
}

export function playLease(seed: number, rule: LeaseRule): LeaseStory {
  const random = new Random(seed);
  const hosts = Array.from({ length: random.between(2, 4) }, () => new Host(random));
  const store = { fence: 0, holder: null as Host | null, expiresAt: 0 };
  let messages: Message[] = [];
  let twoAgents = false;
  let backAfterMs = Infinity;

  /** A message between a host and the store; it may be late, and it is lost on a way that is cut. */
  const send = (host: Host, now: number, deliver: (at: number) => void): void => {
    if (now < host.cutUntil) return;
    const lateMs = now < FAULTS_MS && random.chance(0.2) ? random.between(0, 14_000) : random.between(0, 100);
    messages.push({ arrivesAt: now + lateMs, deliver: (at) => at >= host.cutUntil && deliver(at) });
  };

  const renew = (host: Host, now: number): void => {
    host.askedAt = now;
    const { fence } = host;
    send(host, now, (at) => {
      if (store.fence !== fence) return send(host, at, () => (host.fence = 0));
      store.expiresAt = at + LEASE_MS;
      send(host, at, (answered) => {
        if (host.fence === fence) host.renewedAt = rule.countsFrom === 'asked' ? now : answered;
      });
    });
  };

  const claim = (host: Host, now: number): void =>
    send(host, now, (at) => {
      const clock = rule.clock === 'store' ? at : at + host.skewMs;
      if (store.holder !== null && clock < store.expiresAt) return;
      store.fence += 1;
      store.holder = host;
      store.expiresAt = at + LEASE_MS;
      const { fence } = store;
      send(host, at, (answered) => {
        if (store.fence !== fence || host.agentSince !== null) return;
        Object.assign(host, { fence, renewedAt: now, askedAt: now, agentSince: answered, killAt: Infinity });
      });
    });

  const live = (host: Host, now: number): void => {
    if (now < host.asleepUntil) {
      host.isAsleep = true;
      return;
    }
    // The timers of a machine that wakes are overdue: the attendant looks before anything else.
    const lookMs = host.isAsleep ? 0 : random.between(0, LOOK_MS) + random.between(0, KILL_MS);
    host.isAsleep = false;
    const sees = rule.ender === 'attendant' || host.works(now);
    const isOld = now - host.renewedAt >= rule.stopMs;
    if (host.agentSince !== null && sees && (isOld || (host.fence === 0 && host.works(now))))
      host.killAt = Math.min(host.killAt, now + lookMs);
    if (now >= host.killAt) Object.assign(host, { agentSince: null, killAt: Infinity, fence: 0 });
    if (!host.works(now)) return;
    if (host.fence !== 0 && now - host.askedAt >= RENEW_MS) renew(host, now);
    if (host.agentSince === null && now % CLAIM_LOOK_MS < TICK_MS) claim(host, now);
  };

  const harm = (now: number): void => {
    const host = random.pick(hosts);
    const untilMs = now + random.between(500, 40_000);
    if (random.chance(0.4)) host.cutUntil = untilMs;
    else if (random.chance(0.5)) host.pausedUntil = untilMs;
    else {
      host.asleepUntil = untilMs;
      host.cutUntil = untilMs;
    }
  };

  for (let now = 0; now < FAULTS_MS + CALM_MS; now += TICK_MS) {
    if (now < FAULTS_MS && random.chance(0.02)) harm(now);
    if (now === FAULTS_MS) {
      messages = [];
      for (const host of hosts) Object.assign(host, CALM);
    }
    const arrived = messages.filter(({ arrivesAt }) => arrivesAt <= now);
    messages = messages.filter(({ arrivesAt }) => arrivesAt > now);
    for (const { deliver } of arrived) deliver(now);
    for (const host of hosts) live(host, now);
    // An agent on a machine that sleeps does nothing.
    const agents = hosts.filter((host) => host.agentSince !== null && now >= host.asleepUntil);
    twoAgents ||= agents.length > 1;
    if (now >= FAULTS_MS && agents.length === 1) backAfterMs = Math.min(backAfterMs, now - FAULTS_MS);
  }
  return { twoAgents, backAfterMs };
}

const CALM = { cutUntil: 0, pausedUntil: 0, asleepUntil: 0 };
