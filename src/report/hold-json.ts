/** `holdJson`: a hold as every door tells it: its cause, its owner, the runs it holds, until when, what ends it. */
import type { HoldKind } from '../core/vocabulary/hold.ts';
import type { ActiveHold } from '../supervise/active-holds.ts';
import { accountHeld } from '../supervise/shared-questions.ts';

/** How the sentence about the end writes a time: a terminal knows its zone, a server does not know the viewer's. */
type WriteTime = (at: number) => string;

const BINDS: Readonly<Record<Exclude<HoldKind, 'limit' | 'login'>, string>> = {
  overload: 'runs of this agent, model and account',
  network: 'runs of this agent and account on this host',
  disk: 'every run on this host that wants to start an agent',
  shared_cause: 'runs that fail alike',
  fleet: 'restarts of all runs together',
};

export type HoldJson = ReturnType<typeof holdJson>;

export function holdJson(active: ActiveHold, now: number, time: WriteTime) {
  const { id, hold, waiting, question } = active;
  return {
    id,
    kind: hold.kind,
    reason: hold.reason,
    owner: hold.holder,
    since: new Date(hold.since).toISOString(),
    until: hold.until === null ? null : new Date(hold.until).toISOString(),
    ends: endOf(active, now, time),
    binds: bindsOf(active),
    waiting,
    question,
    /** The run that tries before the others; null: the next that is ready. */
    tries_first: triesFirst(hold, now),
    trying: (hold.probeUntil ?? 0) > now ? hold.probe : null,
  };
}

function triesFirst({ until, holder, probe, probeUntil }: ActiveHold['hold'], now: number): string | null {
  if ((probeUntil ?? 0) > now) return probe;
  return until === null ? holder : null;
}

/** Until when, and what ends it. */
function endOf({ hold, question }: ActiveHold, now: number, time: WriteTime): string {
  const { kind, until, probe, probeUntil } = hold;
  if (kind === 'disk') return 'ends when there is room on the disk';
  if (question !== null) return `ends when question ${question} is answered`;
  if (until === null) return `ends with run ${hold.holder}`;
  if (kind === 'fleet') return `until ${time(until)}`;
  if (probe !== null && (probeUntil ?? 0) > now)
    return `run ${probe} tries first now; it ends when that run is well, and by ${time(probeUntil ?? 0)} another may try`;
  return until > now
    ? `until ${time(until)}, then one run tries first`
    : 'due: the next run that is ready tries first';
}

function bindsOf({ hold }: ActiveHold): string {
  if (hold.kind === 'limit' || hold.kind === 'login') {
    const { agent, account } = accountHeld(hold.key);
    return `runs of ${agent}${account === null ? ' with the same login' : `, account ${account}`}`;
  }
  return hold.kind === 'network' && hold.key.endsWith(`:run:${hold.holder}`)
    ? `run ${hold.holder} alone`
    : BINDS[hold.kind];
}
