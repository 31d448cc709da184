/** `decisionsJson`: the public document of a replay of decisions. Keys are promised: add, never rename. */
import type { Cost } from '../../core/replay/alarm-cost.ts';
import type { DecisionLine } from '../../core/replay/decision-line.ts';
import type { Difference } from '../../core/replay/replay-run.ts';
import type { ReplayedHistory } from './replay-history.ts';

export function decisionsJson({ runs, now, proposed }: ReplayedHistory) {
  return {
    cost: { now: costJson(now), proposed: costJson(proposed) },
    decisions: runs.map(({ replayed, meaning }) => ({
      run_id: replayed.runId,
      verdict: meaning.verdict,
      why: meaning.why,
      turns: replayed.turns,
      compared: replayed.compared,
      pauses: replayed.pauses.map(differenceJson),
      parting:
        replayed.parting === null
          ? null
          : {
              ...differenceJson(replayed.parting),
              because: replayed.parting.because,
              afterwards: replayed.parting.afterwards.map(lineJson),
              next: replayed.parting.next,
            },
      unfit: replayed.unfit,
      decided_otherwise_by_this_version: replayed.drifted,
      cost: { now: costJson(meaning.now), proposed: costJson(meaning.proposed) },
    })),
  };
}

function costJson({ falseAlarms, minutes, attempts, questions }: Cost) {
  return { false_alarms: falseAlarms, minutes: Math.round(minutes * 100) / 100, attempts, questions };
}

function differenceJson({ seq, at, fact, recorded, wouldBe }: Difference) {
  return { seq, at: iso(at), fact, recorded: recorded.map(lineJson), would_be: wouldBe.map(lineJson) };
}

function lineJson({ type, at, sends, until, says }: DecisionLine) {
  return { type, at: iso(at), ...sends, until: until === null ? null : iso(until), says };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
