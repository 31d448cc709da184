/** `runTrace`: a run as spans, by the GenAI conventions of OpenTelemetry. What agents said in words is no part of it. */
import type { RunJson } from './run-json.ts';

export type TraceSpan = NonNullable<ReturnType<typeof span>>;

export interface TracedCall {
  readonly attempt: number;
  readonly id: string;
  readonly tool: string;
  readonly from: number;
  /** Null: no result came. */
  readonly to: number | null;
  readonly failed: boolean;
}

const RUN = 'run';

export function runTrace(run: RunJson, calls: readonly TracedCall[]): readonly TraceSpan[] {
  const whole = span({
    id: RUN,
    parent: null,
    name: `run ${run.run_id}`,
    from: run.created_at,
    to: run.updated_at,
    attributes: {
      'mayday.run.id': run.run_id,
      'mayday.run.state': run.state,
      'gen_ai.agent.name': run.agent,
      'mayday.usage.tokens': run.usage.tokens,
      'mayday.usage.cost_usd': run.usage.cost_usd,
    },
    failed: run.state === 'abandoned',
  });
  return [
    whole,
    ...run.attempts.map((attempt) => attemptSpan(run, attempt)),
    ...calls.map((call) => callSpan(run, call)),
    ...run.checks.map(checkSpan),
    ...run.waits.map((wait, index) =>
      span({
        id: `wait ${index} ${wait.from}`,
        name: `wait ${wait.for}`,
        from: wait.from,
        to: wait.to ?? run.updated_at,
        attributes: { 'mayday.wait.for': wait.for, 'mayday.wait.reason': wait.reason },
      }),
    ),
    ...run.incidents.map((incident) => incidentSpan(run, incident)),
    ...run.questions.map(({ id, kind, asked_at, answer }) =>
      span({
        id: `question ${id}`,
        name: `question ${kind}`,
        from: asked_at,
        to: answer?.at ?? run.updated_at,
        attributes: { 'mayday.question.id': id, 'mayday.question.option': answer?.option ?? null },
      }),
    ),
  ].filter((one) => one !== null);
}

function attemptSpan(run: RunJson, attempt: RunJson['attempts'][number]): TraceSpan | null {
  return span({
    id: `attempt ${attempt.number}`,
    name: `invoke_agent ${attempt.agent}`,
    from: attempt.started_at,
    to: attempt.ended_at ?? run.updated_at,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': attempt.agent,
      'gen_ai.conversation.id': attempt.agent_session,
      'gen_ai.agent.version': attempt.agent_version,
      'mayday.attempt': attempt.number,
      'mayday.exit_code': attempt.exit_code,
      'mayday.signal': attempt.signal,
      'mayday.ended_by': attempt.ended_by,
    },
    failed: run.incidents.length > 0 && (attempt.signal !== null || (attempt.exit_code ?? 0) !== 0),
  });
}

function callSpan(run: RunJson, { attempt, id, tool, from, to, failed }: TracedCall): TraceSpan | null {
  return span({
    id: `call ${attempt} ${id}`,
    parent: `attempt ${attempt}`,
    name: `execute_tool ${tool}`,
    from,
    to: to ?? run.updated_at,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': id,
      'error.type': failed ? 'tool_error' : null,
    },
    failed,
  });
}

function checkSpan(check: RunJson['checks'][number]): TraceSpan | null {
  const to = time(check.at);
  return span({
    id: `check ${check.ledger_id}`,
    name: `check ${check.purpose}`,
    from: to === null ? null : to - check.duration_ms,
    to,
    attributes: {
      'mayday.check.command': check.command,
      'mayday.check.variant': check.variant,
      'mayday.check.passed': check.passed,
      'mayday.exit_code': check.exit_code,
    },
    failed: !check.passed,
  });
}

function incidentSpan(run: RunJson, incident: RunJson['incidents'][number]): TraceSpan | null {
  return span({
    id: `incident ${incident.id}`,
    name: `incident ${incident.class}`,
    from: incident.detected_at,
    to: incident.verified_at ?? incident.resumed_at ?? run.updated_at,
    attributes: {
      'mayday.incident.class': incident.class,
      'mayday.incident.strategy': incident.strategy,
      'mayday.incident.phase': incident.phase,
      'mayday.incident.outcome': incident.outcome,
      'mayday.incident.root_cause': incident.root_cause,
    },
    failed: incident.outcome !== 'resolved',
  });
}

interface Told {
  /** Unique in the run and the same each time the trace is made. */
  readonly id: string;
  /** Null: the run itself. */
  readonly parent?: string | null;
  readonly name: string;
  readonly from: string | number | null;
  readonly to: string | number | null;
  /** Those that are null are not known, and left out. */
  readonly attributes: Readonly<Record<string, string | number | boolean | null>>;
  readonly failed?: boolean;
}

function span({ id, parent = RUN, name, from, to, attributes, failed = false }: Told) {
  const begun = time(from);
  if (begun === null) return null;
  const known = Object.entries(attributes).filter(
    (entry): entry is [string, string | number | boolean] => entry[1] !== null,
  );
  return {
    id,
    name,
    attributes: Object.fromEntries(known),
    parent,
    failed,
    from: begun,
    to: Math.max(time(to) ?? begun, begun),
  };
}

function time(at: string | number | null): number | null {
  return typeof at === 'string' ? Date.parse(at) : at;
}
