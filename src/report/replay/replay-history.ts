/** `replayHistory`: decides past runs again under another policy, one by one, and adds up what it would have cost or saved. */
import type { ClassPolicies } from '../../core/vocabulary/classes/class-policy.ts';
import { adapterName, type Fact, type RunEvent } from '../../core/vocabulary/events/event.ts';
import { DEFAULT_POLICY, type Policy, type PolicyKey, withPolicy } from '../../core/vocabulary/policy.ts';
import { add, type ReplayMeaning, replayMeaning, type Cost, NO_COST } from '../../core/replay/alarm-cost.ts';
import { type AlarmChange, changedAlarms } from '../../core/replay/changed-alarms.ts';
import { type Replayed, replayRun } from '../../core/replay/replay-run.ts';
import type { RunState } from '../../core/state/run-state.ts';
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';

export interface PastJournal {
  readonly events: readonly RunEvent[];
  /** The fold of them. */
  readonly state: RunState;
  readonly transcripts: ReadonlyMap<number, readonly TranscriptEntry[]>;
}

export interface ProposedPolicy {
  readonly policy: Partial<Policy>;
  readonly classes: ClassPolicies;
}

export interface ReplayedHistory {
  readonly runs: readonly { readonly replayed: Replayed; readonly meaning: ReplayMeaning }[];
  readonly now: Cost;
  readonly proposed: Cost;
}

/** Policy values that a replay cannot judge: the effect of limits of checks, signals, other runs and leases is in no journal. */
// biome-ignore format: words stand together
export const ONLY_LIVE: ReadonlySet<PolicyKey> = new Set<PolicyKey>([
  'busy_factor', 'frozen_ms', 'input_silence_ms', 'stop_soft_ms', 'stop_term_ms', 'stop_kill_every_ms',
  'stop_give_up_ms', 'check_reruns', 'check_timeout_ms', 'setup_timeout_ms', 'snapshot_every_ms',
  'final_grace_ms', 'wake_stagger_ms', 'probe_ms', 'shared_cause_runs', 'shared_cause_window_ms',
  'fleet_restarts', 'fleet_window_ms', 'disk_free_bytes', 'mission_deadline_ms', 'bus_task_limit_ms',
  'bus_stop_grace_ms', 'lease_ms', 'lease_renew_ms', 'lease_stop_ms', 'quarantine_ms',
]);

export function replayHistory(
  journals: readonly PastJournal[],
  proposal: ProposedPolicy,
  falsePositives: ReadonlySet<string>,
): ReplayedHistory {
  const runs = journals.flatMap((journal) => {
    const replayed = replayJournal(journal, proposal);
    return replayed === null
      ? []
      : [{ replayed, meaning: replayMeaning(replayed, journal.state, falsePositives) }];
  });
  return {
    runs,
    now: runs.map(({ meaning }) => meaning.now).reduce(add, NO_COST),
    proposed: runs.map(({ meaning }) => meaning.proposed).reduce(add, NO_COST),
  };
}

/** The proposed values replace those of the run's own policy. */
function replayJournal(journal: PastJournal, { policy: wanted, classes }: ProposedPolicy): Replayed | null {
  const { state, events } = journal;
  const recorded = { ...DEFAULT_POLICY, ...state.policy };
  const policy = withPolicy(recorded, wanted);
  const own = state.options.classes;
  const asked = Object.keys(classes).length > 0;
  const alarms = new Map<number, AlarmChange>();
  for (const attempt of state.attempts) {
    const change = alarmsOf(journal, attempt, recorded, policy);
    if (change !== null) alarms.set(attempt.number, change);
  }
  return replayRun(
    state.runId,
    events,
    { policy, ...(asked ? { classes: { ...own, ...classes } } : {}) },
    alarms,
  );
}

function progressEntry({
  at,
  detail,
  changedAt,
}: Extract<Fact, { type: 'progress_observed' }>): TranscriptEntry {
  return { type: 'progress', at, kind: 'tree', detail, ...(changedAt === undefined ? {} : { changedAt }) };
}

function alarmsOf(
  { events, state, transcripts }: PastJournal,
  { number, agent, startedAt, endedAt, signals }: RunState['attempts'][number],
  recorded: Policy,
  policy: Policy,
): AlarmChange | null {
  const heard = transcripts.get(number);
  if (heard === undefined || startedAt === null) return null;
  const seen = events.flatMap((event) =>
    event.type === 'progress_observed' && event.attempt === number ? [progressEntry(event)] : [],
  );
  return changedAlarms(
    {
      startedAt,
      endedAt: endedAt ?? state.updatedAt,
      isCommand: adapterName(agent) === 'command',
      scope: state.scope.allowed,
      signals,
      entries: [...heard, ...seen].toSorted((a, b) => a.at - b.at),
    },
    recorded,
    policy,
  );
}
