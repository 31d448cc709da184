/** `mayday ps`: lists runs, those that need a person first. It reads only the read model, so that it starts fast. */
import { readView } from '../../core/view/read-view.ts';
import { LINE_WORDS, type LineWord, wordText } from '../../core/view/state-word.ts';
import { usageError } from '../../platform/mayday-error.ts';
import type { RunRecord } from '../../record/contract.ts';
import type { RunFilter } from '../../record/contract/journal.ts';
import { activeHolds } from '../../supervise/active-holds.ts';
import type { Invocation } from '../command.ts';
import { print, printJson } from '../print.ts';
import { type FailedTask, failedTasks } from '../../supervise/bus/failed-tasks.ts';
import { liveAlerts } from './live-alerts.ts';
import { textOf } from '../option-values.ts';
import { columns } from '../../core/text/columns.ts';
import { renderHold } from '../render/hold.ts';
import { plainLine } from '../render/plain.ts';
import { type ListedRun, runTable } from '../render/run-table.ts';
import { withRecord } from '../with-record.ts';
import { writeText } from '../write-text.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async ({ home, record }) => {
    const word = wordOf(invocation);
    const filter = await filterOf(invocation, home, word);
    const listed = invocation.options['all'] === true ? {} : { limit: 200, listed: true };
    const found = (await record.rows({ ...listed, ...filter })).map((row) => ({
      ...row,
      view: readView(row),
    }));
    // `working` finds those that are being rescued too: they work; `delivered` those that are not proven.
    const rows = found.filter(({ view }) => word === null || !(word in OF_STATE) || view.word === word);
    if (invocation.options['alerts'] === true) return alerts(rows, await failedTasks(record), invocation);
    const { stdout, json } = invocation;
    if (json)
      printJson(
        stdout,
        rows.map(({ view }) => view),
      );
    else {
      const now = Date.now();
      const width = stdout.columns ?? Infinity;
      if (rows.length > 0) writeText(stdout, runTable(rows, await outOfSight(home, record), now, width));
      else writeText(stdout, `${await nothingListed(record, word, filter)}\n`);
      const here = new Set(rows.map(({ runId }) => runId));
      // One that holds nothing is told by `mayday holds`; its question stands in the table.
      for (const hold of await activeHolds(record, now))
        if (hold.waiting.some((runId) => here.has(runId) || invocation.options['here'] !== true))
          writeText(stdout, `\n${renderHold(hold, now)}`);
    }
    return 0;
  });
}

async function nothingListed(record: RunRecord, word: LineWord | null, filter: RunFilter): Promise<string> {
  const where = filter.repository === undefined ? '' : ' of this repository';
  if (word !== null) return `no run${where} is ${wordText(word)}: mayday ps`;
  if (where !== '') return `no run${where}: mayday ps`;
  const [taken] = await record.rows({ limit: 1 });
  return taken === undefined
    ? 'no runs yet: mayday run --help'
    : 'no run is left in the list: mayday ps --all';
}

/** The words of a list that are no state of the journal, and the state that they are a part of; undefined: of two. */
const OF_STATE = {
  needs_you: 'waiting',
  stopped: 'waiting',
  rescuing: 'working',
  preparing: 'working',
  not_proven: undefined,
} as const;

function wordOf(invocation: Invocation): LineWord | null {
  const asked = textOf(invocation, 'state');
  if (asked === undefined) return null;
  const word = LINE_WORDS.find((each) => each === asked.replaceAll(/[ -]/g, '_'));
  if (word !== undefined) return word;
  throw usageError('WRONG_OPTION', `--state ${JSON.stringify(asked)} is no state of a run`, [
    ['do', `one of ${LINE_WORDS.join(', ')}`],
  ]);
}

async function filterOf(invocation: Invocation, home: string, word: LineWord | null): Promise<RunFilter> {
  const state = word === null ? undefined : word in OF_STATE ? OF_STATE[word as keyof typeof OF_STATE] : word;
  if (invocation.options['here'] !== true) return state === undefined ? {} : { state };
  const { inspectRepository } = await import('../../act/workspace/inspect-repository.ts');
  const { root } = await inspectRepository(invocation.cwd, { home, env: invocation.env });
  return { repository: root, ...(state === undefined ? {} : { state }) };
}

/** Runs without a keeper that this process may not adopt: their agents are unseen and may still run. */
async function outOfSight(home: string, record: RunRecord): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const unowned = await record.unowned();
  if (unowned.length === 0) return found;
  const { unseenAttempt } = await import('../../supervise/watch/unseen-attempt.ts');
  for (const runId of unowned) if ((await unseenAttempt(home, record, runId)) !== null) found.add(runId);
  return found;
}

function alerts(rows: readonly ListedRun[], failed: readonly FailedTask[], invocation: Invocation): number {
  const supervised = rows.flatMap(({ runId, view, ended }) => (ended ? [] : liveAlerts(runId, view)));
  const external = failed.map(({ agent_id, task_id, at, class: type, root_cause, suggested_action }) => ({
    run_id: null,
    attempt: null,
    agent_id,
    task_id,
    type,
    reason: root_cause,
    severity: 'critical',
    suggested_action,
    at,
  }));
  const found = [...supervised, ...external];
  /** What a person does by a command is told as the command; programs get the word of the rule. A stopped run takes no flag. */
  const stopped = new Set(rows.filter(({ view }) => view.stopped === true).map(({ runId }) => runId));
  const callFor = (runId: string) =>
    stopped.has(runId)
      ? `mayday resume ${runId} --note "what to do now"`
      : `mayday flag ${runId} --reason "what is wrong"`;
  const asking = new Set(found.filter(({ type }) => type === 'needs_you').map(({ run_id }) => run_id));
  const cells = found
    // A question is the flag: nobody has to raise it again.
    .filter(({ run_id, type }) => type !== 'retries' || !asking.has(run_id))
    .map(({ task_id: run_id, severity, type, reason, suggested_action }) => [
      run_id,
      severity,
      `${type.replaceAll('_', ' ')}: ${plainLine(reason, 90)} -> ${type === 'retries' ? callFor(run_id) : suggested_action}`,
    ]);
  return print(invocation, found, columns(cells) || 'no alerts: nothing needs you now\n');
}
