/**
 * How well stuck runs are noticed: `npm run eval:detect -- FILE...`.
 * A FILE holds one run per line `{id, source?, outcome_label?, exit_status?, steps: [...]}`; a file named `*labels*`
 * holds an operator's reading of some of them `{file, id, stuck, first_stuck_step, intervene_step, sure}`.
 */
import { DEFAULT_DETECT_POLICY, type DetectPolicy } from '../src/core/detect/detect-policy.ts';
import { type PastRunVerdict, whatIf } from '../src/core/detect/what-if.ts';
import { attributionReport } from './eval-attribution.ts';
import { type EvalRun, loadRuns } from './eval-runs.ts';

/** An alarm this many steps after an operator would have stepped in is still in time. */
const LATE_STEPS = 10;
/** One unit of excess staleness is two equal repetitions; every count moves with it. */
const THRESHOLDS = [1, 1.5, 2, 2.5, 3, 4, 5];

function policyAt(threshold: number): Partial<DetectPolicy> {
  const { staleStop, loopStop } = DEFAULT_DETECT_POLICY;
  return {
    staleStop: threshold,
    staleWarn: Math.min(threshold, DEFAULT_DETECT_POLICY.staleWarn),
    loopStop: Math.round(((loopStop - 1) * threshold) / staleStop) + 1,
    cycleTurns: Math.max(2, Math.round((DEFAULT_DETECT_POLICY.cycleTurns * threshold) / staleStop)),
  };
}

interface Score {
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
}

const ran = (run: EvalRun): boolean => /resolved|committed|unevaluated/.test(run.outcome);
const isResolved = (run: EvalRun): boolean =>
  run.outcome === 'resolved' || run.outcome.startsWith('committed');
const isExhausted = (run: EvalRun): boolean => /cost|context|abort|time.?out/i.test(run.exit);

function inTime(run: EvalRun, verdict: PastRunVerdict): boolean {
  const step = verdict.critical?.atStep;
  return step !== undefined && step <= (run.label?.intervene_step ?? 0) + LATE_STEPS;
}

function score(runs: readonly EvalRun[], verdicts: readonly PastRunVerdict[]): Score {
  const count = (test: (run: EvalRun, verdict: PastRunVerdict) => boolean) =>
    runs.filter((run, index) => test(run, verdicts[index] as PastRunVerdict)).length;
  const called = (verdict: PastRunVerdict) => verdict.critical !== null;
  const early = (verdict: PastRunVerdict) => (verdict.critical?.atStep ?? Infinity) < verdict.steps - 1;
  return {
    stuck: count((run) => run.label?.stuck === true),
    inTime: count((run, verdict) => run.label?.stuck === true && inTime(run, verdict)),
    late: count((run, verdict) => run.label?.stuck === true && called(verdict) && !inTime(run, verdict)),
    otherLabelled: count((run) => run.label?.stuck === false),
    falseLabelled: count((run, verdict) => run.label?.stuck === false && called(verdict)),
    resolved: count((run) => run.label === null && isResolved(run)),
    falseResolved: count((run, verdict) => run.label === null && isResolved(run) && called(verdict)),
    exhausted: count(isExhausted),
    exhaustedCalled: count((run, verdict) => isExhausted(run) && early(verdict)),
    saved: verdicts.reduce((sum, verdict, index) => {
      const run = runs[index] as EvalRun;
      return sum + (run.label?.stuck === true || isExhausted(run) ? verdict.stepsSaved : 0);
    }, 0),
  };
}

const share = (part: number, whole: number): string =>
  whole === 0 ? '-' : `${part}/${whole} (${((100 * part) / whole).toFixed(0)} %)`;

function scoreLine(name: string, s: Score): string {
  return `${name.padEnd(28)} stuck caught in time ${share(s.inTime, s.stuck).padEnd(15)} late ${s.late}  false alarms: labelled ${share(s.falseLabelled, s.otherLabelled).padEnd(11)} resolved ${share(s.falseResolved, s.resolved).padEnd(11)} exhausted called ${share(s.exhaustedCalled, s.exhausted).padEnd(14)} steps saved ${s.saved}`;
}

function judge(runs: readonly EvalRun[], threshold: number): readonly PastRunVerdict[] {
  return whatIf(
    runs.map((run) => ({ id: run.id, entries: run.entries, truth: 'unknown' as const })),
    policyAt(threshold),
  ).verdicts;
}

/** The threshold one would have chosen without a source, and what it does there: no tuning on what is measured. */
function leaveOneOut(runs: readonly EvalRun[], sources: readonly string[]): void {
  console.log('\nleave one source out: threshold chosen on the others, applied to the one');
  const byThreshold = new Map(THRESHOLDS.map((threshold) => [threshold, judge(runs, threshold)]));
  for (const source of sources) {
    const pick = (inside: boolean, verdicts: readonly PastRunVerdict[]) => {
      const indexes = runs.flatMap((run, index) => ((run.source === source) === inside ? [index] : []));
      return score(
        indexes.map((index) => runs[index] as EvalRun),
        indexes.map((index) => verdicts[index] as PastRunVerdict),
      );
    };
    const ranked = THRESHOLDS.map((threshold) => {
      const s = pick(false, byThreshold.get(threshold) as readonly PastRunVerdict[]);
      // A false alarm costs as much trust as three catches earn; among equals the middle of the plateau.
      const worth = s.inTime + s.exhaustedCalled / 2 - 3 * (s.falseLabelled + s.falseResolved);
      return { threshold, worth: worth - Math.abs(threshold - DEFAULT_DETECT_POLICY.staleStop) / 100 };
    }).sort((a, b) => b.worth - a.worth);
    const chosen = ranked[0]?.threshold ?? DEFAULT_DETECT_POLICY.staleStop;
    const s = pick(true, byThreshold.get(chosen) as readonly PastRunVerdict[]);
    console.log(`  ${scoreLine(`${source} @ ${chosen}`, s)}`);
  }
}

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error(
    "usage: npm run eval:detect -- FILE...   (runs as JSON lines; *labels*.jsonl for an operator's reading)",
  );
  process.exit(2);
}
const all = loadRuns(files);
const attributed = all.filter((run) => run.labels !== null);
const runs = all.filter(ran);
const verdicts = judge(runs, DEFAULT_DETECT_POLICY.staleStop);
const sources = [...new Set(runs.map((run) => run.source))];

console.log('alarms');
for (const [index, run] of runs.entries()) {
  const verdict = verdicts[index] as PastRunVerdict;
  if (verdict.critical === null) continue;
  const truth =
    run.label === null
      ? `${run.outcome} ${run.exit}`
      : run.label.stuck
        ? `stuck, step in at ${run.label.intervene_step}`
        : 'NOT STUCK';
  console.log(
    `  ${run.source} ${run.id}: ${verdict.critical.type} at step ${verdict.critical.atStep} of ${verdict.steps}, saves ${verdict.stepsSaved} [${truth.trim()}]`,
  );
}
console.log('\nmissed');
for (const [index, run] of runs.entries()) {
  const verdict = verdicts[index] as PastRunVerdict;
  if (run.label?.stuck === true && !inTime(run, verdict)) {
    console.log(
      `  ${run.source} ${run.id}: ${run.label.kind}; ${run.label.what}; ${verdict.warning === null ? 'no warning either' : `warned: ${verdict.warning.type} at step ${verdict.warning.atStep}`}`,
    );
  } else if (run.label === null && isExhausted(run) && verdict.critical === null) {
    console.log(
      `  ${run.source} ${run.id}: ended by ${run.exit}, unlabelled; ${verdict.warning === null ? 'no warning either' : `warned: ${verdict.warning.type} at step ${verdict.warning.atStep}`}`,
    );
  }
}
console.log('\nper source');
for (const source of sources) {
  const inside = runs.flatMap((run, index) => (run.source === source ? [index] : []));
  const part = score(
    inside.map((index) => runs[index] as EvalRun),
    inside.map((index) => verdicts[index] as PastRunVerdict),
  );
  console.log(`  ${scoreLine(source, part)}`);
}
console.log(
  '\ncurve over the threshold (excess staleness; the default is ' + `${DEFAULT_DETECT_POLICY.staleStop})`,
);
for (const threshold of THRESHOLDS)
  console.log(`  ${scoreLine(`${threshold}`, score(runs, judge(runs, threshold)))}`);
leaveOneOut(runs, sources);
if (attributed.length > 0) attributionReport(attributed);

const total = score(runs, verdicts);
console.log(
  `\neval:detect: ${share(total.inTime, total.stuck)} of the stuck caught in time, false alarms ${share(total.falseLabelled, total.otherLabelled)} labelled and ${share(total.falseResolved, total.resolved)} resolved, ${share(total.exhaustedCalled, total.exhausted)} of the exhausted called before their end`,
);
