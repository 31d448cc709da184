/** `nudgeAttempt`: the act that leaves a message for a working agent. A hook of the agent takes it with the next tool call. */
import { existsSync } from 'node:fs';
import { writeFileDurably } from '../../platform/file/durable-write.ts';
import type { Act } from '../act.ts';
import { agentFiles, attemptDir } from '../run-files.ts';

/** The agent may be another user. Its folder shows the file to nobody else. */
const READABLE = 0o644;

export const nudgeAttempt: Act<'nudge_attempt'> = async ({ home, state }, { attempt, text }) => {
  const { left, taken } = agentFiles(attemptDir(home, state.runId, attempt)).nudge;
  if (!existsSync(taken)) await writeFileDurably(left, JSON.stringify(text), { mode: READABLE });
  // The watch of the attempt sees that the message was taken, and reports it.
  return [];
};
