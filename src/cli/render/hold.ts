/** `renderHold`, `holdJson`: a hold as text and as JSON: its cause, its owner, the runs it holds, until when, what ends it, what to do. */
import type { HoldKind } from '../../core/vocabulary/hold.ts';
import type { ActiveHold } from '../../supervise/active-holds.ts';
import { plain } from './plain.ts';
import { clockTime } from './time.ts';

const BINDS: Readonly<Record<HoldKind, string>> = {
  limit: 'runs of this agent and account',
  login: 'runs of this agent and account',
  overload: 'runs of this agent, model and account',
  network: 'runs of this agent and account on this host',
  disk: 'every run on this host that wants to start an agent',
  shared_cause: 'runs that fail alike',
  fleet: 'restarts of all runs together',
};

export function renderHold(active: ActiveHold, now: number): string {
  const { id, hold, waiting } = active;
  const lines = [
    `held       ${plain(hold.reason)}`,
    `             ${id} · owner run ${hold.holder} · since ${clockTime(hold.since)} · ${endOf(active, now)}`,
    `             holds ${waiting.length === 0 ? 'no run now' : `run ${waiting.join(', ')}`}; it concerns ${bindsOf(active)}`,
    `             do  ${active.question === null ? '' : `mayday answer ${active.question} ...   or   `}mayday holds release ${id}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** As `mayday holds --json` prints it. */
export function holdJson(active: ActiveHold, now: number) {
  const { id, hold, waiting, question } = active;
  return {
    id,
    kind: hold.kind,
    reason: hold.reason,
    owner: hold.holder,
    since: new Date(hold.since).toISOString(),
    until: hold.until === null ? null : new Date(hold.until).toISOString(),
    ends: endOf(active, now),
    binds: bindsOf(active),
    waiting,
    question,
    trying: (hold.probeUntil ?? 0) > now ? hold.probe : null,
  };
}

/** Until when, and what ends it. */
function endOf({ hold, question }: ActiveHold, now: number): string {
  const { kind, until, probe, probeUntil } = hold;
  if (kind === 'disk') return 'ends when there is room on the disk';
  if (question !== null) return `ends when question ${question} is answered`;
  if (until === null) return 'ends with its owner';
  if (kind === 'fleet') return `until ${clockTime(until)}`;
  if (probe !== null && (probeUntil ?? 0) > now)
    return `run ${probe} tries first now; it ends when that run is well, and by ${clockTime(probeUntil ?? 0)} another may try`;
  return until > now
    ? `until ${clockTime(until)}, then one run tries first`
    : 'due: the next run that is ready tries first';
}

function bindsOf({ hold }: ActiveHold): string {
  return hold.kind === 'network' && hold.key.endsWith(`:run:${hold.holder}`)
    ? `run ${hold.holder} alone`
    : BINDS[hold.kind];
}
