/** `decisionLine`, `sameWay`, `isDecision`: a decision as it is compared and told: what it changes, until when it waits, and the words. */
import type { Decision, RunEvent } from '../vocabulary/events/event.ts';

export interface DecisionLine {
  readonly type: Decision['type'];
  readonly at: number;
  /** Two decisions with the same type and the same of these send the run the same way. */
  readonly sends: Readonly<Record<string, string | number | boolean | null>>;
  readonly until: number | null;
  readonly says: string;
}

type Told = readonly [says: string, sends: DecisionLine['sends'], until?: number | null];

export function decisionLine(decision: Decision): DecisionLine {
  const [says, sends, until = null] = (TOLD[decision.type] as (decision: Decision) => Told)(decision);
  return { type: decision.type, at: decision.at, sends, until, says };
}

export function sameWay(one: DecisionLine, other: DecisionLine): boolean {
  return one.type === other.type && JSON.stringify(one.sends) === JSON.stringify(other.sends);
}

/** True for what the core decided; a line of a newer Mayday is neither a fact nor a decision. */
export function isDecision(event: RunEvent): event is Decision {
  return Object.hasOwn(TOLD, event.type);
}

const TOLD: { readonly [Type in Decision['type']]: (decision: Extract<Decision, { type: Type }>) => Told } = {
  incident_opened: ({ class: name, attempt }) => [`incident: ${name}`, { class: name, attempt }],
  incident_diagnosed: ({ diagnosis: { failureType, recoverable, rootCause } }) => [
    `cause: ${rootCause}`,
    { failure_type: failureType, recoverable },
  ],
  recovery_decided: ({ recovery }) => {
    const { strategy, phase, returnTo, counted, freshSession, agent, reason, notBefore } = recovery;
    const [return_to, fresh_session] = [returnTo, freshSession];
    return [
      `${strategy} (phase ${phase}): ${reason}`,
      { strategy, phase, return_to, counted, fresh_session, agent: agent?.name ?? null },
      notBefore,
    ];
  },
  attempt_planned: ({ attempt, agent, resume }) => [
    `attempt ${attempt} with ${agent.name}, ${resume ? 'in its session' : 'in a new session'}`,
    { attempt, agent: agent.name, resume },
  ],
  incident_resolved: ({ outcome, proof }) => [`incident ${outcome}: ${proof}`, { outcome }],
  blocked: ({ blockers }) => {
    const codes = blockers.map(({ code }) => code).join(', ');
    return [`blocked: ${codes}`, { codes }];
  },
  gate_asked: ({ tree }) => ['the gate is asked', { tree }],
  delivery_decided: ({ sink, tree, unverified, salvage }) => [
    `${salvage === null ? 'deliver' : 'keep the work'}: ${sink.type}${unverified ? ', unverified' : ''}`,
    { sink: sink.type, tree, unverified, salvage: salvage !== null },
  ],
  gate_passed: ({ reason, stage }) => [`gate passed: ${reason}`, { stage }],
  stopped: ({ reason, by }) => [reason, { by }],
  question_asked: ({ question: { text, kind, deadlineAt } }) => [`ask: ${text}`, { kind }, deadlineAt],
  answer_applied: ({ option }) => [`the answer ${option} is applied`, { option }],
  stop_decided: ({ attempt, why, by }) => [`stop attempt ${attempt}: ${why}`, { attempt, by }],
  nudge_decided: ({ signal, attempt }) => [`tell the agent: ${signal}`, { attempt, signal }],
  waiting: ({ reason, for: what, until }) => [`wait: ${reason}`, { for: what }, until],
  ended: ({ state, reason }) => [`${state}: ${reason}`, { state }],
  noted: ({ text }) => [text, {}],
  attempt_released: ({ attempt, why }) => [`attempt ${attempt} may start: ${why}`, { attempt }],
  command_retried: ({ command }) => [`${command} again`, { command }],
  mission_started: ({ owner, mission }) => [`rescue mission by ${owner}`, { mission }],
  mission_closed: ({ outcome, mission }) => [`mission ${outcome}`, { mission, outcome }],
};
