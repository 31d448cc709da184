/** `AgentWatch`: watches one living agent, for `mayday run` and `mayday attach` alike. It makes the full tick and asks the detectors. */
import type { DetectPolicy } from '../../core/detect/detector.ts';
import type { Tick } from '../../core/detect/tick.ts';
import { type WatchAdvice, createWatch, suspectsStall, watchNext } from '../../core/detect/watch.ts';
import type { Signal } from '../../core/vocabulary/signal.ts';
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';
import { type LifeFacts, LifeLooks, type SeenProcesses } from './life-looks.ts';

/** A look that is late by more than this: the machine slept, stood still, or its clock was moved. By less: it is only busy. */
const UNWATCHED_MS = 4_000;
/** A clock that goes back by less than this was corrected, not set back. */
const CORRECTION_MS = 1_000;

/** What the caller knows about the agent besides its processes. */
export type ToldFacts = Omit<Tick, 'type' | 'at' | 'awakeSince' | keyof LifeFacts>;

interface AgentWatchOptions {
  readonly policy: DetectPolicy;
  /** Entries from before the watch began: they warm the detectors up and raise no signals. */
  readonly earlier: readonly TranscriptEntry[];
  /** Time between two looks. */
  readonly everyMs: number;
  /** Silence counts only from this time on; left out: the silence before the watch counts as well. */
  readonly awakeSince?: number;
}

export class AgentWatch {
  readonly #life = new LifeLooks();
  readonly #everyMs: number;
  #watch: ReturnType<typeof createWatch>;
  #lookedAt: number | undefined;
  #awakeSince: number | undefined;

  constructor({ policy, earlier, everyMs, awakeSince }: AgentWatchOptions) {
    this.#everyMs = everyMs;
    this.#lookedAt = awakeSince;
    this.#awakeSince = awakeSince;
    this.#watch = earlier.reduce((watch, entry) => watchNext(watch, entry).watch, createWatch(policy));
  }

  get advice(): WatchAdvice {
    return this.#watch.advice;
  }

  /** Signals that no progress has answered yet. */
  get standing(): readonly Signal[] {
    return this.#watch.standing;
  }

  get suspectsStall(): boolean {
    return suspectsStall(this.#watch);
  }

  /** From now on silence is judged by this limit. */
  limitSilence(silenceMs: number): void {
    this.#watch = { ...this.#watch, policy: { ...this.#watch.policy, silence_ms: silenceMs } };
  }

  hear(entry: TranscriptEntry | Tick): readonly Signal[] {
    const { watch, signals } = watchNext(this.#watch, entry);
    this.#watch = watch;
    return signals;
  }

  /** `seen` is null where no process is known. */
  async look(at: number, seen: SeenProcesses | null, told: ToldFacts): Promise<readonly Signal[]> {
    this.#noticeGap(at);
    const { policy, trail } = this.#watch;
    const wordAt = Math.max(told.lastOutputAt ?? trail.heardAt, told.sessionWrittenAt ?? trail.heardAt);
    const timing = { quietMs: at - wordAt, silenceMs: policy.silence_ms };
    const life = seen === null ? {} : await this.#life.look(seen, at, timing);
    const awake = this.#awakeSince === undefined ? {} : { awakeSince: this.#awakeSince };
    return this.hear({ type: 'tick', at, ...awake, ...life, ...told });
  }

  /** After a gap silence counts from now: what the agent did in the gap was not seen, and on a sleeping machine it could do nothing. */
  #noticeGap(at: number): void {
    const passed = at - (this.#lookedAt ?? at);
    this.#lookedAt = at;
    if (passed >= this.#everyMs + UNWATCHED_MS || passed <= -CORRECTION_MS) this.#awakeSince = at;
  }
}
