/** `incidentFor`, `diagnosed`, `observed`, `escalate`, `resolve`, `changedInto`, `closeIncident`: the life of an incident. */
import { categorise } from './categorise.ts';
import type { Diagnosis } from '../../vocabulary/diagnosis.ts';
import type { IncidentClass, Recovery } from '../../vocabulary/events/event.ts';
import { ruleOf } from '../../vocabulary/classes/incident-class.ts';
import type { Stage } from '../../vocabulary/classes/class-rule.ts';
import { confirmedBy, refutedBy } from '../../state/hypothesis-verdict.ts';
import { openIncident, type Incident } from '../../state/run-state.ts';
import { closeMission } from '../close-mission.ts';
import { wasUseful } from './breakers.ts';
import { observedDiagnosis } from './incident-diagnosis.ts';
import type { Turn } from '../turn.ts';

/**
 * Trouble belongs to the open incident as long as that is not past and the class is the same. Another class means that the attempt got
 * beyond the old trouble, if it made progress; otherwise that the rescue failed.
 */
export function incidentFor(
  turn: Turn,
  incidentClass: IncidentClass,
  attempt: number,
  detectedAt: number,
): Incident {
  const open = openIncident(turn.state);
  // An incident of class `unknown` is replaced by the class that the end of the attempt shows.
  const named = open?.attempt === attempt && open.class !== 'unknown';
  if (open !== undefined && (open.class === incidentClass || named)) return open;
  if (open !== undefined) {
    const isBeyond = ruleOf(open.class).pastBy !== 'gate' && wasUseful(turn.state, attempt - 1);
    if (isBeyond)
      resolve(turn, `attempt ${attempt} got beyond it, as far as ${incidentClass.replaceAll('_', ' ')}`);
    changedInto(turn, incidentClass);
  }
  const incident = `${turn.state.runId}-i${turn.state.incidents.length + 1}`;
  turn.decide({ type: 'incident_opened', incident, class: incidentClass, detectedAt, attempt });
  return turn.state.incidents.at(-1) as Incident;
}

/** The category comes from what was seen. A diagnosis with a reason for its category keeps it: a person gave it. */
export function diagnosed(turn: Turn, incident: Incident, told: Diagnosis): Incident {
  const attempt = turn.state.attempts.find(({ number }) => number === incident.attempt);
  const { category, reason } = categorise({ class: incident.class, diagnosis: told, attempt });
  const diagnosis = told.categoryReason === undefined ? { ...told, category, categoryReason: reason } : told;
  if (diagnosis === incident.diagnosis) return incident;
  const refutes = refutedBy(incident, diagnosis);
  turn.decide({ type: 'incident_diagnosed', incident: incident.id, diagnosis, refutes });
  return turn.state.incidents.find(({ id }) => id === incident.id) as Incident;
}

/** The same for what Mayday observed itself. */
export function observed(
  turn: Turn,
  incident: Incident,
  ...seen: Parameters<typeof observedDiagnosis>
): Incident {
  return diagnosed(turn, incident, observedDiagnosis(...seen));
}

/** Phase 3: a person decides. The escalation is journaled like any other recovery; a rescue that led here has failed. */
export function escalate(turn: Turn, incident: Incident, returnTo: Stage | null, reason: string): void {
  closeMission(turn, 're-escalated');
  turn.decide({
    type: 'recovery_decided',
    incident: incident.id,
    recovery: recovery({ strategy: 'escalate', phase: 3, returnTo, reason }),
  });
}

/** The work moved after the resume. Only trouble that keeps the work from moving is past then. */
export function resolveByProgress(turn: Turn, proof: string): void {
  const open = openIncident(turn.state);
  if (open !== undefined && ruleOf(open.class).pastBy === 'progress') resolve(turn, proof);
}

export function changedInto(turn: Turn, what: string): void {
  const open = openIncident(turn.state);
  if (open === undefined) return;
  closeIncident(turn, open, 're-escalated', `changed into ${what}`);
  closeMission(turn, 're-escalated');
}

/** The open incident is past. Nothing is resolved that no attempt has worked on since the last decision. */
export function resolve(turn: Turn, proof: string): void {
  const open = openIncident(turn.state);
  if (open === undefined || open.resumedAt === null || open.lastDecidedAt === null) return;
  if (open.resumedAt < open.lastDecidedAt) return;
  closeIncident(turn, open, 'resolved', proof);
  closeMission(turn, 'resolved');
}

export function closeIncident(
  turn: Turn,
  incident: Incident,
  outcome: NonNullable<Incident['outcome']>,
  proof: string,
): void {
  const confirms = confirmedBy(incident, { outcome, proof });
  turn.decide({ type: 'incident_resolved', incident: incident.id, outcome, proof, confirms });
}

type Choice = Pick<Recovery, 'strategy' | 'phase' | 'returnTo' | 'reason'> & Partial<Recovery>;

/** A recovery with defaults: at once, uncounted, the same agent session, the same agent, no hint. */
export function recovery(choice: Choice): Recovery {
  return { notBefore: null, counted: false, freshSession: false, hint: null, agent: null, ...choice };
}
