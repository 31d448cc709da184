/** `ToldLines`: what the agent of a live attempt told since the last look, as facts. */
import { noteTime, readToldLines } from '../../act/attempt/agent-notes.ts';
import { agentFiles } from '../../act/run-files.ts';
import type { Fact } from '../../core/vocabulary/events/event.ts';
import type { WatchedAttempt } from './watched-attempt.ts';

export class ToldLines {
  readonly #watched: WatchedAttempt;
  #readAt: number | null = null;

  constructor(watched: WatchedAttempt) {
    this.#watched = watched;
  }

  /** The line number in the journal says how far it was read, also for a keeper that takes the run over. */
  read(): readonly Fact[] {
    const { attempt, handle, state, now } = this.#watched;
    const { notes } = agentFiles(handle.attemptDir);
    const changedAt = noteTime(notes);
    if (changedAt === null || changedAt === this.#readAt) return [];
    this.#readAt = changedAt;
    const heard =
      state()
        .attempts.find(({ number }) => number === attempt)
        ?.told.at(-1)?.line ?? 0;
    return readToldLines(notes, heard).map((told) => ({ type: 'agent_told', at: now(), attempt, ...told }));
  }
}
