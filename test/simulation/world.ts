/** A whole world from a seed: runs, accounts, hosts, outages, people; and at its end calm, in which every run must end. */
import { DEFAULT_POLICY, type Policy } from '../../src/core/vocabulary/policy.ts';
import type { Question } from '../../src/core/vocabulary/questions/question.ts';
import { safeOption } from '../../src/core/vocabulary/questions/recommended.ts';
import type { Hold } from '../../src/core/vocabulary/hold.ts';
import type { Sighting } from '../../src/core/fleet/shared-cause.ts';
import { openQuestion } from '../../src/core/state/run-state.ts';
import { OPTIONS, TASK } from '../core/story.ts';
import type { Surroundings } from './agent-life.ts';
import { Clock } from './clock.ts';
import { Judge } from './judge.ts';
import { NO_BUG, type PlantedBug } from './planted-bugs.ts';
import { Random } from './random.ts';
import { SimulatedRun } from './simulated-run.ts';

const MINUTE = 60_000;
/** How long faults may happen, then how many steps the calm may take until every run has ended. */
const TROUBLED_MS = 90 * MINUTE;
const MAX_STEPS = 3_000;
const CALM_STEPS = 3_000;
/** Every so many worlds one is crowded: all runs share a host and an account, and the host is cut off for a while. */
const CROWDED_EVERY = 5;

/** Of so many worlds one loses hosts for good; those that are kept as tests are none of them. */
const LOSES_HOSTS_EVERY = 8;
const LOSES_HOSTS_AT = 2;

interface Account {
  readonly name: string;
  limitedUntil: number | null;
  overloadedUntil: number | null;
  loginExpired: boolean;
}

export class World {
  readonly clock = new Clock();
  readonly random: Random;
  readonly bug: PlantedBug;
  readonly judge: Judge;
  readonly holds = new Map<string, Hold>();
  readonly sightings: Sighting[] = [];
  readonly runs: SimulatedRun[] = [];
  calm = false;
  readonly losesHosts: boolean;
  steps = 0;
  readonly #policy: Policy;
  readonly #accounts: Account[];
  readonly #hosts: readonly string[];
  readonly #cutOff = new Set<string>();
  #sharedFault = false;
  #counter = 0;

  constructor(seed: number, bug: PlantedBug = NO_BUG) {
    this.random = new Random(seed);
    this.bug = bug;
    this.#policy = this.#choosePolicy();
    this.judge = new Judge(this.#policy);
    const crowded = seed % CROWDED_EVERY === 0;
    this.#accounts = Array.from({ length: crowded ? 1 : this.random.between(1, 2) }, (_, index) => ({
      name: `a${index + 1}`,
      limitedUntil: null,
      overloadedUntil: null,
      loginExpired: false,
    }));
    this.#hosts = ['h1', 'h2', 'h3'].slice(0, crowded ? 1 : this.random.between(1, 3));
    const runs = this.random.between(crowded ? 5 : 1, 8);
    for (let number = 1; number <= runs; number += 1) this.#createRun(number);
    this.#scheduleTrouble(crowded);
    this.losesHosts = seed % LOSES_HOSTS_EVERY === LOSES_HOSTS_AT;
    if (this.losesHosts) this.#scheduleLostHosts();
  }

  /** Plays to the end; what was violated is in `judge`. */
  play(): this {
    const end = this.clock.now + TROUBLED_MS;
    this.clock.at(end, () => this.#becalm());
    while (this.judge.violations.length === 0 && this.clock.next()) {
      this.steps += 1;
      if (!this.calm && this.steps > MAX_STEPS) this.#becalm();
      if (this.#allEnded() && (this.calm || this.random.chance(0.5))) break;
      if (this.steps > MAX_STEPS + CALM_STEPS) break;
    }
    if (this.judge.violations.length === 0) {
      for (const run of this.runs) {
        this.judge.replayed(run, run.journal, run.state);
        if (run.state.life.type !== 'ended')
          this.judge.say(run, `liveness: still ${JSON.stringify(run.state.life)}`);
      }
    }
    return this;
  }

  count(): number {
    this.#counter += 1;
    return this.#counter;
  }

  around(run: SimulatedRun): Surroundings {
    const account = this.#accounts.find(({ name }) => name === run.account);
    return {
      networkDown: this.#cutOff.has(run.host),
      limitedUntil: account?.limitedUntil ?? null,
      overloadedUntil: account?.overloadedUntil ?? null,
      loginExpired: account?.loginExpired ?? false,
      sharedFault: this.#sharedFault,
      calm: this.calm,
      timeoutMs: this.#policy.timeout_ms,
    };
  }

  wakeAll(delays: readonly number[]): void {
    for (const run of this.runs) for (const delay of delays) if (delay > 0) run.wake(delay);
  }

  asked(run: SimulatedRun, question: Question): void {
    const { random } = this;
    if (this.calm) return this.#answerCalmly(run, question);
    if (random.chance(0.15)) return;
    const option = random.chance(0.6) ? usualOption(question) : random.pick(question.options).id;
    const times = random.chance(0.1) ? 2 : 1;
    this.clock.in(random.between(500, 20 * MINUTE), () => {
      for (let time = 0; time < times; time += 1)
        run.hear({ type: 'question_answered', question: question.id, option, note: 'because', by: 'ann' });
    });
  }

  loginMended(account: string): void {
    for (const each of this.#accounts) if (each.name === account) each.loginExpired = false;
  }

  lookForLoginQuestions(account: string): void {
    const asking = this.runs.filter(
      (run) => run.account === account && openQuestion(run.state)?.question.kind === 'login',
    );
    // Two may ask in the same instant; one of them takes its question back at its next look.
    if (asking.length > 1 && asking.every(({ state }) => this.clock.now - state.updatedAt > 5_000))
      this.judge.loginQuestions(account, asking);
  }

  #choosePolicy(): Policy {
    const { random } = this;
    return {
      ...DEFAULT_POLICY,
      restarts: random.between(1, 3),
      restart_window_ms: random.pick([2, 10]) * MINUTE,
      restarts_total: random.between(3, 6),
      futile_rescues: random.between(2, 4),
      backoff_ms: random.pick([1_000, 10_000, 40_000]),
      backoff_max_ms: 2 * MINUTE,
      timeout_ms: random.pick([3, 20]) * MINUTE,
      reset_skew_ms: 5_000,
      unknown_reset_ms: MINUTE,
      probe_ms: 5_000,
      wake_stagger_ms: 20_000,
      question_deadline_ms: random.chance(0.15) ? 60 * MINUTE : 0,
      rescue_at_deadline: random.chance(0.5) ? 1 : 0,
      fleet_restarts: random.pick([2, 4, 60]),
    };
  }

  #createRun(number: number): void {
    const { random } = this;
    const limited = random.chance(0.2);
    const run = new SimulatedRun(
      this,
      {
        type: 'run_created',
        at: this.clock.now,
        task: {
          ...TASK,
          checks: random.chance(0.9) ? TASK.checks : [],
          budget: { ...TASK.budget, tokens: limited ? 1_000 : null },
        },
        policy: this.#policy,
        agent: { name: 'rehearsal', command: [], model: null },
        options: OPTIONS,
        repository: '/repo',
        by: 'ann',
      },
      `r${number}`,
      random.pick(this.#accounts).name,
      random.pick(this.#hosts),
    );
    this.runs.push(run);
  }

  #scheduleTrouble(crowded: boolean): void {
    const { random } = this;
    const sometime = (act: () => void) =>
      this.clock.in(random.between(0, TROUBLED_MS / 2), () => !this.calm && act());
    const lasting = (share: number, begin: () => void, end: () => void, longestMs: number) => {
      if (!random.chance(share)) return;
      sometime(() => {
        begin();
        this.clock.in(random.between(MINUTE, longestMs), end);
      });
    };
    for (const host of this.#hosts) {
      lasting(
        crowded ? 1 : 0.3,
        () => this.#cutOff.add(host),
        () => this.#cutOff.delete(host),
        20 * MINUTE,
      );
      if (random.chance(0.1)) sometime(() => this.runs.forEach((run) => run.host === host && run.reboot()));
    }
    lasting(
      0.3,
      () => (this.#sharedFault = true),
      () => this.#endSharedFault(),
      60 * MINUTE,
    );
    for (const account of this.#accounts) {
      lasting(
        0.4,
        () => (account.limitedUntil = this.clock.now + random.between(MINUTE, 30 * MINUTE)),
        () => {},
        MINUTE,
      );
      lasting(
        0.3,
        () => (account.overloadedUntil = this.clock.now + random.between(MINUTE, 20 * MINUTE)),
        () => {},
        MINUTE,
      );
      if (random.chance(0.25)) sometime(() => (account.loginExpired = true));
    }
    for (const run of this.runs) {
      for (let times = random.between(0, 3); times > 0; times -= 1) sometime(() => run.loseSupervisor());
      for (let times = random.between(0, 2); times > 0; times -= 1) sometime(() => run.freezeSupervisor());
      for (let times = random.between(0, 8); times > 0; times -= 1) sometime(() => run.repeatOldFact());
      this.#schedulePeople(run, sometime);
    }
  }

  #scheduleLostHosts(): void {
    for (const run of this.runs) this.clock.in(this.random.between(0, TROUBLED_MS / 2), () => run.loseHost());
  }

  #schedulePeople(run: SimulatedRun, sometime: (act: () => void) => void): void {
    const { random } = this;
    const by = 'bob';
    const soon = (act: () => void) =>
      random.chance(0.5)
        ? sometime(act)
        : this.clock.in(random.between(0, 10_000), () => !this.calm && act());
    if (random.chance(0.15)) soon(() => run.hear({ type: 'stop_requested', by, reason: 'lunch' }));
    if (random.chance(0.1)) sometime(() => run.hear({ type: 'resume_requested', by, note: '' }));
    if (random.chance(0.08)) sometime(() => run.hear({ type: 'flag_raised', by, reason: 'wrong way' }));
    if (random.chance(0.06)) sometime(() => run.hear({ type: 'accept_requested', by, note: 'good enough' }));
    if (random.chance(0.06))
      sometime(() => run.hear({ type: 'abandon_requested', by, reason: 'not needed' }));
    if (random.chance(0.1)) {
      const plan = {
        category: null,
        rootCause: null,
        evidence: [],
        injection: 'look there',
        filesAdded: [],
        specChanges: [],
      };
      sometime(() => run.hear({ type: 'rescue_requested', by, plan }));
    }
    for (let times = random.between(0, 2); times > 0; times -= 1)
      soon(() => run.hear({ type: 'clock_jumped', sleptMs: random.between(1_000, 3_600_000), jumpedMs: 0 }));
  }

  #endSharedFault(): void {
    this.#sharedFault = false;
    this.judge.sharedForgotten('world');
  }

  /** The faults stop and people answer. */
  #becalm(): void {
    if (this.calm) return;
    this.calm = true;
    this.#cutOff.clear();
    this.#endSharedFault();
    for (const account of this.#accounts) {
      account.limitedUntil = null;
      account.overloadedUntil = null;
      account.loginExpired = false;
    }
    for (const run of this.runs) {
      const question = openQuestion(run.state)?.question;
      if (question !== undefined) this.#answerCalmly(run, question);
      if (run.stoppedAt !== null) this.#resumeCalmly(run);
      run.wake(1);
    }
  }

  /** Its stop may take effect only now: the person who stopped it comes back in the end. */
  stopped(run: SimulatedRun): void {
    if (this.calm) this.#resumeCalmly(run);
  }

  #resumeCalmly(run: SimulatedRun): void {
    this.clock.in(this.random.between(500, MINUTE), () =>
      run.hear({ type: 'resume_requested', by: 'ann', note: '' }),
    );
  }

  #answerCalmly(run: SimulatedRun, question: Question): void {
    const { random } = this;
    const option =
      question.options.find(({ id }) => id === 'retry' || id === 'fix_sink')?.id ?? usualOption(question);
    this.clock.in(random.between(500, MINUTE), () =>
      run.hear({ type: 'question_answered', question: question.id, option, note: 'because', by: 'ann' }),
    );
  }

  #allEnded(): boolean {
    return this.runs.every(({ state }) => state.life.type === 'ended');
  }
}

/** What lets the run go on: people widen, pass and raise more often than Mayday recommends. */
function usualOption({ kind, options, recommended }: Question): string {
  const [first] = options;
  if (first === undefined) return '';
  const isBold = kind !== 'permission' && safeOption([first]) === null;
  return isBold ? first.id : (recommended ?? first.id);
}
