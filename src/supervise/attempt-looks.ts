/** What is seen by looking at the attempt itself rather than at its words: stopped, done but still there, asking for a person. */
import { noteTime } from '../act/agent-notes.ts';
import { agentFiles } from '../act/run-files.ts';
import type { Signal } from '../core/vocabulary/signal.ts';
import type { Observation } from '../platform/observe.ts';
import type { WatchedAttempt } from './watched-attempt.ts';

/** After it raised the flag the agent may end by itself. */
const BLOCKER_GRACE_MS = 10_000;

export class AttemptLooks {
  readonly #watched: WatchedAttempt;
  #frozenSince: number | null = null;
  #resultAt: number | null = null;
  #noteAt: number | null = null;

  constructor(watched: WatchedAttempt) {
    this.#watched = watched;
  }

  /** The agent gave its final result. */
  finished(at: number): void {
    this.#resultAt = at;
  }

  frozen(seen: Observation, at: number): Signal | null {
    if (!seen.frozen) {
      this.#frozenSince = null;
      return null;
    }
    this.#frozenSince ??= at;
    if (at - this.#frozenSince < this.#watched.state().policy.frozen_ms) return null;
    return {
      type: 'frozen',
      severity: 'critical',
      reason: 'the agent process is stopped and cannot run',
      sinceAt: this.#frozenSince,
      at,
      evidence: ['process state: stopped'],
      confidence: 0.99,
      suggestedAction: 'end it and resume the session',
      disproof: 'the process runs again',
    };
  }

  blocker(at: number): Signal | null {
    const raisedAt = noteTime(agentFiles(this.#watched.handle.attemptDir).blocker);
    if (raisedAt === null || at - raisedAt <= BLOCKER_GRACE_MS) return null;
    return {
      type: 'blocker_raised',
      severity: 'critical',
      reason: 'the agent raised the blocker flag',
      sinceAt: raisedAt,
      at,
      evidence: [],
      confidence: 1,
      suggestedAction: 'answer its question',
    };
  }

  /** True once for every note: the agent asks for a checkpoint. */
  asksForCheckpoint(): boolean {
    const notedAt = noteTime(agentFiles(this.#watched.handle.attemptDir).checkpoint);
    if (notedAt === null || notedAt === this.#noteAt) return false;
    this.#noteAt = notedAt;
    return true;
  }

  /** It said its last word but does not end: after the grace its tree goes, and the word counts as a claim. */
  lingers(lastOutputAt: number, at: number): Signal | null {
    const { final_grace_ms } = this.#watched.state().policy;
    if (this.#resultAt === null || at - this.#resultAt < final_grace_ms) return null;
    if (lastOutputAt > this.#resultAt + final_grace_ms) return null;
    this.#resultAt = null;
    return {
      type: 'stalled',
      severity: 'critical',
      reason: 'the agent gave its final result but did not end',
      sinceAt: at,
      at,
      evidence: [],
      confidence: 0.95,
      suggestedAction: 'end it; its result goes to the gate',
    };
  }
}
