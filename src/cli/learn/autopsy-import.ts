/** `importSessions`: adds unsupervised sessions to the metrics (`mayday autopsy --import`). Importing a session again changes nothing. */
import { counted } from '../../core/text/counted.ts';
import type { SessionFile } from '../../agents/sessions/session-store.ts';
import { newestSessions, readSession } from '../../agents/sessions/session-stores.ts';
import { autopsy } from '../../core/detect/autopsy/autopsy.ts';
import { diagnose } from '../../core/diagnose/diagnose.ts';
import type { MetricsRow } from '../../record/contract/metrics.ts';
import { createRedactor } from '../../record/redaction/redact.ts';
import { sessionMetrics } from '../../report/session-metrics.ts';
import type { Invocation } from '../command.ts';
import { plainLine } from '../render/plain.ts';
import { withRecord } from '../with-record.ts';
import { writeText } from '../write-text.ts';

/** The history of some months; older sessions say little about today's agents. */
const MAX_SESSIONS = 1_000;
/** Saved in portions: an interrupted import keeps what it has. */
const PORTION = 50;

/** `files` null: everything that is found on this machine. */
export function importSessions(
  invocation: Invocation,
  files: readonly SessionFile[] | null,
): Promise<number> {
  const { env, stdout, stderr, json } = invocation;
  const redactor = createRedactor({ environment: env });
  return withRecord(invocation, async ({ record }) => {
    const counts: Record<string, number> = {};
    let waiting: MetricsRow[] = [];
    let imported = 0;
    let unread = 0;
    const save = async (): Promise<void> => {
      if (waiting.length > 0) await record.saveMetrics(waiting);
      imported += waiting.length;
      waiting = [];
    };
    for (const file of files ?? newestSessions(env, MAX_SESSIONS)) {
      try {
        const session = readSession(file);
        const found = autopsy(session.facts.sessionId ?? file.path, session.entries, diagnose);
        const row = sessionMetrics(session, found);
        if (row === null) continue;
        waiting.push({ ...row, body: redactor.redactJson(row.body) });
        counts[found.state] = (counts[found.state] ?? 0) + 1;
      } catch (error) {
        // One unreadable session must not hide the others; it is named.
        unread += 1;
        writeText(
          stderr,
          `mayday autopsy: ${plainLine(file.path, 200)} was left out: ${plainLine(String(error), 200)}\n`,
        );
      }
      if (waiting.length >= PORTION) await save();
    }
    await save();
    if (json) stdout.write(`${JSON.stringify({ imported, unread, states: counts })}\n`);
    else {
      const states = Object.entries(counts).map(([state, n]) => `${n} ${state}`);
      writeText(
        stdout,
        [
          `imported   ${counted(imported, 'session')}${states.length === 0 ? '' : `: ${states.join(', ')}`}`,
          '           mayday report --since 365d\n',
        ].join('\n'),
      );
    }
    return 0;
  });
}
