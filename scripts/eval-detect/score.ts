/** Catches and false alarms, counted: what an alarm is worth depends on who raised it and when. */
import type { EvalRun } from '../eval-runs.ts';

/** An alarm this many steps after an operator would have stepped in is still in time. */
const LATE_STEPS = 10;

/** The step of the first critical signal, as the run itself counts steps; null when none came. */
export type Alarm = number | null;

export interface Score {
  readonly stuck: number;
  readonly inTime: number;
  readonly late: number;
  readonly otherLabelled: number;
  readonly falseLabelled: number;
  readonly resolved: number;
  readonly falseResolved: number;
  readonly exhausted: number;
  readonly exhaustedCalled: number;
  readonly saved: number;
  /** Runs that were alarmed, and those of them that got on by themselves: a warning or a nudge was right, a stop was not. */
  readonly alarmed: number;
  readonly recovered: number;
}

export const isResolved = (run: EvalRun): boolean =>
  run.outcome === 'resolved' || run.outcome.startsWith('committed');
export const isExhausted = (run: EvalRun): boolean => /cost|context|abort|time.?out/i.test(run.exit);

export function inTime(run: EvalRun, alarm: Alarm): boolean {
  return alarm !== null && alarm <= (run.label?.intervene_step ?? 0) + LATE_STEPS;
}

export function score(runs: readonly EvalRun[], alarms: readonly Alarm[]): Score {
  const count = (test: (run: EvalRun, alarm: Alarm) => boolean) =>
    runs.filter((run, index) => test(run, alarms[index] ?? null)).length;
  const isStuck = (run: EvalRun) => run.label?.stuck === true;
  const saves = (run: EvalRun, alarm: Alarm) => (alarm === null ? 0 : run.steps.length - 1 - alarm);
  return {
    stuck: count(isStuck),
    inTime: count((run, alarm) => isStuck(run) && inTime(run, alarm)),
    late: count((run, alarm) => isStuck(run) && alarm !== null && !inTime(run, alarm)),
    otherLabelled: count((run) => run.label?.stuck === false),
    falseLabelled: count((run, alarm) => run.label?.stuck === false && alarm !== null),
    resolved: count((run) => run.label === null && isResolved(run)),
    falseResolved: count((run, alarm) => run.label === null && isResolved(run) && alarm !== null),
    exhausted: count(isExhausted),
    exhaustedCalled: count((run, alarm) => isExhausted(run) && saves(run, alarm) > 0),
    alarmed: count((_, alarm) => alarm !== null),
    recovered: count((run, alarm) => alarm !== null && isResolved(run)),
    saved: runs.reduce(
      (sum, run, index) => sum + (isStuck(run) || isExhausted(run) ? saves(run, alarms[index] ?? null) : 0),
      0,
    ),
  };
}

/** A false alarm costs as much trust as three catches earn. */
export function worth(s: Score): number {
  return s.inTime + s.exhaustedCalled / 2 - 3 * (s.falseLabelled + s.falseResolved);
}

export const share = (part: number, whole: number): string =>
  whole === 0 ? '-' : `${part}/${whole} (${((100 * part) / whole).toFixed(0)} %)`;

export function scoreLine(name: string, s: Score): string {
  return `${name.padEnd(28)} stuck caught in time ${share(s.inTime, s.stuck).padEnd(15)} late ${s.late}  false alarms: labelled ${share(s.falseLabelled, s.otherLabelled).padEnd(11)} resolved ${share(s.falseResolved, s.resolved).padEnd(11)} exhausted called ${share(s.exhaustedCalled, s.exhausted).padEnd(14)} steps saved ${s.saved}`;
}

/** Several outcomes at a glance. */
export function shortLine(name: string, s: Score): string {
  return `${name.padEnd(34)} ${s.inTime}/${s.stuck} caught, false ${s.falseLabelled}/${s.otherLabelled} + ${s.falseResolved}/${s.resolved}, exhausted called ${s.exhaustedCalled}/${s.exhausted}`;
}
