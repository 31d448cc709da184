/** `compactionLoop`: notices a context that is compacted again and again, with hardly any work in between. */
import { type Detector, type Level, levelOf, raise, severityOf } from '../../detector.ts';
import { changes } from '../../staleness.ts';

interface CompactionState {
  readonly count: number;
  readonly since: number;
  readonly raised: Level;
  /** The calls completed since the last compaction. */
  readonly calls: number;
}

const NONE: CompactionState = { count: 0, since: 0, raised: 0, calls: 0 };
/** A context that so many calls filled was used for work. */
const WORKING_CALLS = 12;

export const compactionLoop: Detector<CompactionState> = {
  name: 'compaction loop',
  init: NONE,
  next: (state, { entry, turn, step, policy }) => {
    // Only a change resets the count, because a compaction loop consists of reading the same files again.
    if ((turn !== null && changes(turn)) || entry.type === 'progress') return [NONE, []];
    if (entry.type !== 'compaction')
      return [turn === null ? state : { ...state, calls: state.calls + 1 }, []];
    const count = state.calls >= WORKING_CALLS ? 1 : state.count + 1;
    const since = count === 1 ? entry.at : state.since;
    const level = levelOf(count, policy.compactions_warn, policy.compactions_stop);
    const next = { count, since, raised: level, calls: 0 };
    if (level === 0 || level <= state.raised) return [next, []];
    return raise(next, entry, step, {
      type: 'compaction_loop',
      severity: severityOf(level),
      reason: `the context was compacted ${count} times without a change in between`,
      sinceAt: since,
      evidence: [entry.text.slice(0, 160)],
      confidence: level === 2 ? 0.9 : 0.6,
      suggestedAction: 'start a fresh session with a brief; the task itself may be too large for one context',
      disproof: 'an edit or a check between two compactions',
    });
  },
};
