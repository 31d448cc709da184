/** A run told fact by fact, for tests of the core: hand it yesterday's facts and look at what it would do. */
import type { ClassPolicies } from '../../src/core/vocabulary/classes/class-policy.ts';
import type { AgentChoice, Examination, ExitFacts, Fact } from '../../src/core/vocabulary/events/event.ts';
import type { ComposeFacts } from '../../src/core/vocabulary/events/compose-facts.ts';
import type { RepositoryRules } from '../../src/core/vocabulary/rules.ts';
import { DEFAULT_POLICY, type Policy, withPolicy } from '../../src/core/vocabulary/policy.ts';
import type { Life } from '../../src/core/vocabulary/life.ts';
import type { RunState } from '../../src/core/state/run-state.ts';
import { begin, type Step, step } from '../../src/core/step.ts';
import type { CheckpointFact } from '../../src/core/vocabulary/work.ts';
import type { Task } from '../../src/core/vocabulary/task.ts';

export const START = 1_000_000;

export const TASK: Task = {
  text: 'write a.txt',
  checks: ['test -f a.txt'],
  scope: [],
  budget: { tokens: null, usd: null, turns: null, wallClockMs: null },
  expectedMs: null,
  size: null,
  sink: { type: 'branch', name: 'mayday/r1' },
};

/** A run with nothing set by its person. */
export const OPTIONS: Extract<Fact, { type: 'run_created' }>['options'] = {
  inPlace: false,
  includeDirty: false,
  autoResume: true,
  fallbacks: [],
  permissions: [],
  setup: null,
  ignoredToCopy: [],
  nodeModules: 'setup',
  environment: [],
  script: null,
};

/** The life of a run that is over. */
export const ENDED: Extract<Life, { type: 'ended' }> = {
  type: 'ended',
  state: 'delivered',
  reason: '',
  at: START,
  released: false,
  removed: false,
};

/** A workspace at its base, with nothing to say about it. */
export const PREPARED: Omit<Extract<Fact, { type: 'workspace_prepared' }>, 'at'> = {
  type: 'workspace_prepared',
  kind: 'worktree',
  path: '/w',
  baseCommit: 'c0',
  baseTree: 't0',
  branch: 'main',
  warnings: [],
  setup: null,
  configHash: 'h',
};

export const EXAMINATION: Examination = {
  claimsDone: false,
  claim: null,
  diagnosis: null,
  partialWork: { created: [], changed: [], deleted: [], completed: [], missing: [], delivered: false },
  checkpoint: null,
  inFlight: null,
  repeated: [],
  deniedTools: [],
  agentSession: null,
  raised: null,
  configChanged: [],
  unknownLines: 0,
};

/** What an attempt that ended well left. */
export const CHECKPOINT: CheckpointFact & { readonly state: 'complete' } = {
  number: 1,
  state: 'complete',
  tree: 't1',
  commit: 'k',
  missing: [],
  reason: 'ended',
};

type Untimed<T> = T extends unknown ? Omit<T, 'at'> : never;

export class Story {
  state: RunState;
  last: Step;
  now = START;

  constructor(
    options: {
      task?: Partial<Task>;
      policy?: Partial<Policy>;
      fallbacks?: readonly string[];
      autoResume?: boolean;
      classes?: ClassPolicies;
      explore?: boolean;
      queued?: boolean;
      agent?: AgentChoice;
    } = {},
  ) {
    this.last = begin('r1', {
      type: 'run_created',
      at: this.now,
      task: { ...TASK, ...options.task },
      policy: withPolicy(DEFAULT_POLICY, options.policy ?? {}),
      agent: options.agent ?? { name: 'rehearsal', command: [], model: null },
      options: {
        ...OPTIONS,
        autoResume: options.autoResume ?? true,
        fallbacks: (options.fallbacks ?? []).map((name) => ({ name, command: [], model: null })),
        ...(options.classes === undefined ? {} : { classes: options.classes }),
        ...(options.explore === true ? { explore: true } : {}),
        ...(options.queued === true ? { queued: true } : {}),
      },
      repository: '/repo',
      by: 'ann',
    });
    this.state = this.last.state;
  }

  /** A fact a second later; null if the core does not take it. */
  tell(fact: Untimed<Fact>, afterMs = 1_000): Step | null {
    this.now += afterMs;
    const next = step(this.state, { ...fact, at: this.now } as Fact);
    if (next === null) return null;
    this.last = next;
    this.state = next.state;
    return next;
  }

  prepared(
    more: {
      rules?: RepositoryRules;
      staleScope?: readonly string[];
      tests?: { readonly total: number; readonly failed: number };
      disturbed?: readonly string[];
    } = {},
  ): this {
    const { tests, disturbed, ...facts } = more;
    this.tell({
      ...PREPARED,
      ...facts,
    });
    if (this.state.task.checks.length > 0 && this.state.questions.length === 0)
      this.checked('baseline', 't0', tests !== undefined, [], tests, disturbed);
    return this;
  }

  started(): this {
    this.tell({
      type: 'attempt_started',
      attempt: this.state.attempts.length,
      agent: 'rehearsal',
      agentVersion: null,
      agentSession: 's1',
      level: 'process-group',
      handle: {},
    });
    return this;
  }

  ended(exit: Partial<ExitFacts> = {}, examination: Partial<Examination> = {}): this {
    const attempt = this.state.attempts.length;
    this.tell({
      type: 'attempt_ended',
      attempt,
      exit: { exitCode: 1, signal: null, outOfMemory: false, endedBy: 'itself', exitedAt: this.now, ...exit },
    });
    this.tell({ type: 'attempt_examined', attempt, examination: { ...EXAMINATION, ...examination } });
    return this;
  }

  checked(
    purpose: 'baseline' | 'gate',
    tree: string,
    passed: boolean,
    changed: readonly string[],
    tests?: { readonly total: number; readonly failed: number },
    disturbed?: readonly string[],
    compose?: ComposeFacts,
  ): this {
    const result = {
      command: this.state.task.checks[0] ?? '',
      exitCode: passed ? 0 : 1,
      passed,
      timedOut: false,
      durationMs: 5,
      outputHash: 'o',
      outputTail: '',
      tree,
      variant: 'candidate' as const,
      ...(tests === undefined ? {} : { tests }),
      ...(disturbed === undefined ? {} : { disturbed }),
    };
    this.tell({
      type: 'checks_finished',
      purpose,
      tree,
      results: this.state.task.checks.length === 0 ? [] : [result],
      changed,
      ...(compose === undefined ? {} : { compose }),
    });
    return this;
  }

  /** The pause before the next attempt passes. */
  waited(): this {
    const { life } = this.state;
    const until = life.type === 'waiting' ? (life.until ?? this.now) : this.now;
    this.tell({ type: 'timer_fired', name: 'retry' }, Math.max(0, until - this.now));
    return this;
  }

  commands(): string[] {
    return this.last.commands.map(({ command }) => command.type);
  }
}
