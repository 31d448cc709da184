/**
 * From transcript entries and ticks to signals in the journal. A verdict of silence is a suspicion first:
 *
 *   stalled -> suspected -> (a second look, a moment later) -> reported, or dropped: it spoke, its sockets or its tree moved
 */
import { basename } from 'node:path';
import { policyFor, type Who } from '../core/vocabulary/agent-limits.ts';
import { detectPolicyOf } from '../core/detect/detect-policy.ts';
import { type AgentChoice, adapterName } from '../core/vocabulary/event.ts';
import type { Tick } from '../core/detect/tick.ts';
import { createWatch, type Watch, watchNext } from '../core/detect/watch.ts';
import type { Signal } from '../core/vocabulary/signal.ts';
import type { TranscriptEntry } from '../core/vocabulary/transcript.ts';
import type { WatchedAttempt } from './watched-attempt.ts';

/** A chatty detector must not flood the journal. */
const MAX_SIGNALS = 100;
/** A second look before an agent is stopped for silence: it may just have spoken. */
const RECHECK_MS = 1_000;

interface Suspicion {
  readonly signal: Signal;
  readonly at: number;
  readonly signAt: number;
}

/** A program that is not a known agent goes by its own name, and by the name that the configuration gives it. */
function whoIs(choice: AgentChoice): Who {
  const { name, command, model } = choice;
  if (adapterName(choice) !== 'command') return { agent: name, model };
  const program = basename(command[0] ?? name);
  return { agent: name === 'command' ? program : name, model, program };
}

export class AttemptSignals {
  readonly #watched: WatchedAttempt;
  readonly #lastSignAt: () => number;
  #watch: Watch;
  #raised = 0;
  #suspicion: Suspicion | null = null;

  /** `lastSignAt`: when the agent was last seen to write or its sockets to move. */
  constructor(watched: WatchedAttempt, lastSignAt: () => number) {
    this.#watched = watched;
    this.#lastSignAt = lastSignAt;
    const { policy: general, scope, options, attempts, agent } = watched.state();
    const chosen = attempts.find(({ number }) => number === watched.attempt)?.agent ?? agent;
    const speaksTurns = watched.adapter.name !== 'command';
    const policy = policyFor(
      speaksTurns ? general : { ...general, silence_ms: general.command_silence_ms },
      whoIs(chosen),
      options.agentPolicy,
    );
    this.#watch = createWatch(detectPolicyOf(policy, scope.allowed));
    for (const entry of watched.earlier) this.#watch = watchNext(this.#watch, entry).watch;
  }

  async feed(entry: TranscriptEntry | Tick): Promise<void> {
    const { watch, signals } = watchNext(this.#watch, entry);
    this.#watch = watch;
    // Several detectors often see the same trouble in one step; the gravest is told, the others add nothing.
    const gravest = signals.find(({ severity }) => severity === 'critical') ?? signals[0];
    if (gravest !== undefined) await this.#raise(gravest);
  }

  get silenceMs(): number {
    return this.#watch.policy.silenceMs;
  }

  async report(signal: Signal): Promise<void> {
    if (this.#raised >= MAX_SIGNALS && signal.severity !== 'critical') return;
    this.#raised += 1;
    const { submit, attempt, now } = this.#watched;
    await submit({ type: 'signal_raised', at: now(), attempt, signal });
  }

  /** The second probe. Gives back what moved in the tree instead. */
  async recheck(at: number, awakeSince: number): Promise<string | null> {
    const suspicion = this.#suspicion;
    // A second look right after a sleep sees nothing that the agent could have done since the first.
    if (suspicion !== null && awakeSince > suspicion.at) this.#suspicion = null;
    if (this.#suspicion === null || suspicion === null || at - suspicion.at < RECHECK_MS) return null;
    this.#suspicion = null;
    if (this.#lastSignAt() > suspicion.signAt) return null;
    const { changed } = await this.#watched.lookAtTree(true);
    if (changed === null) await this.report(suspicion.signal);
    return changed;
  }

  async #raise(signal: Signal): Promise<void> {
    // Frozen is looked at over time elsewhere; a claim of success is judged by the gate, which has not been asked about this attempt yet.
    if (signal.type === 'frozen' || signal.type === 'false_success') return;
    if (signal.type === 'stalled' && signal.severity === 'critical') {
      this.#suspicion ??= { signal, at: this.#watched.now(), signAt: this.#lastSignAt() };
      return;
    }
    await this.report(signal);
  }
}
