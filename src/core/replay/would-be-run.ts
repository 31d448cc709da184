/**
 * `WouldBeRun`: the run as it would have gone: the facts of the record under another policy, moved by what its own pauses change. Facts
 * that only the live world can make (checks, other runs, holds) are taken as recorded.
 */
import type { ClassPolicies } from '../vocabulary/classes/class-policy.ts';
import type { Decision, Fact, RunEvent, FactOf } from '../vocabulary/events/event.ts';
import { createState } from '../state/create-state.ts';
import { evolve } from '../state/evolve.ts';
import type { Policy } from '../vocabulary/policy.ts';
import type { Signal } from '../vocabulary/signal.ts';
import { begin, step } from '../step.ts';
import { World } from './world.ts';

export interface OtherPolicy {
  readonly policy: Policy;
  readonly classes?: ClassPolicies;
}

/** What other thresholds change about the alarms of one attempt. */
export interface AlarmChange {
  readonly added: readonly Signal[];
  readonly dropped: (signal: Signal) => boolean;
}

export class WouldBeRun extends World {
  readonly #recorded: World;
  readonly #alarms: ReadonlyMap<number, AlarmChange>;
  readonly #alarmed = new Set<Signal>();
  /** How much later things happen here. */
  shiftMs = 0;

  constructor(
    runId: string,
    created: FactOf<'run_created'>,
    { policy, classes }: OtherPolicy,
    beside: { readonly recorded: World; readonly alarms: ReadonlyMap<number, AlarmChange> },
  ) {
    const options = classes === undefined ? created.options : { ...created.options, classes };
    super(createState(runId, { ...created, policy, options }));
    this.#recorded = beside.recorded;
    this.#alarms = beside.alarms;
  }

  /** The same thing, moved by the pauses so far. */
  moved(fact: Fact): Fact {
    return shifted(fact, this.shiftMs);
  }

  /** What happens here before this fact, and not in the record. */
  before(fact: Fact): readonly Fact[] {
    return [...this.#due(fact), ...this.#alarmsBefore(fact)];
  }

  /** Null: it cannot happen here. */
  follow(fact: Fact): readonly Decision[] | null {
    if (fact.type === 'run_created') return this.#begin(fact);
    if (fact.type === 'signal_raised' && this.#alarms.get(fact.attempt)?.dropped(fact.signal)) return [];
    if (fact.type === 'timer_fired') return this.#ring(fact);
    const decisions = this.submit(this.moved(fact));
    const retryAt = this.timers.get('retry');
    if (decisions !== null || retryAt === undefined || this.#recorded.ahead.length === 0) return decisions;
    // The record went on at once; here, a pause comes first.
    const waited = this.submit({ type: 'timer_fired', at: retryAt, name: 'retry' });
    this.shiftMs = retryAt - fact.at;
    const after = this.submit(this.moved(fact));
    return waited === null || after === null ? null : [...waited, ...after];
  }

  submit(fact: Fact): readonly Decision[] | null {
    const next = step(this.state, fact);
    if (fact.type === 'timer_fired') this.timers.delete(fact.name);
    if (next === null) return null;
    this.take(next.state, next.decisions, next.timers);
    return next.decisions;
  }

  /** An event of unknown type keeps its place in the journal. */
  skip(line: RunEvent): void {
    this.state = evolve(this.state, line);
  }

  #begin(fact: FactOf<'run_created'>): readonly Decision[] {
    const { runId, policy, options } = this.state;
    const first = begin(runId, { ...fact, policy, options });
    this.take(first.state, first.decisions, first.timers);
    return first.decisions;
  }

  #ring(fact: FactOf<'timer_fired'>): readonly Decision[] | null {
    const dueAt = this.timers.get(fact.name);
    if (fact.name !== 'retry') {
      const over = dueAt !== undefined && dueAt <= fact.at + this.shiftMs;
      return over ? this.submit(this.moved(fact)) : [];
    }
    if (dueAt === undefined && this.ahead.length > 0) {
      // This world continued earlier: what follows comes that much sooner.
      this.shiftMs = this.state.updatedAt - fact.at;
      return [];
    }
    if (dueAt !== undefined) this.shiftMs = dueAt - (this.#recorded.timers.get('retry') ?? fact.at);
    return this.submit(this.moved(fact));
  }

  #due(fact: Fact): readonly Fact[] {
    return [...this.timers]
      .filter(([name, dueAt]) => {
        const recordedAt = this.#recorded.timers.get(name);
        const fires = fact.type === 'timer_fired' && fact.name === name;
        // It was late in the record too: its time is not moved.
        const late = recordedAt !== undefined && recordedAt <= fact.at;
        return dueAt <= fact.at + this.shiftMs && !fires && !late;
      })
      .toSorted(([, a], [, b]) => a - b)
      .map(([name, at]) => ({ type: 'timer_fired', at, name }));
  }

  #alarmsBefore(fact: Fact): readonly Fact[] {
    const attempt = this.#recorded.state.attempts.at(-1)?.number ?? 0;
    const news = (this.#alarms.get(attempt)?.added ?? []).filter(
      (signal) => signal.at <= fact.at && !this.#alarmed.has(signal),
    );
    for (const signal of news) this.#alarmed.add(signal);
    return news.map((signal) => this.moved({ type: 'signal_raised', at: signal.at, attempt, signal }));
  }
}

/** A time that came from outside (a reset time) is not moved. */
function shifted(fact: Fact, byMs: number): Fact {
  if (byMs === 0) return fact;
  const at = fact.at + byMs;
  if (fact.type === 'signal_raised') {
    const { signal } = fact;
    return { ...fact, at, signal: { ...signal, at: signal.at + byMs, sinceAt: signal.sinceAt + byMs } };
  }
  if (fact.type === 'attempt_ended' && fact.exit.exitedAt !== null)
    return { ...fact, at, exit: { ...fact.exit, exitedAt: fact.exit.exitedAt + byMs } };
  return { ...fact, at };
}
