/** `mayday attach`: watches a running agent that Mayday did not start, and tells what it sees. It never kills. */
import { resolve } from 'node:path';
import type { SessionFile } from '../../agents/sessions/session-store.ts';
import {
  newestSessions,
  readSession,
  sessionFileAt,
  storeNamed,
} from '../../agents/sessions/session-stores.ts';
import { counted } from '../../core/text/counted.ts';
import { quote } from '../../core/detect/detector.ts';
import { isFile } from '../../platform/file/file-kind.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { runCommand } from '../../platform/process/run-command.ts';
import { runInForeground } from '../../platform/process/foreground.ts';
import { attach, type Notice } from '../../supervise/watch/attach.ts';
import { thresholdsAt } from '../../supervise/request/config.ts';
import { maydayHome } from '../../supervise/home.ts';
import type { Invocation } from '../command.ts';
import { secondsOf } from '../option-values.ts';
import { writeText } from '../write-text.ts';

const INTERVAL_MS = 2_000;
/** Sessions looked through for an id. */
const SEARCHED = 200;
/** Long enough for a webhook; a notifier that hangs must not stop the watch. */
const NOTIFY_MS = 10_000;
const GO_ON = 'The usage limit is over. Look at what was in flight, then go on with the task.';

export async function run(invocation: Invocation): Promise<number> {
  const file = findSession(invocation);
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  process.once('SIGINT', interrupt);
  try {
    for await (const notice of attach({
      file,
      intervalMs: secondsOf(invocation, 'interval') ?? INTERVAL_MS,
      thresholds: await thresholdsAt(maydayHome(invocation.env), invocation.cwd),
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      now: Date.now,
      signal: stop.signal,
    })) {
      tell(invocation, file, notice);
      await notify(invocation, notice);
      if (notice.type === 'limit_over' && notice.processGone && invocation.options['resume'] === true)
        await carryOutRecovery(file);
    }
  } finally {
    process.off('SIGINT', interrupt);
  }
  return stop.signal.aborted ? 130 : 0;
}

/** A person is notified when the agent is stuck, waits or has ended; a warning notifies no person. */
function concernsPerson(notice: Notice): boolean {
  if (notice.type === 'signal') return notice.signal.severity === 'critical';
  return notice.type !== 'attached' && notice.type !== 'progress';
}

async function notify({ options, cwd, env, stderr }: Invocation, notice: Notice): Promise<void> {
  const command = options['notify'];
  if (typeof command !== 'string' || !concernsPerson(notice)) return;
  const { exitCode, timedOut, output } = await runCommand({
    argv: ['sh', '-c', command],
    cwd,
    env: Object.fromEntries(
      Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    timeoutMs: NOTIFY_MS,
    input: `${JSON.stringify(noticeJson(notice))}\n`,
  });
  if (exitCode === 0) return;
  const why = timedOut ? `did not end within ${NOTIFY_MS / 1_000} s` : `ended with ${exitCode ?? 'a signal'}`;
  writeText(stderr, `mayday attach: --notify ${why}: ${quote(output)}\n`);
}

function findSession({ args: [wanted], cwd, env }: Invocation): SessionFile {
  const sessions = newestSessions(env, SEARCHED);
  if (wanted === undefined) {
    const [newest] = sessions;
    if (newest !== undefined) return newest;
  } else {
    const path = resolve(cwd, wanted);
    const named = isFile(path) ? sessionFileAt(path) : null;
    const found =
      named ??
      sessions.find((file) => file.sessionId?.startsWith(wanted) === true || file.path.includes(wanted));
    if (found !== undefined) return found;
  }
  throw new MaydayError(
    'SESSION_NOT_FOUND',
    wanted === undefined ? 'no agent session was found on this machine' : `no session matches ${wanted}`,
    [
      ['did', 'looked for Claude Code, Codex, Gemini CLI and opencode sessions in your home folder'],
      ['do', 'mayday attach SESSION, with an id or the path of a session file'],
    ],
    // A name that nothing has is a mistake of the command line, an empty machine is none.
    wanted === undefined ? 1 : 2,
  );
}

function tell({ json, stdout }: Invocation, file: SessionFile, notice: Notice): void {
  if (json) {
    stdout.write(`${JSON.stringify(noticeJson(notice))}\n`);
    return;
  }
  const bell =
    stdout.isTTY && notice.type === 'signal' && notice.signal.severity === 'critical' ? '\x07' : '';
  for (const line of noticeText(file, notice)) writeText(stdout, `${bell}${line}\n`);
}

function noticeText(file: SessionFile, notice: Notice): readonly string[] {
  const store = storeNamed(file.store);
  switch (notice.type) {
    case 'attached':
      return [
        [
          `attached   ${store.title} session ${(notice.sessionId ?? file.path).slice(0, 8)}…`,
          `${counted(notice.entries, 'entry', 'entries')} so far`,
          ...(notice.advice === 'unknown' ? [] : [notice.advice.replaceAll('_', ' ')]),
        ].join(' · '),
        notice.pid === null
          ? '           no process found for it: watching the session file only'
          : `           process ${notice.pid}, looked at and never touched`,
      ];
    case 'signal':
      return [
        `${notice.signal.severity === 'critical' ? '!' : '…'} ${notice.signal.type.replaceAll('_', ' ')}: ${notice.signal.reason}`,
        ...notice.signal.evidence.slice(0, 2).map((line) => `    ${line}`),
        `    do  ${notice.signal.suggestedAction}`,
      ];
    case 'progress':
      return ['✓ progress again'];
    case 'your_turn':
      return ['  your turn: the agent has spoken and waits'];
    case 'parked':
      return [
        `… limit · back at ${new Date(notice.until).toLocaleString()} (${notice.source}) · parked, nothing lost`,
      ];
    case 'limit_over': {
      const { sessionId } = readSession(file).facts;
      return [
        `✓ the limit is over${sessionId === null || !notice.processGone ? '' : `: ${store.resumeCommand(sessionId) ?? ''}`}`,
      ];
    }
    case 'process_gone':
      return [`the agent process is gone · mayday autopsy ${file.path}`];
  }
}

function noticeJson(notice: Notice): Readonly<Record<string, unknown>> {
  switch (notice.type) {
    case 'attached':
      return {
        type: notice.type,
        session_id: notice.sessionId,
        pid: notice.pid,
        entries: notice.entries,
        advice: notice.advice,
      };
    case 'signal': {
      const { type, severity, reason, evidence, atStep, suggestedAction } = notice.signal;
      return {
        type: 'signal',
        signal: {
          type,
          severity,
          reason,
          at_step: atStep ?? null,
          evidence,
          suggested_action: suggestedAction,
        },
      };
    }
    case 'limit_over':
      return { type: notice.type, process_gone: notice.processGone };
    default:
      return notice;
  }
}

async function carryOutRecovery(file: SessionFile): Promise<void> {
  const { sessionId, cwd } = readSession(file).facts;
  const argv = sessionId === null ? null : storeNamed(file.store).headlessResume(sessionId, GO_ON);
  if (argv !== null && cwd !== null) await runInForeground(argv, cwd);
}
