/** `recordFindings`: what `mayday doctor` finds in the record: damage, forgeries, holds, tasks without a keeper that watches them. */
import { existsSync } from 'node:fs';
import { counted } from '../../core/text/counted.ts';
import type { RunJson } from '../../core/view/run-json.ts';
import { type Forgery, forgeryWords } from '../../core/vocabulary/events/word.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import type { RunRecord } from '../../record/contract.ts';
import { activeHolds } from '../../supervise/active-holds.ts';
import { outboxPath } from '../../supervise/notify/notice-outbox.ts';
import { openRecord } from '../../supervise/open-record.ts';
import { isKept } from '../../supervise/start-keeper.ts';
import { holdJson } from '../../report/hold-json.ts';
import { clockTime } from '../render/time.ts';
import { plain } from '../render/plain.ts';
import { type DoctorFinding, fine } from './doctor-finding.ts';

/** How long a refused forgery is told here; `show` tells it for ever. */
const LATELY_MS = 86_400_000;
export const HOLD = 'hold';
/** A number for a person; beyond it the list is long anyway. */
const MAX_TASKS = 200;

export async function recordFindings(home: string, env: NodeJS.ProcessEnv): Promise<DoctorFinding[]> {
  let record: RunRecord | null = null;
  try {
    record = await openRecord(home, env);
    const damage = await damageFinding(record);
    const others = [forgeryFindings(record), holdFindings(record), busFinding(record)];
    return [damage, ...(await Promise.all(others)).flat(), ...(await noticeFindings(home, env))];
  } catch (error) {
    if (!(error instanceof MaydayError)) throw error;
    const says = [error.message, ...advised(error, 'happened')].join(' ');
    return [{ what: 'record', ok: false, says, advice: advised(error, 'do').join(' ') || null }];
  } finally {
    await record?.close();
  }
}

function advised({ advice }: MaydayError, wanted: string): readonly string[] {
  return advice.flatMap(([kind, text]) => (kind === wanted ? [text] : []));
}

async function damageFinding(record: RunRecord): Promise<DoctorFinding> {
  const problems = await record.verify();
  const first = problems[0];
  return first === undefined
    ? fine('record', 'whole')
    : {
        what: 'record',
        ok: false,
        says: `${problems.length} problems; first: ${first.problem}`,
        advice: 'mayday verify tells all',
      };
}

async function forgeryFindings(record: RunRecord): Promise<DoctorFinding[]> {
  const rows = await record.rows({ sinceAt: Date.now() - LATELY_MS });
  return rows.flatMap(({ runId, view }) => {
    const [first, ...more] = forgeriesOf(view);
    if (first === undefined) return [];
    const others = more.length > 0 ? `, and ${more.length} more` : '';
    const says = `run ${runId}: ${plain(forgeryWords(first))}${others}`;
    const advice = `nothing was done on it; its agent or code under test writes to Mayday's record: mayday show ${runId}`;
    return [{ what: 'forgery', ok: false, says, advice }];
  });
}

/** A damaged document is told as damage. */
function forgeriesOf(view: string): readonly Forgery[] {
  try {
    return (JSON.parse(view) as Partial<RunJson>).forgeries ?? [];
  } catch {
    return [];
  }
}

/** A hold is no fault of this machine, but it is why runs do not start. */
async function holdFindings(record: RunRecord): Promise<DoctorFinding[]> {
  const now = Date.now();
  return (await activeHolds(record, now)).map((active) => {
    const { id, reason, owner, ends, question } = holdJson(active, now, clockTime);
    const says = `${reason} · first met by run ${owner} · ${ends}`;
    const instead = question === null ? 'wait' : `mayday answer ${question}`;
    return { what: HOLD, ok: false, says, advice: `${instead}   or   mayday holds release ${id}` };
  });
}

async function noticeFindings(home: string, env: NodeJS.ProcessEnv): Promise<DoctorFinding[]> {
  if (!existsSync(outboxPath(home))) return [];
  const { notifyProblems } = await import('../../supervise/notify/notifier.ts');
  return (await notifyProblems(home, env)).map(({ target, count, since, problem }) => ({
    what: 'notify',
    ok: false,
    says: `${target}: ${counted(count, 'message')} not delivered since ${clockTime(since)}: ${plain(problem)}`,
    advice: 'mend it, or notify in mayday.yaml; mayday serve or mayday work delivers them within a minute',
  }));
}

/** Tasks of external agents have a time limit; a keeper, a worker or `mayday bus --follow` watches it. */
async function busFinding(record: RunRecord): Promise<DoctorFinding[]> {
  const tasks = (await record.runningTasks(MAX_TASKS)).length;
  if (tasks === 0) return [fine('bus', 'no agent outside Mayday has reported a task')];
  const rows = await record.rows({ limit: MAX_TASKS, withoutView: true });
  const alive = rows.filter(({ ended }) => !ended);
  const kept = alive.map(({ runId }) => isKept(record, runId));
  const keepers = (await Promise.all(kept)).filter(Boolean).length;
  const watched = keepers === 0 ? 'no keeper watches' : counted(keepers, 'keeper watches', 'keepers watch');
  const running = `${counted(tasks, 'task')} of external agents RUNNING`;
  const ok = keepers > 0;
  const advice = ok ? null : 'keep mayday work or mayday bus --follow running; any other command looks once';
  return [{ what: 'bus', ok, says: `${running}; ${watched} the time limit`, advice }];
}
