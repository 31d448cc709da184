/** `incidentDiagnosis`, `observedDiagnosis`: what the output says if it fits the class, otherwise what Mayday observed. */
import type { Diagnosis, Evidence } from '../../vocabulary/diagnosis.ts';
import type { Examination, IncidentClass } from '../../vocabulary/events/event.ts';
import { ruleColumns } from '../../vocabulary/classes/class-rule.ts';
import { isFailureClass } from '../../vocabulary/classes/failure-class.ts';
import { ruleOf } from '../../vocabulary/classes/incident-class.ts';
import type { Attempt } from '../../state/run-state.ts';
import { observedFingerprint } from '../../vocabulary/lesson.ts';
import { stoppedFor, stoppingSignal } from './classify.ts';

/** The confidence of what Mayday observed itself and did not infer from text. */
const OBSERVED_CONFIDENCE = 0.9;

export function incidentDiagnosis(
  incidentClass: IncidentClass,
  attempt: Attempt,
  examination: Examination,
): Diagnosis {
  const stopped = stoppedFor(attempt);
  // The agent's output may explain why it stalled, but it does not know the limits that Mayday keeps.
  if (examination.diagnosis?.failureType === incidentClass && stopped?.class !== 'timeout')
    return withMissedVariables(examination.diagnosis, examination);
  const signal = stopped === null ? undefined : stoppingSignal(attempt);
  const rootCause = stopped?.reason ?? endSentence(attempt);
  const lines = signal?.evidence ?? examination.diagnosis?.evidence.map(({ text }) => text) ?? [];
  const observed = observedDiagnosis(incidentClass, rootCause, lines);
  return attempt.outOfMemory ? { ...observed, ranOutOf: 'memory' } : observed;
}

/** If a login was refused and its key is set in the person's shell, the diagnosis names the missing variables. */
function withMissedVariables(diagnosis: Diagnosis, { withheld = [], unset = [] }: Examination): Diagnosis {
  const are = (names: readonly string[]) => `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'}`;
  const were = withheld.length === 1 ? 'was' : 'were';
  const flags = withheld.map((name) => `--env ${name}`).join(' ');
  const missed = [
    ...(withheld.length > 0 ? [`${are(withheld)} set in your shell and ${were} not passed (${flags})`] : []),
    ...(unset.length > 0 ? [`${are(unset)} to be passed and not set where Mayday was started`] : []),
  ];
  if (missed.length === 0) return diagnosis;
  return {
    ...diagnosis,
    rootCause: [diagnosis.rootCause.replace(/\.$/, ''), ...missed].join('; '),
    ...(withheld.length > 0
      ? { humanInstructions: `Pass what the agent needs by your answer, or begin again with ${flags}.` }
      : {}),
  };
}

export function observedDiagnosis(
  incidentClass: IncidentClass,
  rootCause: string,
  lines: readonly string[],
): Diagnosis {
  const rule = ruleOf(incidentClass);
  const evidence: Evidence[] = lines.map((text) => ({ line: 0, text }));
  return {
    failureType: isFailureClass(incidentClass) ? incidentClass : 'unknown',
    rootCause,
    recoverable: rule.recoverable,
    recoveryPlan: rule.recoverable ? `${rule.strategy} from the last checkpoint` : null,
    humanInstructions: rule.recoverable ? null : `Mend the cause (${rootCause}), then let the run go on.`,
    suggestedActions: [],
    escalationReason: rule.recoverable ? null : `${incidentClass} is not recoverable without a person`,
    ...ruleColumns(rule),
    retryAt: null,
    confidence: OBSERVED_CONFIDENCE,
    evidence,
    hypotheses: rule.hypotheses.map(([cause, test]) => ({
      cause: cause.replaceAll('{host}', 'the service'),
      test,
    })),
    confirmedBy: rule.recoverable
      ? 'the next attempt, which is told so, gets on'
      : 'the work goes on once a person has decided or mended it',
    origin: 'observed',
    fingerprint: observedFingerprint(incidentClass),
  };
}

export function endSentence(attempt: Attempt): string {
  const who =
    attempt.agent.name === 'command' ? (attempt.agent.command[0] ?? 'the agent') : attempt.agent.name;
  if (attempt.endedBy === 'host')
    return attempt.exitCode === null && attempt.signal === null
      ? `the host of ${who} was lost, and the agent with it`
      : `the host of ${who} was lost after it had ended and before its work was examined`;
  if (attempt.outOfMemory) return `${who} was killed because the memory ran out`;
  if (attempt.signal === 'SIGKILL')
    return `${who} was killed by SIGKILL; it is not known who sent it, and there is no out-of-memory record`;
  if (attempt.signal !== null) return `${who} was ended by ${attempt.signal}`;
  if (attempt.endedBy === 'unobserved')
    return `${who} ended while nobody watched; its exit status is not known`;
  if (attempt.exitCode === 0) return `${who} ended with exit code 0, but the work is not proven`;
  return `${who} ended with exit code ${attempt.exitCode}`;
}
