/** One run in the simulated world: its record, its supervisors (which die, sleep and wake as zombies), its processes. */
import { isFailureClass } from '../../src/core/vocabulary/classes/failure-class.ts';
import type { Command, KeyedCommand } from '../../src/core/vocabulary/events/command.ts';
import type { Fact, RunEvent } from '../../src/core/vocabulary/events/event.ts';
import { sightingsOf } from '../../src/core/fleet/fleet-turn.ts';
import { RESTART_SIGHTING } from '../../src/core/fleet/shared-cause.ts';
import { liveAttempt, openQuestion, type RunState } from '../../src/core/state/run-state.ts';
import { fold } from '../../src/core/state/fold.ts';
import { begin } from '../../src/core/step.ts';
import { CHECKPOINT, EXAMINATION, PREPARED } from '../core/story.ts';
import { type AgentLife, agentLife } from './agent-life.ts';
import { lookAtFleet } from './fleet.ts';
import { FAULTS, type SeenProcess, type SeenRun } from './judge.ts';
import type { World } from './world.ts';

type Untimed<T> = T extends unknown ? Omit<T, 'at'> : never;
export type Word = Untimed<Fact>;

interface Owner {
  readonly fence: number;
  state: RunState;
  alive: boolean;
  asleep: boolean;
  acting: boolean;
  readonly later: (() => void)[];
}

interface Pending extends KeyedCommand {
  settled: boolean;
  begunAt: number | null;
}

interface Process extends SeenProcess {
  readonly life: AgentLife;
  readonly good: { value: boolean };
  /** Nothing of it is where the run is now. */
  isLost: boolean;
  exit: { exitCode: number | null; signal: string | null; noted: boolean } | null;
}

const ONCE: ReadonlySet<Fact['type']> = new Set([
  'workspace_prepared',
  'attempt_started',
  'attempt_ended',
  'attempt_examined',
  'question_answered',
]);

/** So often the host is lost about when an agent ends, where hosts are lost at all. */
const LOST_AT_END = 0.1;

export class SimulatedRun implements SeenRun {
  readonly id: string;
  readonly account: string;
  readonly host: string;
  readonly hasChecks: boolean;
  readonly journal: RunEvent[];
  /** The state after each turn, and how long the journal was. */
  readonly cuts: { readonly events: number; readonly state: RunState }[] = [];
  readonly processes: Process[] = [];
  readonly checked = new Map<string, boolean>();
  readonly timers = new Map<string, number>();
  readonly mail: Word[] = [];
  tree = 't0';
  deliveredTree: string | null = null;
  wordAt = 0;
  stoppedAt: number | null = null;
  takenByWord = false;
  readonly saved = new Set<string>();
  state: RunState;
  readonly #world: World;
  readonly #outbox: Pending[] = [];
  readonly #good = new Set<string>();
  readonly #zombies: Owner[] = [];
  readonly #mayStop = new Set<number>();
  /** Held for a cause that others share: its next start is not counted. */
  #excused = false;
  /** A person answered the question about the end of the last process: the next start is the one that was granted. */
  #granted = false;
  #fence = 1;
  #owner: Owner;
  #checkpoints = 0;
  /** Its host was lost: the next one has only what was saved. */
  #isElsewhere = false;
  /** The tree that another host would begin from. */
  #lastSaved = 't0';
  #usedTokens = 0;
  #delivered = false;

  constructor(
    world: World,
    fact: Extract<Fact, { type: 'run_created' }>,
    id: string,
    account: string,
    host: string,
  ) {
    this.#world = world;
    this.id = id;
    this.account = account;
    this.host = host;
    this.hasChecks = fact.task.checks.length > 0;
    const first = begin(id, fact);
    this.journal = [fact, ...first.decisions];
    this.state = first.state;
    this.#owner = this.#newOwner(first.state);
    this.#outbox.push(...first.commands.map((command) => ({ ...command, settled: false, begunAt: null })));
    this.wake(1);
  }

  wake(delayMs: number): void {
    this.#world.clock.in(delayMs, () => this.#pump(this.#owner));
  }

  /** A word that reaches the run through its mailbox. */
  hear(word: Word): void {
    this.mail.push(word);
    this.wake(1);
  }

  /** Its supervisor dies as by kill -9; another process finds the run. */
  loseSupervisor(): void {
    this.#owner.alive = false;
    this.#world.clock.in(this.#world.random.between(1_000, 40_000), () => this.#takeOver());
  }

  /** Its supervisor stands still past its lease, and wakes later as a zombie. */
  freezeSupervisor(): void {
    const zombie = this.#owner;
    zombie.asleep = true;
    this.#world.clock.in(this.#world.random.between(15_000, 30_000), () => this.#takeOver());
    this.#world.clock.in(this.#world.random.between(20_000, 300_000), () => {
      zombie.asleep = false;
      for (const act of zombie.later.splice(0)) act();
      this.#zombies.push(zombie);
      for (let seconds = 0; seconds < 60; seconds += 5)
        this.#world.clock.in(seconds * 1000, () => this.#pump(zombie));
    });
  }

  /** The machine went down and came up: nothing of it lives, nobody noted how it ended. */
  reboot(): void {
    this.#endWithHost();
    this.loseSupervisor();
  }

  /** The machine is gone for good: another one goes on from the last checkpoint, and nobody there saw what the last process left. */
  loseHost(): void {
    if (this.state.life.type === 'ended' || this.journal.length < 3 || this.#world.calm) return;
    this.#endWithHost();
    this.#owner.alive = false;
    this.#zombies.length = 0;
    const last = this.processes.at(-1);
    if (last !== undefined && !last.saved && last.cause !== 'word') {
      last.cause = 'host';
      last.manner = null;
      last.saved = this.state.attempts.at(-1)?.startedAt === null;
      last.isLost = true;
    }
    this.#isElsewhere = true;
    this.#world.clock.in(this.#world.random.between(15_000, 40_000), () => this.#takeOver());
  }

  #endWithHost(): void {
    for (const process of this.processes) {
      if (!process.alive) continue;
      process.exit = { exitCode: null, signal: null, noted: false };
      // Why it was being stopped is known, whatever ended it.
      if (process.cause !== 'word') process.cause = this.state.life.type === 'stopping' ? 'fault' : 'host';
      this.#died(process);
    }
  }

  /** A message that was sent before: late, doubled, about an attempt that is over. */
  repeatOldFact(): void {
    const { random, bug, judge, clock } = this.#world;
    const old = random.pick(this.journal) as Fact;
    const aboutOld =
      'attempt' in old && typeof old.attempt === 'number' && old.attempt < this.state.attempts.length;
    if (!ONCE.has(old.type) && !(old.type === 'signal_raised' && aboutOld)) return;
    if (bug.step(this.state, { ...old, at: clock.now } as Fact) !== null) judge.stale(this, old.type);
  }

  #newOwner(state: RunState): Owner {
    return { fence: this.#fence, state, alive: true, asleep: false, acting: false, later: [] };
  }

  #takeOver(): void {
    if (this.state.life.type === 'ended') return;
    const { bug, judge } = this.#world;
    const elsewhere = this.#isElsewhere;
    this.#isElsewhere = false;
    if (elsewhere) this.tree = this.#lastSaved;
    this.#fence += 1;
    const state = fold(this.id, this.journal) as RunState;
    if (!bug.checksNoFence) judge.replayed(this, this.journal, this.state);
    const owner = this.#newOwner(state);
    this.#owner = owner;
    this.#commit(owner, { type: 'taken_over', from: 'nobody', why: 'its keeper was gone' });
    const live = liveAttempt(owner.state);
    if (elsewhere && !bug.blamesLostAgent) this.#reportLost(owner);
    else if (live !== undefined) {
      const process = this.#processOf(live.number);
      if (bug.bootsWithoutLooking || process === undefined || !process.alive)
        this.#reportEnd(owner, live.number);
    }
    this.wake(1);
  }

  /** As the host does that takes the run: what was not examined where it happened is lost. */
  #reportLost(owner: Owner): void {
    const attempt = owner.state.attempts.at(-1);
    if (attempt === undefined || attempt.examination !== null || attempt.endedBy === 'person') return;
    if (attempt.startedAt === null && attempt.endedAt === null) return;
    const { number, exitCode, signal } = attempt;
    this.#commit(owner, {
      type: 'attempt_ended',
      attempt: number,
      exit: { exitCode, signal, outOfMemory: false, endedBy: 'host', exitedAt: null },
    });
  }

  #pump(owner: Owner): void {
    if (!owner.alive || owner.asleep) return;
    const { clock } = this.#world;
    for (const [name, dueAt] of this.timers) {
      if (dueAt > clock.now || !owner.alive) continue;
      if (owner === this.#owner) this.timers.delete(name);
      this.#commit(owner, { type: 'timer_fired', name });
    }
    if (owner === this.#owner) for (const word of this.mail.splice(0)) this.#commit(owner, word);
    if (owner === this.#owner) lookAtFleet(this.#world, this, (fact) => this.#commit(owner, fact), null);
    this.#act(owner);
  }

  #act(owner: Owner): void {
    const { clock, random, bug } = this.#world;
    const pending = this.#outbox.find(({ settled }) => !settled);
    if (!owner.alive || owner.acting || pending === undefined) return;
    if (owner.fence !== this.#fence && !bug.checksNoFence) {
      owner.alive = false;
      return;
    }
    const { command } = pending;
    // One that somebody began may have come to be: it is looked at, never dropped.
    const untouched = pending.begunAt === null;
    pending.begunAt ??= clock.now;
    if (command.type === 'start_attempt' && owner === this.#owner && untouched)
      lookAtFleet(this.#world, this, (fact) => this.#commit(owner, fact), command.attempt);
    if (command.type === 'start_attempt' && owner.state.life.type === 'waiting') {
      pending.settled = true;
      return this.wake(1);
    }
    const next = this.state.attempts.at(-1);
    if (command.type === 'start_attempt' && untouched && next?.counted)
      this.#world.sightings.push({ runId: this.id, key: RESTART_SIGHTING, at: clock.now });
    owner.acting = true;
    const askedAt = pending.begunAt;
    const finish = (facts: readonly Word[]) => {
      owner.acting = false;
      if (facts.length === 0) pending.settled = true;
      for (const [index, fact] of facts.entries())
        this.#commit(owner, fact, index === facts.length - 1 ? pending : undefined);
      this.wake(1);
    };
    const during = (delayMs: number, act: () => void) =>
      clock.in(delayMs, () => {
        if (owner.asleep) owner.later.push(act);
        else if (owner.alive) act();
      });
    // A second look at a start that may have come to be does not give up: keepers try again.
    const mayFail = command.type !== 'release' && (command.type !== 'start_attempt' || untouched);
    if (!this.#world.calm && mayFail && random.chance(0.02)) {
      during(random.between(1, 500), () =>
        finish([
          {
            type: 'command_failed',
            command: command.type,
            code: 'DISK_FULL',
            message: 'no space',
            advice: [],
          },
        ]),
      );
      return;
    }
    during(random.between(1, 400), () =>
      this.#perform(owner, command, askedAt, (delay, facts) => during(delay, () => finish(facts()))),
    );
  }

  #perform(
    owner: Owner,
    command: Command,
    askedAt: number,
    finish: (delayMs: number, facts: () => readonly Word[]) => void,
  ): void {
    const { random } = this.#world;
    const delay = random.between(1, 400);
    switch (command.type) {
      case 'prepare_workspace':
        return finish(delay, () => [PREPARED]);
      case 'run_checks':
        return finish(delay, () => [this.#check(command.purpose, command.tree)]);
      case 'start_attempt': {
        const { life } = owner.state;
        if ((life.type !== 'working' && life.type !== 'stopping') || life.attempt !== command.attempt)
          return finish(delay, () => []);
        this.#start(command.attempt, askedAt);
        // Found dead by a second look: the watch sees it at once.
        this.#world.clock.in(delay + 100, () => {
          if (this.#processOf(command.attempt)?.alive === false)
            for (const watcher of this.#watchers()) this.#reportEnd(watcher, command.attempt);
        });
        return finish(delay, () => [started(command.attempt)]);
      }
      case 'stop_attempt':
        return this.#stop(owner, command.attempt, finish);
      case 'examine_attempt':
        return finish(delay, () => [this.#examine(command.attempt)]);
      case 'deliver':
        return finish(delay, () => [this.#deliver(command.tree, command.salvage)]);
      case 'release':
        // Saves what is there first, as the act does.
        if (!this.#world.bug.savesNothing) this.#save();
        this.#world.judge.leaves(this, this.tree, 'given back');
        return finish(delay, () => [{ type: 'released' }]);
      default:
        return finish(delay, () => []);
    }
  }

  #processOf(attempt: number): Process | undefined {
    return this.processes.findLast((process) => process.attempt === attempt);
  }

  /** The claim of the attempt's folder decides: a second start finds the first. */
  #start(attempt: number, askedAt: number): void {
    const { clock, random, judge, bug } = this.#world;
    const first = this.#processOf(attempt);
    if (first !== undefined && !first.isLost && !bug.bootsWithoutLooking) {
      first.seenAt = clock.now;
      return;
    }
    const life = agentLife(random, clock.now, this.#world.around(this));
    const process: Process = {
      attempt,
      spawnedAt: clock.now,
      askedAt,
      seenAt: clock.now,
      account: this.account,
      host: this.host,
      alive: true,
      endedAt: null,
      mayBeStopped: this.#mayStop.has(attempt),
      proven: false,
      // A person's word came before it: it was never meant to live.
      cause: this.#mayStop.has(attempt) ? 'word' : life.cause,
      tree: this.tree,
      saved: false,
      sleptMs: 0,
      excused: this.#excused,
      manner: null,
      granted: this.#granted,
      life,
      good: { value: false },
      isLost: false,
      exit: null,
    };
    this.processes.push(process);
    this.#excused = false;
    this.#granted = false;
    judge.spawned(this, process, clock.now);
    if (life.endsInMs !== null) clock.in(life.endsInMs, () => this.#endsItself(process));
    if (life.writes !== null) clock.in(life.writes.inMs, () => this.#writes(process));
    if (life.signal !== null) clock.in(life.signal.inMs, () => this.#noticed(process));
    if (life.usageTokens > 0) clock.in(300, () => this.#used(process));
  }

  #writes(process: Process): void {
    if (!process.alive || process.life.writes === null) return;
    this.tree = `${this.id}-t${this.#world.count()}`;
    if (process.life.writes.good) this.#good.add(this.tree);
    if (this.#world.random.chance(0.5)) {
      this.#world.judge.provenWell(this, process);
      this.#report({ type: 'progress_observed', attempt: process.attempt, kind: 'tree', detail: 'changed' });
    }
  }

  #used(process: Process): void {
    if (!process.alive) return;
    const usage = {
      inputTokens: process.life.usageTokens,
      outputTokens: 0,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
    };
    this.#usedTokens += usage.inputTokens;
    if (this.#usedTokens > 1_000) process.mayBeStopped = true;
    this.#world.judge.provenWell(this, process);
    this.#report({
      type: 'usage_reported',
      attempt: process.attempt,
      usage: { ...usage, costUsd: 0, turns: 1 },
    });
  }

  #noticed(process: Process): void {
    if (!process.alive || process.life.signal === null) return;
    const { type, passes } = process.life.signal;
    // The second look finds it at work again.
    if (passes && !this.#world.bug.killsOnOneProbe) return;
    if (!passes) process.mayBeStopped = true;
    const { now } = this.#world.clock;
    this.#report({
      type: 'signal_raised',
      attempt: process.attempt,
      signal: {
        type,
        severity: 'critical',
        reason: `${type} in the simulation`,
        sinceAt: now,
        at: now,
        evidence: [],
        confidence: 0.9,
        suggestedAction: 'stop it',
      },
    });
  }

  #endsItself(process: Process): void {
    if (!process.alive) return;
    process.exit = { ...process.life.exit, noted: true };
    const { cause, life } = process;
    if (FAULTS.has(cause) && !life.says.raised && this.state.life.type === 'working')
      process.manner = `${cause} ${life.exit.exitCode ?? life.exit.signal}`;
    this.#died(process);
  }

  #died(process: Process): void {
    const { clock } = this.#world;
    process.alive = false;
    process.endedAt = clock.now;
    if (this.#world.losesHosts && this.#world.random.chance(LOST_AT_END))
      clock.in(this.#world.random.between(50, 1_000), () => this.loseHost());
    clock.in(this.#world.random.between(50, 300), () => {
      for (const owner of this.#watchers()) this.#reportEnd(owner, process.attempt);
    });
  }

  #reportEnd(owner: Owner, attempt: number): void {
    const exit = this.#processOf(attempt)?.exit ?? { exitCode: null, signal: null, noted: false };
    const { life } = owner.state;
    const by = life.type === 'stopping' ? life.by : exit.noted ? 'itself' : 'host';
    // Ended while it was being stopped: which came first cannot be told from outside.
    const process = this.#processOf(attempt);
    if (by === 'mayday' && owner === this.#owner && process?.cause === 'outage') process.cause = 'fault';
    this.#commit(owner, {
      type: 'attempt_ended',
      attempt,
      exit: { exitCode: exit.exitCode, signal: exit.signal, outOfMemory: false, endedBy: by, exitedAt: null },
    });
  }

  #stop(
    owner: Owner,
    attempt: number,
    finish: (delayMs: number, facts: () => readonly Word[]) => void,
  ): void {
    const { clock, bug, judge } = this.#world;
    const process = this.#processOf(attempt);
    const { life, policy } = owner.state;
    const stillMeant = life.type === 'stopping' && life.attempt === attempt;
    if (process === undefined || !process.alive || !stillMeant) return finish(10, () => []);
    if (life.by === 'mayday') judge.stoppedByMayday(this, process);
    const soft = process.life.ignoresTerm ? policy.stop_soft_ms + policy.stop_term_ms : 100;
    const dies = soft + process.life.diesLateMs;
    clock.in(dies, () => {
      if (!process.alive) return;
      process.exit = {
        exitCode: null,
        signal: process.life.ignoresTerm ? 'SIGKILL' : 'SIGTERM',
        noted: true,
      };
      if (process.cause === 'done') process.cause = 'fault';
      this.#died(process);
    });
    if (bug.assumesDeadAfterKill) {
      finish(soft + 10, () => [
        {
          type: 'attempt_ended',
          attempt,
          exit: { exitCode: null, signal: 'SIGKILL', outOfMemory: false, endedBy: 'mayday', exitedAt: null },
        },
      ]);
      return;
    }
    const giveUp = soft + policy.stop_give_up_ms;
    if (dies < giveUp) finish(dies + 10, () => []);
    else
      finish(giveUp, () =>
        process.alive ? [{ type: 'attempt_unkillable', attempt, evidence: ['still alive'] }] : [],
      );
  }

  #examine(attempt: number): Word {
    const { clock, judge, bug } = this.#world;
    const process = this.#processOf(attempt);
    this.#checkpoints += 1;
    const changed = this.tree === 't0' ? [] : ['a.txt'];
    if (!bug.savesNothing) this.#save();
    if (process !== undefined) {
      process.saved = !bug.savesNothing;
      judge.examined(this, process, clock.now);
    }
    return {
      type: 'attempt_examined',
      attempt,
      examination: {
        ...EXAMINATION,
        ...process?.life.says,
        partialWork: { ...EXAMINATION.partialWork, changed },
        checkpoint: { ...CHECKPOINT, number: this.#checkpoints, tree: this.tree },
      },
    };
  }

  #save(): void {
    this.saved.add(this.tree);
    this.#lastSaved = this.tree;
  }

  #check(purpose: 'baseline' | 'gate', tree: string): Word {
    const passed = this.#good.has(tree);
    if (purpose === 'gate') this.checked.set(tree, passed);
    const results = this.state.task.checks.map((command) => ({
      command,
      exitCode: passed ? 0 : 1,
      passed,
      timedOut: false,
      durationMs: 5,
      outputHash: 'o',
      outputTail: '',
      tree,
      variant: 'candidate' as const,
    }));
    return { type: 'checks_finished', purpose, tree, results, changed: tree === 't0' ? [] : ['a.txt'] };
  }

  #deliver(tree: string, salvage: boolean): Word {
    this.#world.judge.leaves(this, tree, 'delivered');
    if (!this.#world.calm && this.#world.random.chance(0.05))
      return {
        type: 'delivery_blocked',
        blocker: {
          code: 'sink_not_writable',
          stage: 'materialize',
          returnsTo: 'materialize',
          source: 'said',
          said: ['read-only'],
          resolutions: ['fix_sink', 'abandon'],
        },
      };
    if (!salvage) this.deliveredTree = tree;
    return { type: 'work_delivered', ref: 'mayday/x', files: ['a.txt'], salvage };
  }

  /** What the watch of whoever owns the run reports. */
  #report(word: Word): void {
    for (const owner of this.#watchers()) this.#commit(owner, word);
  }

  /** Everybody who believes to own the run. */
  #watchers(): readonly Owner[] {
    return [...this.#zombies, this.#owner].filter(({ alive, asleep }) => alive && !asleep);
  }

  #commit(owner: Owner, word: Word, settles?: Pending): void {
    const { clock, bug, judge, random } = this.#world;
    if (!owner.alive) return;
    if (owner.fence !== this.#fence && !bug.checksNoFence) {
      owner.alive = false;
      return;
    }
    const fact = { ...word, at: clock.now } as Fact;
    if (fact.type === 'clock_jumped') this.#slept(owner, fact.sleptMs);
    const next = bug.step(owner.state, fact);
    if (settles !== undefined) settles.settled = true;
    if (next === null) return;
    const before = owner.state;
    this.journal.push(fact, ...next.decisions);
    this.cuts.push({ events: this.journal.length, state: next.state });
    owner.state = next.state;
    this.state = next.state;
    this.#outbox.push(...next.commands.map((command) => ({ ...command, settled: false, begunAt: null })));
    for (const name of next.timers.cancel) this.timers.delete(name);
    for (const { name, dueAt } of next.timers.set) {
      this.timers.set(name, dueAt);
      clock.at(dueAt, () => this.#pump(this.#owner));
    }
    this.#remember(fact, before);
    for (const seen of sightingsOf(next.state, next.decisions, clock.now)) this.#world.sightings.push(seen);
    // A sink that cannot be written is not what the process met: its work passed in spite of that. An answer and a mission are the
    // words of a person; what the process met was counted when it was met.
    const decided = new Set(next.decisions.map(({ type }) => type));
    const isAboutProcess =
      !['delivery_blocked', 'question_answered'].includes(fact.type) &&
      decided.has('recovery_decided') &&
      !decided.has('mission_started');
    const decidedOn = isAboutProcess ? this.processes.at(-1) : undefined;
    const isBlockedBy = (wanted: string): boolean =>
      next.decisions.some(
        (decision) => decision.type === 'blocked' && decision.blockers.some(({ code }) => code === wanted),
      );
    // A run that has no budget left to wait for the others' sake warns nobody: the next one meets it for itself. So does a run
    // whose flag was raised: a person is asked about the flag, and what ended the process is not looked at.
    const isFlagged = isBlockedBy('waiting_for_input');
    if (decidedOn !== undefined && !isFlagged && !isBlockedBy('budget_exhausted'))
      judge.decidedOn(this, decidedOn, clock.now);
    if (decidedOn?.cause === 'shared' && !isFlagged) judge.decidedOnShared(this, clock.now);
    for (const decision of next.decisions) {
      if (decision.type === 'question_asked') this.#world.asked(this, decision.question);
      if (decision.type === 'stopped') this.#world.stopped(this);
      if (decision.type === 'mission_started') this.wordAt = clock.now;
      // Another agent goes on with what somebody took as it was.
      if (decision.type === 'attempt_planned') this.takenByWord = false;
      if (decision.type === 'stop_decided') this.#allowStop(decision.attempt, fact);
    }
    const timers = next.state.life.type === 'ended' ? this.timers.size : 0;
    judge.turned(this, next.state, timers);
    this.#world.lookForLoginQuestions(this.account);
    if (random.chance(0.05) || next.state.life.type === 'ended')
      judge.replayed(this, this.journal, next.state);
    this.wake(1);
  }

  /** Its limit begins when its start is noted; what was slept before that is no part of it. */
  #slept({ state }: Owner, sleptMs: number): void {
    const process = this.processes.at(-1);
    if (process?.alive && liveAttempt(state) !== undefined) process.sleptMs += sleptMs;
  }

  /** Reasons to end a process that are not its own behaviour. */
  #allowStop(attempt: number, fact: Fact): void {
    const process = this.#processOf(attempt);
    const reasons = ['timer_fired', 'stop_requested', 'flag_raised', 'accept_requested', 'abandon_requested'];
    const byWord = ['rescue_requested', 'question_answered', 'resume_requested'];
    if (![...reasons, ...byWord].includes(fact.type)) return;
    this.#mayStop.add(attempt);
    if (process === undefined) return;
    if (fact.type === 'timer_fired' && process.alive)
      this.#world.judge.timedOut(this, process, this.#world.clock.now);
    process.mayBeStopped = true;
    // Ended by a person's word: nobody's fault.
    if (fact.type !== 'timer_fired') process.cause = 'word';
  }

  #remember(fact: Fact, before: RunState): void {
    const { now } = this.#world.clock;
    if (fact.type === 'stop_requested') this.stoppedAt = now;
    if (fact.type === 'held' && fact.hold.kind === 'shared_cause') this.#excused = true;
    if (fact.type === 'work_delivered' && !fact.salvage) {
      if (this.#delivered) this.#world.judge.delivered(this);
      this.#delivered = true;
    }
    if (fact.type === 'accept_requested') this.takenByWord = true;
    // Whatever the agent did: the next attempt is the rescuer's.
    const last = this.processes.at(-1);
    if (fact.type === 'rescue_requested' && last !== undefined) last.cause = 'word';
    if (['question_answered', 'resume_requested', 'rescue_requested'].includes(fact.type)) {
      this.wordAt = now;
      this.stoppedAt = null;
      // `resume` is more than "once more": all restarts are granted again.
      this.#granted = false;
    }
    const kind = openQuestion(before)?.question.kind;
    // Whoever asked for all is told to go on, by an answer or without one. Its end is no such word.
    const hasEnded = this.state.life.type === 'ended' || this.state.asked.abandon !== null;
    if (kind === 'shared_cause' && openQuestion(this.state)?.question.kind !== kind && !hasEnded)
      this.#world.judge.sharedForgotten('person');
    if (fact.type !== 'question_answered') return;
    // Other questions (a command that failed, a flag) are not about how the last process ended.
    this.#granted = ['retry', 'revise_work'].includes(fact.option) && isFailureClass(kind ?? '');
    // The next attempt goes another way, because of the flag: it does not repeat what the last one met.
    if (kind === 'flag' && last !== undefined) last.cause = 'word';
    if (['waive_with_reason', 'record_judgment', 'accept_as_is'].includes(fact.option))
      this.takenByWord = true;
    if (kind === 'login' && fact.option === 'retry') this.#world.loginMended(this.account);
  }
}

function started(attempt: number): Word {
  return {
    type: 'attempt_started',
    attempt,
    agent: 'rehearsal',
    agentVersion: null,
    agentSession: 's1',
    level: 'process-group',
    handle: {},
  };
}
