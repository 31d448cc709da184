/**
 * How well stuck runs are noticed: `npm run eval:detect -- FILE...`.
 * A FILE holds one run per line `{id, source?, outcome_label?, exit_status?, steps: [...]}`; a file named `*labels*`
 * holds an operator's reading of some of them `{file, id, stuck, first_stuck_step, intervene_step, sure}`.
 */
import type { DetectPolicy } from '../src/core/detect/detector.ts';
import { DEFAULT_POLICY } from '../src/core/vocabulary/policy.ts';
import { type PastRunVerdict, whatIf } from '../src/core/detect/autopsy/what-if.ts';
import { writePeersPage } from './bench-peers/peers-page.ts';
import { recordRules } from './bench-peers/rules-section.ts';
import { PEER_RULES, peerRuleAlarm } from './eval-detect/peer-rules.ts';
import { refitReport } from './eval-detect/refit.ts';
import { inTime, isExhausted, score, scoreLine, share, shortLine } from './eval-detect/score.ts';
import { whoReport } from './eval-detect/who.ts';
import { type EvalRun, loadRuns } from './eval-runs.ts';

/** One unit of excess staleness is two equal repetitions; every count moves with it. */
const THRESHOLDS = [1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5];

function policyAt(threshold: number): Partial<DetectPolicy> {
  const { stale_stop, loop_stop } = DEFAULT_POLICY;
  return {
    stale_stop: threshold,
    stale_warn: Math.min(threshold, DEFAULT_POLICY.stale_warn),
    loop_stop: Math.round(((loop_stop - 1) * threshold) / stale_stop) + 1,
    cycle_turns: Math.max(2, Math.round((DEFAULT_POLICY.cycle_turns * threshold) / stale_stop)),
  };
}

const ran = (run: EvalRun): boolean => /resolved|committed|unevaluated/.test(run.outcome);

function judge(runs: readonly EvalRun[], threshold: number): readonly PastRunVerdict[] {
  return whatIf(
    runs.map((run) => ({ id: run.id, entries: run.entries, truth: 'unknown' as const })),
    policyAt(threshold),
  ).verdicts;
}

const alarmsOf = (verdicts: readonly PastRunVerdict[]) =>
  verdicts.map((verdict, index) => {
    const at = verdict.critical?.atStep;
    return at === undefined ? null : (runs[index]?.stepOf[at] ?? at);
  });

const files = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
if (files.length === 0) {
  console.error(
    "usage: npm run eval:detect -- [--record] FILE...   (runs as JSON lines; *labels*.jsonl for an operator's reading; --record: for docs/peers.md)",
  );
  process.exit(2);
}
const runs = loadRuns(files).filter(ran);
const verdicts = judge(runs, DEFAULT_POLICY.stale_stop);
const alarms = alarmsOf(verdicts);
const sources = [...new Set(runs.map((run) => run.source))];

const leftOut = refitReport(runs, sources);

console.log('\nwith the values as they are (fitted on these runs): alarms');
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
  if (run.label?.stuck === true && !inTime(run, alarms[index] ?? null)) {
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
    inside.map((index) => alarms[index] ?? null),
  );
  console.log(`  ${scoreLine(source, part)}`);
}
console.log(
  '\ncurve over the threshold (excess staleness; the default is ' + `${DEFAULT_POLICY.stale_stop})`,
);
for (const threshold of THRESHOLDS)
  console.log(`  ${scoreLine(`${threshold}`, score(runs, alarmsOf(judge(runs, threshold))))}`);
whoReport(runs);

const total = score(runs, alarms);
const detection = [
  { name: 'Mayday', ...leftOut },
  ...Object.entries(PEER_RULES).map(([name, rule]) => ({
    name,
    ...score(
      runs,
      runs.map((run) => peerRuleAlarm(run, rule)),
    ),
  })),
];
console.log('\nbeside the rules that other tools publish');
for (const { name, ...outcome } of detection) console.log(`  ${shortLine(name, outcome)}`);
if (process.argv.includes('--record')) {
  recordRules({ detection });
  writePeersPage();
}
const line = (
  name: string,
  { inTime: caught, stuck, falseLabelled, otherLabelled, falseResolved, resolved }: typeof total,
) =>
  `${name}: ${share(caught, stuck)} of the stuck caught in time, false alarms ${share(falseLabelled, otherLabelled)} labelled and ${share(falseResolved, resolved)} resolved`;
console.log(
  `\n${line('eval:detect: each source by values fitted without it', leftOut)}\n${line('fitted on all', total)}, ${share(total.exhaustedCalled, total.exhausted)} of the exhausted called before their end; recovered by themselves after an alarm: ${share(total.recovered, total.alarmed)}`,
);
