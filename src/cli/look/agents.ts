/** `mayday agents`: lists the agents seen, how often they succeed, and which of them need investigation. */
import { counted } from '../../core/text/counted.ts';
import type { BusAgent } from '../../core/bus/bus-agent.ts';
import type { BusMessage } from '../../core/bus/bus-message.ts';
import { readAllMetrics } from '../../core/view/metrics-code.ts';
import type { WorkerMetrics } from '../../core/view/run-metrics.ts';
import { usageError } from '../../platform/mayday-error.ts';
import type { RunRow } from '../../record/contract/journal.ts';
import { createRedactor } from '../../record/redaction/redact.ts';
import { failedTasks } from '../../supervise/bus/failed-tasks.ts';
import { tendBus } from '../../supervise/bus/tend-bus.ts';
import type { Invocation } from '../command.ts';
import { loadConfig, wholePolicy } from '../../supervise/request/config.ts';
import { userName } from '../../use-cases/caller.ts';
import { columns } from '../../core/text/columns.ts';
import { plainLine } from '../render/plain.ts';
import { ago } from '../render/time.ts';
import { print } from '../print.ts';
import { textOf } from '../option-values.ts';
import { type Opened, withRecord } from '../with-record.ts';

type Seen = ReturnType<typeof seen>;

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async (opened) => {
    const { record, home } = opened;
    await tendBus(record, wholePolicy(await loadConfig(home)), Date.now());
    if (invocation.args.length > 0) return clear(invocation, opened);
    const rows = await record.rows({ withoutView: true });
    const { runs } = readAllMetrics(await record.metrics());
    const workers = new Map(runs.map(({ id, ...run }) => [id, run.workers.length > 0 ? run.workers : [run]]));
    const agents = withRuns(await record.busAgents(), rows, workers)
      .toSorted((a, b) => Number(b.flag !== null) - Number(a.flag !== null) || b.lastSeenAt - a.lastSeenAt)
      .map(seen);
    const table = columns(agents.map((agent) => cells(agent, Date.now())));
    return print(invocation, agents, agents.length === 0 ? 'no agents seen yet: mayday run --help\n' : table);
  });
}

/** A person clears the flag of an agent; what was found stays on the bus. */
async function clear(invocation: Invocation, opened: Opened): Promise<number> {
  const { args, env } = invocation;
  const [what, name = ''] = args;
  if (what !== 'clear' || args.length !== 2)
    throw usageError('WRONG_ARGUMENTS', 'mayday agents takes nothing or clear NAME', [
      ['do', 'mayday agents --help'],
    ]);
  const flagged = (await opened.record.busAgents()).filter((agent) => agent.flag !== null);
  const failed = await failedTasks(opened.record);
  if (!flagged.some((agent) => agent.name === name) && !failed.some(({ agent_id }) => agent_id === name))
    throw usageError(
      'NOT_FLAGGED',
      `no agent called ${JSON.stringify(name.slice(0, 80))} is flagged or has a failed task`,
      [
        [
          'do',
          `mayday agents lists them${
            flagged.length > 0
              ? `: ${flagged
                  .map((agent) => agent.name)
                  .slice(0, 5)
                  .join(', ')}`
              : '; none is'
          }`,
        ],
      ],
    );
  const note = textOf(invocation, 'note') ?? '';
  const message: BusMessage = { type: 'AGENT_CLEARED', agent_id: name, by: userName(env), note };
  const said = createRedactor({ environment: env }).redactDeep(message);
  await opened.record.publish([{ at: Date.now(), source: 'person', body: JSON.stringify(said) }]);
  return print(invocation, { agent_id: name, cleared: true }, `cleared    ${name}\n`);
}

/** How one agent did in one run: an agent that a fallback replaced has failed, the last agent has the run's outcome. */
interface Part {
  readonly agent: string;
  readonly attempts: number;
  readonly updatedAt: number;
  readonly end: 'succeeded' | 'failed' | null;
}

/** Counts of supervised agents come from their runs; flags, and external agents, come from the bus. */
function withRuns(
  agents: readonly BusAgent[],
  rows: readonly RunRow[],
  workers: ReadonlyMap<string, readonly WorkerMetrics[]>,
): readonly BusAgent[] {
  const parts = rows.flatMap((row): readonly Part[] => {
    const { runId, updatedAt, ended, state } = row;
    const end = !ended ? null : state === 'abandoned' ? 'failed' : 'succeeded';
    const worked = workers.get(runId) ?? [{ agent: row.agent, attempts: 0 }];
    return worked.map(({ agent, attempts }, index) => ({
      agent,
      attempts,
      updatedAt,
      end: index === worked.length - 1 ? end : 'failed',
    }));
  });
  const supervised = [...Map.groupBy(parts, ({ agent }) => agent)].map(
    ([name, mine]): BusAgent => ({
      name,
      external: false,
      lastSeenAt: Math.max(...mine.map(({ updatedAt }) => updatedAt)),
      attempts: mine.reduce((sum, { attempts }) => sum + attempts, 0),
      succeeded: mine.filter(({ end }) => end === 'succeeded').length,
      failed: mine.filter(({ end }) => end === 'failed').length,
      flag: agents.find((agent) => !agent.external && agent.name === name)?.flag ?? null,
    }),
  );
  const known = new Set(supervised.map(({ name }) => name));
  return [...supervised, ...agents.filter(({ external, name }) => external || !known.has(name))];
}

function seen(agent: BusAgent) {
  const { name, external, attempts, succeeded, failed, flag, lastSeenAt } = agent;
  const tasks = succeeded + failed;
  return {
    agent_id: name,
    external,
    tasks,
    attempts,
    succeeded,
    failed,
    success_share: tasks === 0 ? null : Math.round((1000 * succeeded) / tasks) / 1000,
    flagged:
      flag === null ? null : { reason: flag.reason, at: new Date(flag.at).toISOString(), times: flag.times },
    last_seen_at: new Date(lastSeenAt).toISOString(),
  };
}

function cells(
  { agent_id, external, tasks, success_share, flagged, last_seen_at }: Seen,
  now: number,
): readonly string[] {
  return [
    agent_id,
    external ? 'external' : 'supervised',
    counted(tasks, 'task'),
    success_share === null ? '-' : `${Math.round(success_share * 100)} %`,
    ago(Date.parse(last_seen_at), now),
    flagged === null ? '' : `FLAGGED ${flagged.times}x: ${plainLine(flagged.reason, 50)}`,
  ];
}
