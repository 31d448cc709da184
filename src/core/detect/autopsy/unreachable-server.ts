/**
 * `isUnreachable`, `NOT_REACHED`: a call that reaches no server, and how it says so. `isWay`, `STARTS`: a call that tries to install or to
 * start what the machine lacks.
 */
import { oneOf } from '../../text/one-of.ts';
import type { AgentTurn } from '../agent-turn.ts';
import { commandOf } from '../call-kind.ts';

const INSTALLS = oneOf(
  /\b(?:apt|apt-get|brew|dnf|yum|apk|conda|pip3?|npm|choco|winget|snap|gem|cargo|sdk) (?:-\S+ )*(?:install|add|i)\b/,
  /\bdocker (?:pull|run)\b|\b(?:curl|wget)\b[^|;&]*\bhttps?:\/\/(?!localhost|127\.|0\.0)/,
);
export const STARTS = oneOf(
  /(?:^|[^&])&\s*$|\bnohup\b|\b(?:docker[ -]compose|podman) up\b|\b(?:systemctl|service) (?:re)?start\b|\bservice \S+ (?:re)?start\b/,
  /\b(?:npm|pnpm|yarn|bun) (?:run )?(?:start|dev|serve|preview)\b|\b(?:runserver|uvicorn|gunicorn|flask run|rails s|dockerd|pg_ctl)\b/,
);

export function isWay({ input, kind, waiting }: AgentTurn): boolean {
  if (kind === 'search' || kind === 'read' || waiting !== null) return false;
  const command = commandOf(input).trim();
  return INSTALLS.test(command) || STARTS.test(command);
}

export const NOT_REACHED = oneOf(
  /\b(?:connection refused|failed to connect|ECONNREFUSED|ERR_CONNECTION\w*|could not connect|cannot connect)\b/i,
  /\bcould not (?:translate|resolve) host|\bconnection to server\b.*\bfailed\b|\bname or service not known\b/i,
);

/** Another address does not make it another trouble. */
export function isUnreachable(turn: AgentTurn): boolean {
  return turn.failed && NOT_REACHED.test(turn.errorLine) && !isWay(turn);
}
