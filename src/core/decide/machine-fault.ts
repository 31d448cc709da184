/** `machineFault`, `faultyCheck`: what this machine lacks for a required check that said exactly the same before the work. */
import type { Incident, RecordedCheck, RunState } from '../state/run-state.ts';
import type { Blocker } from '../vocabulary/blockers/blocker-rule.ts';
import type { Diagnosis } from '../vocabulary/diagnosis.ts';

export function machineFault(
  { checks }: RunState,
  blockers: readonly Blocker[],
  at: number,
): Diagnosis | undefined {
  const alike = blockers.flatMap((one) =>
    one.code === 'check_failed' && one.source === 'check' && one.before === 'same_output'
      ? [one.command]
      : [],
  );
  return checks.find(
    ({ purpose, at: ranAt, command, needsPerson }) =>
      purpose === 'gate' && ranAt === at && needsPerson !== undefined && alike.includes(command),
  )?.needsPerson;
}

export function faultyCheck({ checks }: RunState, incident: Incident | undefined): RecordedCheck | undefined {
  const known = incident?.diagnosis?.fingerprint;
  return checks.findLast(({ needsPerson }) => needsPerson !== undefined && needsPerson.fingerprint === known);
}
