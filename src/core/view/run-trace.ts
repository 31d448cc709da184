/**
 * `runTrace`: a run as spans: the run, its attempts, tool calls, checks, waits, incidents and questions. Names and attributes follow the
 * GenAI conventions of OpenTelemetry where they have one. What agents said and did in words is no part of it.
 */
import type { RunJson } from './run-json.ts';

export interface TraceSpan {
  /** Unique in the run and the same each time the trace is made. */
  readonly id: string;
  /** Null: the run itself. */
  readonly parent: string | null;
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly failed: boolean;
}

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
  const end = time(run.updated_at) ?? 0;
  const spans: (TraceSpan | null)[] = [
    span({
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
    }),
    ...run.attempts.map((attempt) =>
      span({
        id: `attempt ${attempt.number}`,
        name: `invoke_agent ${attempt.agent}`,
        from: attempt.started_at,
        to: attempt.ended_at ?? run.updated_at,
        attributes: {
          'gen_ai.operation.name': 'invoke_agent',
          'gen_ai.agent.name': attempt.agent,
          ...known('gen_ai.conversation.id', attempt.agent_session),
          ...known('gen_ai.agent.version', attempt.agent_version),
          'mayday.attempt': attempt.number,
          ...known('mayday.exit_code', attempt.exit_code),
          ...known('mayday.signal', attempt.signal),
          ...known('mayday.ended_by', attempt.ended_by),
        },
        failed: run.incidents.length > 0 && (attempt.signal !== null || (attempt.exit_code ?? 0) !== 0),
      }),
    ),
    ...calls.map(({ attempt, id, tool, from, to, failed }) => ({
      id: `call ${attempt} ${id}`,
      parent: `attempt ${attempt}`,
      name: `execute_tool ${tool}`,
      from,
      to: to ?? end,
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': tool,
        'gen_ai.tool.call.id': id,
        ...(failed ? { 'error.type': 'tool_error' } : {}),
      },
      failed,
    })),
    ...run.checks.map(({ command, exit_code, passed, purpose, variant, duration_ms, at, ledger_id }) => {
      const to = time(at);
      return to === null
        ? null
        : {
            id: `check ${ledger_id}`,
            parent: RUN,
            name: `check ${purpose}`,
            from: to - duration_ms,
            to,
            attributes: {
              'mayday.check.command': command,
              'mayday.check.variant': variant,
              'mayday.check.passed': passed,
              ...known('mayday.exit_code', exit_code),
            },
            failed: !passed,
          };
    }),
    ...run.waits.map((wait, index) =>
      span({
        id: `wait ${index} ${wait.from}`,
        name: `wait ${wait.for}`,
        from: wait.from,
        to: wait.to ?? run.updated_at,
        attributes: { 'mayday.wait.for': wait.for, 'mayday.wait.reason': wait.reason },
      }),
    ),
    ...run.incidents.map((incident) =>
      span({
        id: `incident ${incident.id}`,
        name: `incident ${incident.class}`,
        from: incident.detected_at,
        to: incident.verified_at ?? incident.resumed_at ?? run.updated_at,
        attributes: {
          'mayday.incident.class': incident.class,
          ...known('mayday.incident.strategy', incident.strategy),
          ...known('mayday.incident.phase', incident.phase),
          ...known('mayday.incident.outcome', incident.outcome),
          ...known('mayday.incident.root_cause', incident.root_cause),
        },
        failed: incident.outcome !== 'resolved',
      }),
    ),
    ...run.questions.map((question) =>
      span({
        id: `question ${question.id}`,
        name: `question ${question.kind}`,
        from: question.asked_at,
        to: question.answer?.at ?? run.updated_at,
        attributes: {
          'mayday.question.id': question.id,
          ...known('mayday.question.option', question.answer?.option ?? null),
        },
      }),
    ),
  ];
  return spans.filter((one) => one !== null);
}

interface Told {
  readonly id: string;
  readonly parent?: string | null;
  readonly name: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly attributes: TraceSpan['attributes'];
  readonly failed?: boolean;
}
function span({ from, to, parent = RUN, failed = false, ...rest }: Told): TraceSpan | null {
  const begun = time(from);
  if (begun === null) return null;
  return { ...rest, parent, failed, from: begun, to: Math.max(time(to) ?? begun, begun) };
}

function time(iso: string | null): number | null {
  return iso === null ? null : Date.parse(iso);
}

function known(name: string, value: string | number | null): Record<string, string | number> {
  return value === null ? {} : { [name]: value };
}
