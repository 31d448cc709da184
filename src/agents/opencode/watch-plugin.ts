/**
 * `watchPlugin`: the text of the opencode plugin of an attempt. opencode prints a tool call only when it has ended and says nothing about
 * its own retries; the plugin writes both to a file of the attempt, and every second what came of an answer. It changes nothing but this: a
 * message that waits for the agent is added to the result of its next call.
 */

import type { NudgeFiles } from '../adapter.ts';

/** A result of a subagent's call is told only to show that it ended. */
const MAX_OUTPUT_CHARS = 2_000;
/** Pieces come hundreds a second; one line a second shows that they come, and what they say. */
const PIECE_MS = 1_000;
const MAX_PIECE_CHARS = 8_000;

export function watchPlugin(eventFile: string, nudge: NudgeFiles): string {
  return `import { appendFileSync, readFileSync, renameSync } from 'node:fs';

let pieceAt = 0;
let said = '';
let saidIn = '';
const tell = (line) => {
  try {
    appendFileSync(${JSON.stringify(eventFile)}, JSON.stringify(line) + '\\n');
  } catch {}
};
const piece = ({ partID, field, delta }) => {
  if (field === 'text' && typeof delta === 'string') {
    said = ((partID === saidIn ? said : '') + delta).slice(-${MAX_PIECE_CHARS});
    saidIn = partID;
  }
  if (Date.now() - pieceAt < ${PIECE_MS}) return;
  pieceAt = Date.now();
  tell({ type: 'piece', part: saidIn, text: said });
  said = '';
};

const takeNudge = () => {
  try {
    renameSync(${JSON.stringify(nudge.left)}, ${JSON.stringify(nudge.taken)});
    return JSON.parse(readFileSync(${JSON.stringify(nudge.taken)}, 'utf8'));
  } catch {
    return null;
  }
};

export const MaydayWatch = async () => ({
  event: async ({ event }) => {
    const { info, sessionID, status } = event.properties ?? {};
    if (event.type === 'session.created') tell({ type: 'session', session: info?.id ?? sessionID, parent: info?.parentID });
    else if (event.type === 'session.status' && status?.type === 'retry')
      tell({ type: 'retry', attempt: status.attempt, message: status.message, next: status.next });
    else if (event.type.startsWith('message.part.')) piece(event.properties ?? {});
  },
  'tool.execute.before': async ({ tool, sessionID, callID }, { args }) =>
    tell({ type: 'call', session: sessionID, call: callID, tool, args }),
  'tool.execute.after': async ({ sessionID, callID }, result) => {
    tell({ type: 'done', session: sessionID, call: callID, output: String(result?.output ?? '').slice(0, ${MAX_OUTPUT_CHARS}) });
    const message = typeof result?.output === 'string' ? takeNudge() : null;
    if (message !== null) result.output += '\\n\\n' + message;
  },
});
`;
}
