/** `liveAgents`: finds the living agents of this home without the record, by the notes of their attendants. It changes nothing. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { attemptDir } from '../../act/run-files.ts';
import {
  CLAIM_FILE,
  type Claim,
  hasExitNote,
  LEADER_FILE,
  type LeaderNote,
  readNote,
} from '../../platform/container/attempt-files.ts';
import { isAlive, seenFromHere } from '../../platform/process/process-identity.ts';

interface LiveAgent {
  readonly runId: string;
  readonly attempt: number;
  readonly pid: number;
}

export function liveAgents(home: string): readonly LiveAgent[] {
  return namesIn(join(home, 'runs')).flatMap((runId) =>
    namesIn(join(home, 'runs', runId, 'attempts'))
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        const attempt = Number(name);
        const pid = livingProcess(attemptDir(home, runId, attempt));
        return pid === null ? [] : [{ runId, attempt, pid }];
      }),
  );
}

/** The number, as the person sees it, of the agent or of its attendant; the one that is noted may belong to a PID namespace of its own. */
function livingProcess(directory: string): number | null {
  try {
    if (hasExitNote(directory)) return null;
    const leader = readNote<LeaderNote>(directory, LEADER_FILE)?.leader ?? null;
    const attendant = readNote<Claim>(directory, CLAIM_FILE)?.attendant ?? null;
    const living = [leader, attendant].find((one) => one !== null && isAlive(one)) ?? null;
    const here = living && seenFromHere(living);
    return here === null || typeof here === 'string' ? (living?.pid ?? null) : here.pid;
  } catch {
    // A note that an agent spoiled tells nothing.
    return null;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
