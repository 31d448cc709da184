/** `holdJson`: a hold as every door tells it: cause, owner, the runs it holds, until when, what ends it. `accountRows`: the accounts. */
import { accountHeld, accountWords } from '../core/fleet/account-held.ts';
import { counted } from '../core/text/counted.ts';
import type { Hold, HoldKind } from '../core/vocabulary/hold.ts';
import { holdWords, sparedWords, stillWaiting } from '../core/fleet/hold-words.ts';
import type { ActiveHold, Staying } from '../supervise/active-holds.ts';

/** How the sentence about the end writes a time: a terminal knows its zone, a server does not know the viewer's. */
type WriteTime = (at: number) => string;

/** The words by which incidents of the same trouble are named. */
const NAMES = {
  limit: 'rate_limited',
  login: 'auth_failure',
  network: 'network_failure',
  overload: 'overloaded',
  disk: 'disk_full',
  shared_cause: 'shared_cause',
  fleet: 'fleet_cap',
} as const satisfies Record<HoldKind, string>;

export type HoldJson = ReturnType<typeof holdJson>;

export function holdJson(active: ActiveHold, now: number, time: WriteTime) {
  const { id, hold, waiting, question } = active;
  return {
    id,
    kind: hold.kind,
    name: nameOf(hold),
    /** The agent and the account that it is about; null: no account. */
    account: accountOf(hold),
    reason: hold.reason,
    owner: hold.holder,
    since: new Date(hold.since).toISOString(),
    until: hold.until === null ? null : new Date(hold.until).toISOString(),
    ends: endOf(active, now, time),
    /** When a run tries by itself; null: at no time that is known now. */
    tries_at: triesAt(active, now),
    binds: bindsOf(active),
    /** Which runs it leaves alone, and why; null: nothing to wonder about. */
    spares: sparedWords(hold.kind),
    waiting,
    /** The runs among them that do not start when it ends, and what each of them waits for then. */
    staying: active.staying.map((staying) => ({ run: staying.runId, waits: waitsThen(staying, time) })),
    /** What a person who releases it brings about. */
    release: releaseOf(active, time),
    question,
    /** The run that tries before the others; null: the next that is ready. */
    tries_first: triesFirst(hold, now),
    trying: (hold.probeUntil ?? 0) > now ? hold.probe : null,
  };
}

/** `the login of claude`, `its own pause until 13:05`. */
function waitsThen({ holds, pauseUntil }: Staying, time: WriteTime): string {
  const own = pauseUntil === null ? [] : [`its own pause until ${time(pauseUntil)}`];
  return [...holds.map(holdWords), ...own].join(' and ');
}

function releaseOf({ waiting, staying }: ActiveHold, time: WriteTime): string {
  const start = waiting.length - staying.length;
  const waits = staying.map((one) => ({ run: one.runId, waits: waitsThen(one, time) }));
  const stay = stillWaiting(waits)
    .map((part) => `; ${part}`)
    .join('');
  if (waiting.length === 0)
    return 'no run waits for it: a release starts none, and the next may start at once';
  // What it is good for comes first: otherwise the button seems to do nothing.
  if (start === 0) return `a release ends only this hold and starts no run at once${stay}`;
  return `a release starts ${counted(start, 'run')} at once, whether or not the cause is over${stay}`;
}

function triesFirst({ until, holder, probe, probeUntil }: ActiveHold['hold'], now: number): string | null {
  if ((probeUntil ?? 0) > now) return probe;
  return until === null ? holder : null;
}

function triesAt(active: ActiveHold, now: number): string | null {
  const { hold, question } = active;
  const isDue = hold.until === null || hold.until <= now;
  return isDue || question !== null || hold.kind === 'disk' || keptFrom(active) !== ''
    ? null
    : new Date(hold.until).toISOString();
}

/** Until when, and what ends it. */
function endOf(active: ActiveHold, now: number, time: WriteTime): string {
  const { hold, question } = active;
  const { kind, until, probe, probeUntil } = hold;
  if (kind === 'disk') return 'ends when there is room on the disk';
  if (question !== null) return `ends when question ${question} is answered`;
  if (until === null) return `ends with run ${hold.holder}`;
  if (kind === 'fleet') return `until ${time(until)}`;
  if (probe !== null && (probeUntil ?? 0) > now)
    return `run ${probe} tries first now; it ends when that run is well, and by ${time(probeUntil ?? 0)} another may try`;
  const others = keptFrom(active);
  if (others !== '')
    return `${until > now ? `until ${time(until)} at least` : 'due'}, but nobody tries yet: ${others}`;
  return until > now
    ? `until ${time(until)}, then one run tries first`
    : 'due: the next run that is ready tries first';
}

/** Where every run that waits for it is kept by another hold too: by which; empty: one of them is free to try. */
function keptFrom({ waiting, staying }: ActiveHold): string {
  const held = staying.filter(({ holds }) => holds.length > 0);
  if (waiting.length === 0 || held.length < waiting.length) return '';
  const what = [...new Set(held.flatMap(({ holds }) => holds.map(holdWords)))].join(' or ');
  return `${waiting.length === 1 ? 'its run also waits' : `the ${waiting.length} runs also wait`} for ${what}`;
}

/** Every account that was ever held, what is held now first. */
export function accountRows(holds: readonly Hold[], active: readonly ActiveHold[], time: WriteTime) {
  const byAccount = Map.groupBy(holds, (hold) => accountOf(hold));
  return [...byAccount]
    .flatMap(([account, group]) => {
      if (account === null) return [];
      const held = active.filter(({ hold }) => accountOf(hold) === account);
      const last = Math.max(...group.map(({ liftedAt, since }) => liftedAt ?? since));
      const says = held.map(({ hold, waiting }) => {
        const who = waiting.length === 0 ? 'no run waits' : counted(waiting.length, 'run waits', 'runs wait');
        return `${nameOf(hold)} since ${time(hold.since)}, ${who}`;
      });
      const isNamed = group.some(({ key }) => accountHeld(key)?.account !== null);
      return [
        {
          account,
          held: held.length > 0,
          says: says.join('; ') || `free since ${time(last)}`,
          hint: isNamed
            ? ''
            : 'Name it with MAYDAY_ACCOUNT where its runs are started; until then a hash of its login tells it apart.',
        },
      ];
    })
    .toSorted((a, b) => Number(b.held) - Number(a.held) || a.account.localeCompare(b.account));
}

function nameOf({ kind }: Hold): string {
  return NAMES[kind].replaceAll('_', ' ');
}

function accountOf({ key }: Hold): string | null {
  const held = accountHeld(key);
  return held === null ? null : accountWords(held);
}

function bindsOf({ hold }: ActiveHold): string {
  const whose = accountHeld(hold.key);
  switch (hold.kind) {
    case 'limit':
    case 'login':
    case 'overload':
    case 'network': {
      if (whose === null) return `run ${hold.holder} alone`;
      const model = whose.model === null || whose.model === 'default' ? '' : `, model ${whose.model}`;
      return `runs of ${accountWords(whose)}${model}${hold.kind === 'network' ? ', on this host' : ''}`;
    }
    case 'disk':
      return 'every run on this host that wants to start an agent';
    case 'shared_cause':
      return 'runs that fail alike';
    case 'fleet':
      return 'restarts of all runs together';
  }
}
