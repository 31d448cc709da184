/** `decisionLine`, `sameWay`: a decision as it is compared and told: what it changes, until when it waits, and the words. */
import type { Decision } from '../vocabulary/events/event.ts';

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
  const [says, sends, until = null] = told(decision);
  return { type: decision.type, at: decision.at, sends, until, says };
}

export function sameWay(one: DecisionLine, other: DecisionLine): boolean {
  return one.type === other.type && JSON.stringify(one.sends) === JSON.stringify(other.sends);
}

function told(decision: Decision): Told {
  switch (decision.type) {
    case 'incident_opened': {
      const { class: name, attempt } = decision;
      return [`incident: ${name}`, { class: name, attempt }];
    }
    case 'incident_diagnosed': {
      const { failureType, recoverable, rootCause } = decision.diagnosis;
      return [`cause: ${rootCause}`, { failure_type: failureType, recoverable }];
    }
    case 'recovery_decided': {
      const { strategy, phase, returnTo, counted, freshSession, agent, reason, notBefore } =
        decision.recovery;
      return [
        `${strategy} (phase ${phase}): ${reason}`,
        {
          strategy,
          phase,
          return_to: returnTo,
          counted,
          fresh_session: freshSession,
          agent: agent?.name ?? null,
        },
        notBefore,
      ];
    }
    case 'attempt_planned': {
      const { attempt, agent, resume } = decision;
      return [
        `attempt ${attempt} with ${agent.name}, ${resume ? 'in its session' : 'in a new session'}`,
        { attempt, agent: agent.name, resume },
      ];
    }
    case 'incident_resolved':
      return [`incident ${decision.outcome}: ${decision.proof}`, { outcome: decision.outcome }];
    case 'blocked': {
      const codes = decision.blockers.map(({ code }) => code).join(', ');
      return [`blocked: ${codes}`, { codes }];
    }
    case 'gate_asked':
      return ['the gate is asked', { tree: decision.tree }];
    case 'delivery_decided': {
      const { sink, tree, unverified, salvage } = decision;
      const what = salvage === null ? 'deliver' : 'keep the work';
      return [
        `${what}: ${sink.type}${unverified ? ', unverified' : ''}`,
        { sink: sink.type, tree, unverified, salvage: salvage !== null },
      ];
    }
    case 'gate_passed':
      return [`gate passed: ${decision.reason}`, { stage: decision.stage }];
    case 'stopped':
      return [decision.reason, { by: decision.by }];
    case 'question_asked':
      return [
        `ask: ${decision.question.text}`,
        { kind: decision.question.kind },
        decision.question.deadlineAt,
      ];
    case 'answer_applied':
      return [`the answer ${decision.option} is applied`, { option: decision.option }];
    case 'stop_decided': {
      const { attempt, why, by } = decision;
      return [`stop attempt ${attempt}: ${why}`, { attempt, by }];
    }
    case 'nudge_decided':
      return [`tell the agent: ${decision.signal}`, { attempt: decision.attempt, signal: decision.signal }];
    case 'waiting':
      return [`wait: ${decision.reason}`, { for: decision.for }, decision.until];
    case 'ended':
      return [`${decision.state}: ${decision.reason}`, { state: decision.state }];
    case 'noted':
      return [decision.text, {}];
    case 'attempt_released':
      return [`attempt ${decision.attempt} may start: ${decision.why}`, { attempt: decision.attempt }];
    case 'command_retried':
      return [`${decision.command} again`, { command: decision.command }];
    case 'mission_started':
      return [`rescue mission by ${decision.owner}`, { mission: decision.mission }];
    case 'mission_closed':
      return [`mission ${decision.outcome}`, { mission: decision.mission, outcome: decision.outcome }];
  }
}
