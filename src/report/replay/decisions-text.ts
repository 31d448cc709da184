/** `decisionsText`: recorded decisions beside those of another policy, from where they differ, as text. */
import { counted } from '../../core/text/counted.ts';
import type { PolicyKey } from '../../core/vocabulary/policy.ts';
import type { Cost } from '../../core/replay/alarm-cost.ts';
import type { DecisionLine } from '../../core/replay/decision-line.ts';
import type { Difference, Parting, Replayed } from '../../core/replay/replay-run.ts';
import { span } from '../page/words.ts';
import { ONLY_LIVE, type ReplayedHistory } from './replay-history.ts';

/** Further pauses add nothing to the text. */
const MAX_PAUSES = 3;
const MAX_WORDS = 110;

export function decisionsText(history: ReplayedHistory, changed: readonly PolicyKey[]): string {
  const { runs, now, proposed } = history;
  if (runs.length === 0) return '';
  const others = runs.filter(({ replayed }) => !isSame(replayed));
  const live = changed.filter((key) => ONLY_LIVE.has(key));
  return `${[
    '',
    ...others.flatMap(({ replayed, meaning }) => [
      ...told(replayed),
      `  so         ${meaning.verdict.replaceAll('_', ' ')}: ${meaning.why}`,
      '',
    ]),
    ...(others.length < runs.length
      ? [`${runs.length - others.length} of ${runs.length} runs would have been decided the same throughout`]
      : []),
    `false alarms now        ${cost(now)}`,
    `false alarms proposed   ${cost(proposed)}`,
    ...(live.length === 0
      ? []
      : [`not replayed: ${live.join(', ')} (what they change never reached a journal; try a drill)`]),
  ].join('\n')}\n`;
}

function isSame({ pauses, parting, unfit, drifted }: Replayed): boolean {
  return pauses.length === 0 && parting === null && unfit === null && drifted.length === 0;
}

function told({ runId, turns, compared, pauses, parting, unfit, drifted }: Replayed): string[] {
  return [
    `run ${runId}: ${compared === turns ? `the same way in all ${turns} turns` : `the same way in ${compared} of ${turns} turns`}`,
    ...pauses.slice(0, MAX_PAUSES).flatMap(differenceText),
    ...(pauses.length > MAX_PAUSES ? [`  and ${pauses.length - MAX_PAUSES} more other pauses`] : []),
    ...(parting === null ? [] : partingText(parting)),
    ...(unfit === null
      ? []
      : [
          `  the comparison ends: "${unfit.fact}" (line ${unfit.seq} of the journal) could not have happened then`,
        ]),
    ...(drifted.length === 0
      ? []
      : [
          `  this version of Mayday decides ${drifted.length} turns otherwise under the recorded policy, too (line ${drifted[0]})`,
        ]),
  ];
}

function partingText(parting: Parting): string[] {
  const { afterwards, next, because } = parting;
  return [
    ...differenceText(parting),
    ...afterwards.map((line, index) => `  ${(index === 0 ? 'then' : '').padEnd(11)}${words(line)}`),
    ...(because === 'version' ? ['  because    this version of Mayday decides so, not the policy'] : []),
    next === null
      ? '  the record ends here'
      : next.fits
        ? `  the comparison ends: what came next ("${next.fact}") happened to a run that was decided otherwise`
        : `  the comparison ends: "${next.fact}", which came next, could not have happened then`,
  ];
}

function differenceText({ at, fact, recorded, wouldBe }: Difference): string[] {
  return [
    `  ${new Date(at).toISOString().slice(0, 19).replace('T', ' ')}  ${fact}`,
    ...side('recorded', recorded),
    ...side('would be', wouldBe),
  ];
}

function side(name: string, lines: readonly DecisionLine[]): string[] {
  const said = lines.filter(({ type }) => type !== 'incident_diagnosed').map(words);
  return (said.length === 0 ? ['nothing: it goes on'] : said).map(
    (text, index) => `  ${(index === 0 ? name : '').padEnd(11)}${text}`,
  );
}

function words({ says, until, at, type }: DecisionLine): string {
  const line = says.replaceAll(/\s+/g, ' ');
  const short = line.length > MAX_WORDS ? `${line.slice(0, MAX_WORDS - 1)}…` : line;
  return until === null || type === 'recovery_decided' ? short : `${short} (${span(until - at)})`;
}

function cost({ falseAlarms, minutes, attempts, questions }: Cost): string {
  if (falseAlarms === 0) return 'none';
  const cost = `${counted(attempts, 'attempt')}, ${counted(questions, 'question')}`;
  return `${falseAlarms}: ${span(minutes * 60_000)}, ${cost}`;
}
