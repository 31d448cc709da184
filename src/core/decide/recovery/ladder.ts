/** `rungs`: the ladder of a class: what is tried before a person is asked, one rung per failed attempt of the incident. */
import { ranOutOf } from '../../diagnose/ran-out-of.ts';
import type { ClassPolicy } from '../../vocabulary/classes/class-policy.ts';
import type { RungName, Phase, Strategy } from '../../vocabulary/classes/class-rule.ts';
import type { Diagnosis } from '../../vocabulary/diagnosis.ts';
import type { IncidentClass } from '../../vocabulary/events/event.ts';
import type { Incident } from '../../state/run-state.ts';
import { ruleOf } from '../../vocabulary/classes/incident-class.ts';

export interface Rung {
  readonly phase: Phase;
  readonly strategy: Strategy;
  readonly fresh: boolean;
}

const again: Rung = { phase: 1, strategy: 'resume', fresh: false };
const withHint: Rung = { phase: 2, strategy: 'resume', fresh: false };
const RUNGS: Readonly<Record<RungName, Rung>> = {
  retry: again,
  hint: withHint,
  fresh: { phase: 2, strategy: 'restart', fresh: true },
};

/** `own`: what the configuration says about this class. A higher first phase drops the rungs below it. */
export function rungs(
  { class: incidentClass, diagnosis }: Pick<Incident, 'class' | 'diagnosis'>,
  own?: ClassPolicy,
): readonly Rung[] {
  const first = own?.firstPhase ?? 1;
  const ladder = own?.rungs?.map((name) => RUNGS[name]) ?? byCause(incidentClass, diagnosis);
  return first === 1 ? ladder : ladder.filter(({ phase }) => phase >= first);
}

/** The class gives the usual rungs. A diagnosis that knows the cause better may change them. */
function byCause(incidentClass: IncidentClass, diagnosis: Diagnosis | null): readonly Rung[] {
  const rule = ruleOf(incidentClass);
  const usual = rule.rungs.map((name) => RUNGS[name]);
  if (diagnosis === null) return usual;
  const { recoverable, transient } = diagnosis;
  // Any other resource than memory belongs to the host.
  if (incidentClass === 'resource_exhausted') return ranOutOf(diagnosis) === 'memory' ? usual : [];
  // For a circle of dependencies or a corrupt repository, trying again changes nothing.
  if (!recoverable && rule.recoverable) return [];
  // A lock that another process holds, a wrong option, a manifest inside the scope: these need no person.
  if (recoverable && !rule.recoverable && usual.length === 0) return [transient ? again : withHint];
  return usual;
}

/** True: the cause lies outside the run. The run waits for it to pass, and nothing is counted. */
export function isWaitedFor(incidentClass: IncidentClass): boolean {
  return ruleOf(incidentClass).hold !== undefined;
}
