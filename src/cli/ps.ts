/** `mayday ps`: the one that needs me comes first. Reads only the read model: it must start in no time. */
import type { RunRow } from '../record/contract.ts';
import type { Invocation } from './command.ts';
import { oneLine } from './render/plain.ts';
import { ago } from './render/time.ts';
import { withRecord } from './with-record.ts';

const TITLE_WIDTH = 34;
const STATE_WIDTH = 34;

interface View {
  readonly waiting: { readonly until: string | null } | null;
  readonly questions: readonly { readonly id: string; readonly kind: string; readonly state: string }[];
  readonly incidents: readonly unknown[];
  readonly attempts: readonly {
    readonly number: number;
    readonly agent: string;
    readonly signals: readonly Alert[];
  }[];
}

interface Alert {
  readonly type: string;
  readonly severity: string;
  readonly reason: string;
  readonly suggested_action: string;
  readonly at: string;
}

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async ({ record }) => {
    const rows = await record.rows(invocation.options['all'] === true ? {} : { limit: 200 });
    if (invocation.options['alerts'] === true) return alerts(rows, invocation);
    const { stdout, json } = invocation;
    if (json) stdout.write(`${JSON.stringify(rows.map(({ view }) => JSON.parse(view) as unknown))}\n`);
    else stdout.write(rows.length === 0 ? 'no runs yet: mayday run --help\n' : table(rows, Date.now()));
    return 0;
  });
}

function table(rows: readonly RunRow[], now: number): string {
  const lines = rows.map((row) => {
    const view = JSON.parse(row.view) as View;
    return line(
      row.runId,
      row.title,
      stateText(row, view),
      row.ended ? '-' : row.stage,
      ago(row.progressAt, now),
      row.costUsd > 0 ? `$${row.costUsd.toFixed(2)}` : '-',
    );
  });
  return `${[line('RUN', 'TASK', 'STATE', 'STAGE', 'PROGRESS', 'COST'), ...lines].join('\n')}\n`;
}

function line(
  run: string,
  task: string,
  state: string,
  stage: string,
  progress: string,
  cost: string,
): string {
  return `${run.padEnd(6)}${oneLine(task, TITLE_WIDTH - 2).padEnd(TITLE_WIDTH)}${oneLine(state, STATE_WIDTH - 2).padEnd(STATE_WIDTH)}${stage.padEnd(13)}${progress.padEnd(12)}${cost}`.trimEnd();
}

function stateText(row: RunRow, view: View): string {
  const open = view.questions.find(({ state }) => state === 'open');
  if (open !== undefined) return `needs you: ${open.kind} (${open.id})`;
  if (row.state === 'waiting' && view.waiting?.until)
    return `waiting until ${new Date(view.waiting.until).toTimeString().slice(0, 5)}`;
  if (row.ended && view.incidents.length > 0)
    return `${row.state}, ${view.incidents.length} rescue${view.incidents.length === 1 ? '' : 's'}`;
  return row.state === 'unverified' ? 'done, unverified' : row.state;
}

function alerts(rows: readonly RunRow[], { stdout, json }: Invocation): number {
  const found = rows.flatMap((row) =>
    (JSON.parse(row.view) as View).attempts.flatMap(({ number, agent, signals }) =>
      signals.map(({ type, severity, reason, suggested_action, at }) => ({
        run_id: row.runId,
        attempt: number,
        agent_id: `${agent}@${row.runId}`,
        task_id: row.runId,
        type,
        reason,
        severity,
        suggested_action,
        at,
      })),
    ),
  );
  if (json) stdout.write(`${JSON.stringify(found)}\n`);
  else
    for (const { run_id, severity, type, reason, suggested_action } of found)
      stdout.write(
        `${run_id.padEnd(6)}${severity.padEnd(10)}${type}: ${oneLine(reason, 90)} -> ${suggested_action}\n`,
      );
  return 0;
}
