/**
 * The invariants, counted by the world and not by the core: what really lived, what was really checked, what people
 * really said. It shares no code with the deciding part.
 */
import type { RunEvent } from '../../src/core/event.ts';
import type { RunState } from '../../src/core/run-state.ts';
import { fold } from '../../src/core/step.ts';
import type { Cause } from './agent-life.ts';

export interface SeenProcess {
  readonly attempt: number;
  readonly spawnedAt: number;
  readonly askedAt: number;
  readonly account: string;
  alive: boolean;
  endedAt: number | null;
  /** Somebody had a reason to end it. */
  mayBeStopped: boolean;
  proven: boolean;
  cause: Cause;
  /** The tree when it began. */
  readonly tree: string;
}

/** What the world knows about one run. */
export interface SeenRun {
  readonly id: string;
  readonly account: string;
  readonly hasChecks: boolean;
  readonly processes: SeenProcess[];
  /** Results of checks that really ran, by tree. */
  readonly checked: Map<string, boolean>;
  tree: string;
  deliveredTree: string | null;
  /** When a person last told this run to go on. */
  wordAt: number;
  stoppedAt: number | null;
  /** It waited for a cause that others share; going on is not counted. */
  excused: boolean;
  /** A person took the work as it is. */
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

const FAULTS: ReadonlySet<Cause> = new Set(['fault', 'lie', 'shared']);

export class Judge {
  readonly violations: string[] = [];
  readonly #limits: Limits;
  readonly #counted: number[] = [];
  #alike: { run: string; at: number }[] = [];
  #sharedSince: number | null = null;
  readonly #limitedSince = new Map<string, number>();

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
    this.#budgets(run, now);
    this.#herd(run, process);
    if (this.#sharedSince !== null && process.askedAt > this.#sharedSince && run.wordAt < this.#sharedSince) {
      const metItLast = run.processes.at(-2)?.cause === 'shared';
      if (metItLast && this.#alike.some(({ run: id }) => id === run.id))
        this.say(run, 'shared cause: restarted what several runs had failed of alike');
    }
  }

  /** The restart budgets, from the ends that were the agent's own fault. */
  #budgets(run: SeenRun, now: number): void {
    const previous = run.processes.at(-2);
    if (run.excused) {
      run.excused = false;
      run.wordAt = now;
      return;
    }
    if (previous === undefined || !FAULTS.has(previous.cause) || (previous.endedAt ?? 0) < run.wordAt) return;
    const mine = this.#spawnsAfterFault(run);
    const { restarts, restart_window_ms, restarts_total, futile_rescues, timeout_ms } = this.#limits;
    const recent = mine.filter(({ spawnedAt }) => spawnedAt > now - restart_window_ms);
    if (recent.length > restarts)
      this.say(run, `${recent.length} restarts in the window, budget ${restarts}`);
    if (mine.length > restarts_total)
      this.say(run, `${mine.length} restarts in all, budget ${restarts_total}`);
    const futile = this.#futile(run);
    if (futile > futile_rescues) this.say(run, `${futile} restarts in a row without any new tree`);
    const burnt = run.processes.filter(
      ({ spawnedAt, endedAt }) =>
        spawnedAt > run.wordAt && (endedAt ?? spawnedAt) - spawnedAt > timeout_ms * 0.55,
    );
    const sameTree =
      new Set(burnt.map(({ tree }) => tree)).size <= 1 && burnt.every(({ tree }) => tree === run.tree);
    if (burnt.length >= 2 && sameTree && burnt.every(({ cause }) => cause === 'fault'))
      this.say(run, 'a third attempt after two that burnt half of the limit');
    // By the moment somebody set out to start it; the process comes to be a little later.
    const askedAt = run.processes.at(-1)?.askedAt ?? now;
    this.#counted.push(askedAt);
    const fleet = this.#counted.filter(
      (at) => at <= askedAt && at > askedAt - this.#limits.fleet_window_ms,
    ).length;
    if (fleet > this.#limits.fleet_restarts) this.say(run, `${fleet} restarts in the fleet's window`);
  }

  #spawnsAfterFault(run: SeenRun): SeenProcess[] {
    return run.processes.filter((process, index) => {
      const previous = run.processes[index - 1];
      return (
        previous !== undefined &&
        FAULTS.has(previous.cause) &&
        process.askedAt > run.wordAt &&
        (previous.endedAt ?? 0) > run.wordAt
      );
    });
  }

  #futile(run: SeenRun): number {
    let count = 0;
    for (const process of run.processes.toReversed()) {
      if (process.tree !== run.tree || process.askedAt < run.wordAt) break;
      count += 1;
    }
    // The newest has not had its chance, and the first was no rescue.
    const all = run.processes.filter(({ askedAt }) => askedAt >= run.wordAt);
    const onlyFaults = all.every(({ cause, alive }) => alive || FAULTS.has(cause));
    return onlyFaults ? count - 1 : 0;
  }

  /** After a limit was met, one process tries; the others wait until it is seen well. */
  #herd(run: SeenRun, process: SeenProcess): void {
    const since = this.#limitedSince.get(run.account);
    if (since === undefined || process.askedAt <= since) return;
    const well = this.#probes.some(
      (other) =>
        other.account === run.account && other.spawnedAt > since && this.#isProven(other, process.askedAt),
    );
    if (well) this.#limitedSince.delete(run.account);
    if (well) return;
    const trying = this.#probes.filter(
      (other) =>
        !this.#sentByWord.has(other) &&
        other.account === run.account &&
        other.spawnedAt > since &&
        other.alive &&
        !this.#isProven(other, process.spawnedAt),
    );
    if (trying.length > 0 && run.wordAt < since)
      this.say(run, 'limit: a second run woke before the first was seen well');
    this.#probes.push(process);
    if (run.wordAt >= since) this.#sentByWord.add(process);
  }
  readonly #probes: SeenProcess[] = [];
  /** A person said "go on" in spite of the limit; that is nobody's herd. */
  readonly #sentByWord = new Set<SeenProcess>();

  #isProven({ proven, spawnedAt, endedAt }: SeenProcess, now: number): boolean {
    return proven || (endedAt ?? now) - spawnedAt >= this.#limits.probe_ms;
  }

  /** The core has looked at an ended process. */
  examined(run: SeenRun, process: SeenProcess, now: number): void {
    if (process.cause === 'limit' && !this.#limitedSince.has(run.account))
      this.#limitedSince.set(run.account, now);
    if (process.cause !== 'limit' && process.spawnedAt > (this.#limitedSince.get(run.account) ?? Infinity))
      this.#limitedSince.delete(run.account);
  }

  provenWell(run: SeenRun, process: SeenProcess): void {
    process.proven = true;
    if (process.spawnedAt > (this.#limitedSince.get(run.account) ?? Infinity))
      this.#limitedSince.delete(run.account);
  }

  /** The core decided on a failure that several runs share in this world. */
  decidedOnShared(run: SeenRun, now: number): void {
    const { shared_cause_runs, shared_cause_window_ms } = this.#limits;
    this.#alike = this.#alike.filter(({ at }) => at > now - shared_cause_window_ms);
    this.#alike.push({ run: run.id, at: now });
    const runs = new Set(this.#alike.map(({ run: id }) => id));
    if (runs.size >= shared_cause_runs) this.#sharedSince ??= now;
  }

  /** A person said that the shared cause is mended. */
  sharedForgotten(): void {
    this.#alike = [];
    this.#sharedSince = null;
  }

  stoppedByMayday(run: SeenRun, process: SeenProcess): void {
    if (process.alive && !process.mayBeStopped) this.say(run, 'healthy work was killed');
  }

  stale(run: SeenRun, event: string): void {
    this.say(run, `a stale or doubled ${event} changed something`);
  }

  turned(run: SeenRun, state: RunState, timers: number): void {
    const { life } = state;
    const open = state.questions.filter(({ state: kind }) => kind === 'open').length;
    const asks = life.type === 'waiting' && (life.for as string) === 'person';
    if (asks && open !== 1) this.say(run, `waits for a person with ${open} open questions`);
    if (!asks && open > 0) this.say(run, `${open} open question(s) while ${life.type}`);
    for (const { counted, number } of state.attempts) {
      const previous = run.processes.find(({ attempt }) => attempt === number - 1);
      const outage = previous !== undefined && ['outage', 'limit', 'login'].includes(previous.cause);
      if (counted && outage && previous.endedAt !== null)
        this.say(run, 'an outage was counted against the run');
    }
    if (life.type !== 'ended') return;
    if (run.processes.some(({ alive }) => alive)) this.say(run, 'P6: ended while a process lives');
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
