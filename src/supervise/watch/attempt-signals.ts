/** `AttemptSignals`: gives the entries and looks of a live attempt to the detectors, and submits their signals to the journal. */
import { policyFor } from '../../core/vocabulary/agent-limits.ts';
import { whoIs } from '../../core/vocabulary/who-is.ts';
import { type Signal, SIGNALS } from '../../core/vocabulary/signal.ts';
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';
import { AgentWatch, type ToldFacts } from './agent-watch.ts';
import type { SeenProcesses } from './life-looks.ts';
import type { WatchedAttempt } from './watched-attempt.ts';

/** A chatty detector must not flood the journal. */
const MAX_SIGNALS = 100;

export class AttemptSignals {
  readonly #watched: WatchedAttempt;
  readonly #watch: AgentWatch;
  readonly #turnSilenceMs: number;
  #raised = 0;

  constructor(watched: WatchedAttempt, everyMs: number) {
    this.#watched = watched;
    const { policy: general, scope, options, attempts, agent } = watched.state();
    const chosen = attempts.find(({ number }) => number === watched.attempt)?.agent ?? agent;
    const speaksTurns = watched.adapter.name !== 'command';
    const limits = (policy: typeof general) => policyFor(policy, whoIs(chosen), options.agentPolicy);
    const policy = limits(speaksTurns ? general : { ...general, silence_ms: general.command_silence_ms });
    this.#turnSilenceMs = limits(general).silence_ms;
    this.#watch = new AgentWatch({
      policy: { ...policy, scope: scope.allowed },
      earlier: watched.earlier,
      everyMs,
      awakeSince: watched.now(),
    });
  }

  get suspectsStall(): boolean {
    return this.#watch.suspectsStall;
  }

  /** Several detectors often see the same trouble in one entry: only the gravest signal is submitted. */
  async hear(entry: TranscriptEntry): Promise<void> {
    // A plain command whose output is the stream of an agent speaks in turns, and is judged like that agent.
    if (entry.type === 'session') this.#watch.limitSilence(this.#turnSilenceMs);
    const signals = this.#watch.hear(entry);
    await this.#report(signals.find(isCritical) ?? signals[0]);
  }

  /** A critical signal is submitted alone. Warnings of one look are about different things, and all are submitted. */
  async look(at: number, seen: SeenProcesses | null, told: ToldFacts): Promise<void> {
    const signals = await this.#watch.look(at, seen, told);
    const gravest = signals.find(isCritical);
    for (const signal of gravest === undefined ? signals : [gravest]) await this.#report(signal);
  }

  async #report(signal: Signal | undefined): Promise<void> {
    if (signal === undefined || SIGNALS[signal.type].isLeftToGate === true) return;
    if (this.#raised >= MAX_SIGNALS && !isCritical(signal)) return;
    this.#raised += 1;
    const { submit, attempt, now } = this.#watched;
    await submit({ type: 'signal_raised', at: now(), attempt, signal });
  }
}

function isCritical({ severity }: Signal): boolean {
  return severity === 'critical';
}
