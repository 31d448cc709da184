/**
 * `resumableSession`: looks at an agent session before it is resumed. A damaged one is mended on a copy under a new id; the original
 * stays as it is. One that cannot be mended is not resumed: the agent starts anew with its brief.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { AgentAdapter, Environment } from '../../agents/adapter.ts';
import { repairLines } from '../../agents/sessions/repair-session.ts';
import { writeFileDurably } from '../../platform/file/durable-write.ts';
import { lookOrNull } from '../../platform/file/vanished.ts';
import { filesLike } from './session-files.ts';

/** A larger file is left to the CLI: it would have to be held in memory twice. */
const MAX_BYTES = 256 * 1024 * 1024;

export interface ResumableSession {
  /** Null: nothing to go on with. */
  readonly agentSession: string | null;
  /** What was mended, or why it cannot be; absent where the session is as it must be. */
  readonly why?: string;
}

export interface SessionToResume {
  readonly agentSession: string;
  /** The model API refused this conversation: going on with it as it is would be refused again. */
  readonly isRefused: boolean;
  readonly workspace: string;
  readonly env: Environment;
}

export async function resumableSession(
  adapter: AgentAdapter,
  session: SessionToResume,
): Promise<ResumableSession> {
  const { agentSession, isRefused } = session;
  const [path] = adapter.sessionFiles(session).flatMap(filesLike).filter(isReadable);
  const asItIs = isRefused ? null : agentSession;
  if (path === undefined || adapter.sessionShape === undefined) return { agentSession: asItIs };
  const text = readFileSync(path, 'utf8');
  const repair = repairLines(text, adapter.sessionShape, isRefused);
  switch (repair.type) {
    case 'whole':
      return { agentSession: asItIs };
    case 'refused':
      return { agentSession: null, why: `the earlier conversation cannot be continued: ${repair.reason}` };
    case 'repaired': {
      const copy = randomUUID();
      await writeFileDurably(copyPath(path, agentSession, copy), repair.text.replaceAll(agentSession, copy));
      return {
        agentSession: copy,
        why: `the earlier conversation was mended on a copy: ${repair.mended.join(', ')}`,
      };
    }
  }
}

function isReadable(path: string): boolean {
  const facts = lookOrNull(() => statSync(path));
  return facts?.isFile() === true && facts.size <= MAX_BYTES;
}

/** Some CLIs put only the first part of the id into the name. */
const SHORT_ID_CHARS = 8;

function copyPath(path: string, old: string, copy: string): string {
  const name = basename(path);
  const whole = name.replaceAll(old, copy);
  const short = name.replaceAll(old.slice(0, SHORT_ID_CHARS), copy.slice(0, SHORT_ID_CHARS));
  return join(dirname(path), whole === name ? short : whole);
}
