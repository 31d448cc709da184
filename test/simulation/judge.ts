/**
 * The invariants, counted by the world and not by the core: what really lived, what was really checked, what people
 * really said. It shares no code with the deciding part.
 */
import type { RunEvent } from '../../src/core/vocabulary/events/event.ts';
import { openQuestion, type RunState } from '../../src/core/state/run-state.ts';
import { fold } from '../../src/core/state/fold.ts';
import type { Cause } from './agent-life.ts';

export interface SeenProcess {
  readonly attempt: number;
  readonly spawnedAt: number;
  readonly askedAt: number;
  /** When the keeper that told of its start saw it: later than it began, if the keeper before died in between. */
  seenAt: number;
  readonly account: string;
  readonly host: string;
  alive: boolean;
  endedAt: number | null;
  /** Somebody had a reason to end it. */
  mayBeStopped: boolean;
  proven: boolean;
  cause: Cause;
  /** The tree when it began. */
  readonly tree: string;
  /** What it left was saved in a checkpoint. */
  saved: boolean;
  /** Time in its life that passed for nobody. */
  sleptMs: number;
  /** It waited for a cause that others share: its start is not counted. */
  readonly excused: boolean;
  /** How it ended by itself; null: it lives, was stopped, asked something, or nobody saw its end. */
  manner: string | null;
  /** A person who was asked what to do about the one before let it start. */
  readonly granted: boolean;
}

/** What the world knows about one run. */
export interface SeenRun {
  readonly id: string;
  readonly account: string;
  readonly host: string;
  readonly hasChecks: boolean;
  readonly processes: SeenProcess[];
  /** Results of checks that really ran, by tree. */
  readonly checked: Map<string, boolean>;
  /** Trees that lie in a checkpoint. */
  readonly saved: Set<string>;
  tree: string;
  deliveredTree: string | null;
  /** When a person last told this run to go on. */
  wordAt: number;
  stoppedAt: number | null;
  /** A person took the work as it is; forgotten when an agent is sent to go on with it. */
  takenByWord: boolean;
}

interface Limits {
  readonly restarts: number;
  readonly restart_window_ms: number;
  readonly restarts_total: number;
  readonly futile_rescues: number;
  readonly timeout_ms: number;
  readonly fleet_restarts: number;
  readonly fleet_window_ms: number;
  readonly shared_cause_runs: number;
  readonly shared_cause_window_ms: number;
  readonly probe_ms: number;
}

/** Ends that count against a run. */
export const FAULTS: ReadonlySet<Cause> = new Set(['fault', 'lie', 'shared']);

/** So long one may try alone before the next does. */
const TRY_MS = 5 * 60_000;

export class Judge {
  readonly violations: string[] = [];
  readonly #limits: Limits;
  readonly #counted: number[] = [];
  #alike: { run: string; at: number }[] = [];
  #sharedSince: number | null = null;
  #calledMended = false;
  /** Runs whose open question is asked for all that failed alike. */
  readonly #askingForAll = new Set<string>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  say(run: SeenRun, what: string): void {
    if (this.violations.length < 10) this.violations.push(`${run.id}: ${what}`);
  }

  spawned(run: SeenRun, process: SeenProcess, now: number): void {
    const others = run.processes.filter((other) => other !== process && other.alive);
    if (others.length > 0)
      this.say(run, `P2: two live processes (attempts ${others[0]?.attempt}, ${process.attempt})`);
    if (run.stoppedAt !== null && process.askedAt > run.stoppedAt)
      this.say(run, 'a process started after a person stopped the run');
    const previous = run.processes.at(-2);
    if (previous !== undefined && !previous.alive && !previous.saved)
      this.say(run, `P5: attempt ${process.attempt} began before the work of the last one was saved`);
    // Stopped by a person between its plan and its start: it was never meant to live.
    if (process.cause !== 'word') this.#budgets(run, now);
    this.#grant(run, process);
    for (const scope of scopesOf(run)) this.#herd(run, process, scope);
    if (this.#sharedSince !== null && process.askedAt > this.#sharedSince && run.wordAt < this.#sharedSince) {
      const metItLast = run.processes.at(-2)?.cause === 'shared';
      if (metItLast && this.#alike.some(({ run: id }) => id === run.id))
        this.say(run, 'shared cause: restarted what several runs had failed of alike');
    }
  }

  /** The restart budgets, from the ends that were the agent's own fault. */
  #budgets(run: SeenRun, now: number): void {
    if (!this.#isRestart(run, run.processes.length - 1)) return;
    const mine = run.processes.filter((_, index) => this.#isRestart(run, index));
    const { restarts, restart_window_ms, restarts_total, futile_rescues } = this.#limits;
    const recent = mine.filter(({ spawnedAt }) => spawnedAt > now - restart_window_ms);
    if (recent.length > restarts)
      this.say(run, `${recent.length} restarts in the window, budget ${restarts}`);
    if (mine.length > restarts_total)
      this.say(run, `${mine.length} restarts in all, budget ${restarts_total}`);
    // What was lost with its host says nothing about the agent.
    const own = this.#onSameTree(run).filter(({ process }) => process.cause !== 'host');
    const futile = own.filter(({ index }) => this.#isRestart(run, index)).length;
    if (futile > futile_rescues) this.say(run, `${futile} restarts in a row without any new tree`);
    // The watch sees a life a little shorter or longer than it was.
    const burnt = own.filter(
      ({ process: { seenAt, endedAt } }) => (endedAt ?? seenAt) - seenAt > this.#limits.timeout_ms * 0.55,
    );
    if (burnt.length >= 2) this.say(run, 'a third attempt after two that burnt half of the limit');
    // By the moment somebody set out to start it; the process comes to be a little later.
    const askedAt = run.processes.at(-1)?.askedAt ?? now;
    this.#counted.push(askedAt);
    const fleet = this.#counted.filter(
      (at) => at <= askedAt && at > askedAt - this.#limits.fleet_window_ms,
    ).length;
    if (fleet > this.#limits.fleet_restarts) this.say(run, `${fleet} restarts in the fleet's window`);
  }

  /** "Once more" is one attempt: after one that failed alike and left nothing new, a person is asked again. */
  #grant(run: SeenRun, process: SeenProcess): void {
    const [asked, granted] = run.processes.slice(-3);
    if (run.processes.length < 3 || asked === undefined || granted === undefined) return;
    const isAlike = granted.manner !== null && granted.manner === asked.manner && !granted.proven;
    const isWanted = process.excused || process.askedAt <= run.wordAt || (granted.endedAt ?? 0) <= run.wordAt;
    if (granted.granted && isAlike && granted.tree === process.tree && !isWanted)
      this.say(
        run,
        `attempt ${process.attempt} began without a word after the one that was granted failed alike`,
      );
  }

  /** Started because the one before failed by its own fault, with no word of a person since. */
  #isRestart(run: SeenRun, index: number): boolean {
    const process = run.processes[index];
    const previous = run.processes[index - 1];
    return (
      process !== undefined &&
      previous !== undefined &&
      !process.excused &&
      FAULTS.has(previous.cause) &&
      process.askedAt > run.wordAt &&
      (previous.endedAt ?? 0) > run.wordAt
    );
  }

  /** The newest processes, back to the last that left something new or was sent by a person. */
  #onSameTree(run: SeenRun): { readonly process: SeenProcess; readonly index: number }[] {
    const row = run.processes.map((process, index) => ({ process, index })).toReversed();
    // What was seen to move counts, though it was lost with its host.
    const isEnd = ({ tree, askedAt, cause, proven }: SeenProcess) =>
      tree !== run.tree || askedAt <= run.wordAt || (cause === 'host' && proven);
    const end = row.findIndex(({ process }) => isEnd(process));
    return end === -1 ? row : row.slice(0, end);
  }

  /** After an account, a model or a host failed, one process tries; the others wait until it is seen well. */
  #herd(run: SeenRun, process: SeenProcess, scope: string): void {
    const since = this.#failingSince.get(scope);
    if (since === undefined || process.askedAt <= since) return;
    const probes = this.#probes.get(scope) ?? [];
    if (probes.some((other) => this.#isProven(other, process.askedAt))) {
      this.#forget(scope);
      return;
    }
    const trying = probes.filter(
      (other) => !this.#sentByWord.has(other) && other.alive && !this.#isProven(other, process.spawnedAt),
    );
    if (trying.length > 0 && run.wordAt < since)
      this.say(run, `${scope}: a second run woke before the first was seen well`);
    this.#probes.set(scope, [...probes, process]);
    if (run.wordAt >= since) this.#sentByWord.add(process);
  }
  readonly #failingSince = new Map<string, number>();
  /** Who met it. One of them speaks for all, and with the end of that one nobody waits any more; the judge does not know which. */
  readonly #metBy = new Map<string, Set<string>>();
  /** Who tried since then. */
  readonly #probes = new Map<string, SeenProcess[]>();
  /** A person said "go on" in spite of it; that is nobody's herd. */
  readonly #sentByWord = new Set<SeenProcess>();

  #forget(scope: string): void {
    this.#failingSince.delete(scope);
    this.#probes.delete(scope);
  }

  #isProven({ proven, spawnedAt, endedAt }: SeenProcess, now: number): boolean {
    return proven || (endedAt ?? now) - spawnedAt >= this.#limits.probe_ms;
  }

  /** The core has looked at an ended process. */
  examined(run: SeenRun, process: SeenProcess, now: number): void {
    const failed = scopeOf(run, process.cause);
    for (const scope of scopesOf(run))
      if (scope !== failed && this.#isProven(process, now) && this.#came(process, scope)) this.#forget(scope);
    // Who was refused by the far end has reached it.
    const reached = ['limit', 'overload', 'login'].includes(process.cause)
      ? [`network of ${run.account} on ${run.host}`]
      : [];
    const passed = process.cause === 'done' ? scopesOf(run) : reached;
    for (const scope of passed) if (this.#came(process, scope)) this.#forget(scope);
  }

  /** The core decided about what a process met; work that is complete in spite of it warns nobody. */
  decidedOn(run: SeenRun, process: SeenProcess, now: number): void {
    const failed = scopeOf(run, process.cause);
    if (failed === null) return;
    if (!this.#failingSince.has(failed)) {
      this.#failingSince.set(failed, now);
      this.#metBy.set(failed, new Set());
    }
    this.#metBy.get(failed)?.add(run.id);
  }

  provenWell(run: SeenRun, process: SeenProcess): void {
    process.proven = true;
    for (const scope of scopesOf(run)) if (this.#came(process, scope)) this.#forget(scope);
  }

  /** After the scope had failed. */
  #came(process: SeenProcess, scope: string): boolean {
    return process.spawnedAt > (this.#failingSince.get(scope) ?? Infinity);
  }

  /** The core decided on a failure that several runs share in this world. */
  decidedOnShared(run: SeenRun, now: number): void {
    const { shared_cause_runs, shared_cause_window_ms } = this.#limits;
    const window = this.#calledMended ? TRY_MS : shared_cause_window_ms;
    this.#alike = this.#alike.filter(({ at }) => at > now - window);
    this.#alike.push({ run: run.id, at: now });
    const runs = new Set(this.#alike.map(({ run: id }) => id));
    if (runs.size >= shared_cause_runs) this.#sharedSince ??= now;
    // Where each of them asked for itself, nobody was held: later failures are a coincidence until they are enough again.
    else if (this.#askingForAll.size === 0) this.#sharedSince = null;
  }

  /** It is over, or a person says so: then one after the other tries, and fails alike if they were wrong. */
  sharedForgotten(by: 'world' | 'person'): void {
    this.#alike = [];
    this.#sharedSince = null;
    this.#calledMended = by === 'person';
  }

  stoppedByMayday(run: SeenRun, process: SeenProcess): void {
    if (process.alive && !process.mayBeStopped) this.say(run, 'healthy work was killed');
  }

  /** The time limit of a process ran out, in the time that it could use. */
  timedOut(run: SeenRun, process: SeenProcess, now: number): void {
    // Its limit counts from when its start was noted, a moment after it came to be.
    if (now - process.spawnedAt - process.sleptMs < this.#limits.timeout_ms - 1_000)
      this.say(run, 'time that passed for nobody ran out for an attempt');
  }

  /** A tree goes to a sink, or its workspace is given back. */
  leaves(run: SeenRun, tree: string, how: string): void {
    if (tree !== 't0' && !run.saved.has(tree)) this.say(run, `P5: ${tree} is ${how} and in no checkpoint`);
  }

  delivered(run: SeenRun): void {
    this.say(run, 'delivered twice');
  }

  stale(run: SeenRun, event: string): void {
    this.say(run, `a stale or doubled ${event} changed something`);
  }

  turned(run: SeenRun, state: RunState, timers: number): void {
    const { life } = state;
    const asks = life.type === 'waiting' && (life.for as string) === 'person';
    const asked = openQuestion(state)?.question.kind;
    if (asked === 'shared_cause') this.#askingForAll.add(run.id);
    else this.#askingForAll.delete(run.id);
    // Who stopped a run knows that it waits for them: nothing is asked.
    const isStopped = asks && run.stoppedAt !== null && asked === undefined;
    if (asks && asked === undefined && !isStopped) this.say(run, 'waits for a person and asks nothing');
    if (!asks && asked !== undefined) this.say(run, `an open question while ${life.type}`);
    for (const { counted, number } of state.attempts) {
      const previous = run.processes.findLast(({ attempt }) => attempt === number - 1);
      const outage =
        previous !== undefined && ['outage', 'limit', 'overload', 'login', 'host'].includes(previous.cause);
      if (counted && outage && previous.endedAt !== null)
        this.say(run, 'an outage was counted against the run');
    }
    if (life.type !== 'ended') return;
    for (const scope of scopesOf(run)) if (this.#metBy.get(scope)?.has(run.id)) this.#forget(scope);
    if (run.processes.some(({ alive }) => alive)) this.say(run, 'P6: ended while a process lives');
    if (state.missions.some(({ outcome }) => outcome === null)) this.say(run, 'ended with an open mission');
    if (state.incidents.some(({ outcome }) => outcome === null)) this.say(run, 'ended with an open incident');
    if (timers > 0) this.say(run, 'ended with timers');
    if (life.state === 'abandoned' && life.reason === '') this.say(run, 'P3: abandoned without a reason');
    if (life.state === 'unverified' && run.hasChecks)
      this.say(run, 'P4: unverified although there are checks');
    if (life.state !== 'delivered' || run.takenByWord) return;
    if (run.deliveredTree === null || run.checked.get(run.deliveredTree) !== true)
      this.say(run, `P4: delivered ${run.deliveredTree} without a passing check`);
  }

  replayed(run: SeenRun, journal: readonly RunEvent[], state: RunState): void {
    if (JSON.stringify(fold(run.id, journal)) !== JSON.stringify(state))
      this.say(run, 'replay of the journal is not the state');
  }

  loginQuestions(account: string, open: readonly SeenRun[]): void {
    if (open.length > 1 && open[0] !== undefined)
      this.say(open[0], `${open.length} login questions for account ${account}`);
  }
}

/** Who else meets what this run met. */
function scopeOf({ account, host }: Pick<SeenRun, 'account' | 'host'>, cause: Cause): string | null {
  switch (cause) {
    case 'limit':
      return `limit of ${account}`;
    case 'overload':
      return `overload of ${account}`;
    case 'outage':
      return `network of ${account} on ${host}`;
    default:
      return null;
  }
}

function scopesOf(run: SeenRun): string[] {
  return (['limit', 'overload', 'outage'] as const).map((cause) => scopeOf(run, cause) ?? '');
}
