/** `renderDiagnosis`: a diagnosis as text: the verdict, the cause, the lines that show it, what to do. */
import { printable } from '../../core/diagnose/lines/clean-line.ts';
import type { DiagnoseAnswer } from '../../core/opinion/diagnose-check.ts';
import type { Diagnosis } from '../../core/vocabulary/diagnosis.ts';
import type { Opinion } from '../../core/vocabulary/opinion.ts';
import { localTime } from '../render/time.ts';

/** Longer evidence is cut on the screen; `--json` has it whole. */
const LINE_CHARS = 160;
const SHOWN_LINES = 3;

export function renderDiagnosis(diagnosis: Diagnosis, colour: boolean): string {
  const paint = (code: number, text: string): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  const sure = `${certainty(diagnosis.confidence)} (${diagnosis.confidence.toFixed(2)})`;
  if (diagnosis.failureType === 'success')
    return `${[`${paint(32, 'nothing failed')} · ${sure}`, ...opinionLines(diagnosis)].join('\n')}\n`;
  const whose = diagnosis.recoverable ? paint(32, 'recoverable') : paint(33, 'needs a person');
  const words = diagnosis.failureType.replaceAll('_', ' ');
  const title = diagnosis.failureType === 'unknown' ? 'I cannot tell' : words;
  const lines = [`${paint(1, title)} · ${whose} · ${sure}`, '', `  ${printable(diagnosis.rootCause)}`, ''];
  if (diagnosis.step !== undefined) lines.push(`  In    ${cut(printable(diagnosis.step))}`, '');
  const width = String(Math.max(...diagnosis.evidence.map(({ line }) => line), 1)).length + 3;
  for (const { line, text } of diagnosis.evidence.slice(0, SHOWN_LINES))
    lines.push(`  ${paint(2, `${String(line).padStart(width)} |`)} ${cut(printable(text))}`);
  if (diagnosis.evidence.length > 0) lines.push('');
  const places = (diagnosis.workspace ?? []).map(
    ({ path, line, text }) => `${printable(line === 0 ? path : `${path}:${line}`)}  ${cut(printable(text))}`,
  );
  for (const [at, place] of [...new Set(places)].entries())
    lines.push(`  ${at === 0 ? 'Here' : '    '}  ${place}`);
  if (diagnosis.workspace !== undefined) lines.push('');
  if (diagnosis.retryAt !== null) lines.push(`  Wait  until ${localTime(diagnosis.retryAt)}`);
  if (diagnosis.recoveryPlan !== null) lines.push(`  Do    ${printable(diagnosis.recoveryPlan)}`);
  if (diagnosis.escalationReason !== null) lines.push(`  Why   ${printable(diagnosis.escalationReason)}`);
  if (diagnosis.humanInstructions !== null)
    lines.push(
      ...diagnosis.humanInstructions
        .split('\n')
        .map((step, index) => `  ${index === 0 ? 'You ' : '    '}  ${printable(step)}`),
    );
  const [other] = diagnosis.hypotheses;
  if (other !== undefined && diagnosis.confidence < 0.75)
    lines.push(`  Or    ${printable(other.cause)} (test: ${printable(other.test)})`);
  return `${[...lines, ...opinionLines(diagnosis)].join('\n')}\n`;
}

function certainty(confidence: number): string {
  if (confidence >= 0.9) return 'sure';
  if (confidence >= 0.75) return 'likely';
  return confidence >= 0.5 ? 'maybe' : 'a guess';
}

function cut(text: string): string {
  return text.length > LINE_CHARS ? `${text.slice(0, LINE_CHARS - 1)}…` : text;
}

/** Apart from what is proven, and as text: nothing of it is a command of Mayday. */
function opinionLines({ opinion: outcome }: Diagnosis): readonly string[] {
  if (outcome === undefined) return [];
  if (outcome.type === 'unanswered')
    return ['', `  No opinion of ${printable(outcome.by)}: ${printable(outcome.reason)}`];
  const { by, answer, quotes, costUsd, confidence } = outcome.opinion as Opinion<DiagnoseAnswer>;
  const found = quotes.length === 0 ? 'no quote' : 'quote found in the record';
  const cost = costUsd === null ? '' : `, $${costUsd.toFixed(3)}`;
  return [
    '',
    `  Opinion of ${printable(by)}, ${found}${cost}: ${answer.class.replaceAll('_', ' ')} (${confidence.toFixed(2)})`,
    `    “${cut(printable(answer.cause))}”`,
    ...(answer.next_step === '' ? [] : [`    it would try: “${cut(printable(answer.next_step))}”`]),
  ];
}
