/** `IncidentClass`: names an incident by its failure class, or by the blocker that stopped the work at a gate. `ruleOf`: its row. */
import { BLOCKERS } from '../blockers/blocker.ts';
import type { BlockerCode } from '../blockers/blocker-rule.ts';
import { askTheAgent, type ClassRule } from './class-rule.ts';
import { FAILURE_CLASSES, type FailureClass, isFailureClass } from './failure-class.ts';

export type IncidentClass = FailureClass | BlockerCode;

const AT_A_GATE = askTheAgent('What should the agent do about it, or should it be delivered as it is?');

export function ruleOf(incidentClass: IncidentClass): ClassRule {
  if (isFailureClass(incidentClass)) return FAILURE_CLASSES[incidentClass];
  const { says, returnsTo, concern, category, reason } = BLOCKERS[incidentClass];
  return {
    sign: says,
    transient: false,
    recoverable: false,
    firstPhase: 3,
    strategy: 'escalate',
    returnTo: returnsTo,
    scope: 'session',
    category,
    concern,
    rungs: [],
    pastBy: 'gate',
    question: AT_A_GATE,
    hypotheses: [
      ['the work is not what the gate asks for', 'the gate passes after the agent changed it'],
      ['what the gate asks for is not meant', 'a person changes it or lifts it with a reason'],
    ],
    ...(reason === undefined ? {} : { reason }),
  };
}
