/**
 * `recordPath`, `runDir`, `attemptDir`, `agentFiles`, `transcriptPath`, `leaseFile`: the paths of a run's files below MAYDAY_HOME. The
 * record is the truth; these files are its attachments.
 */
import { join } from 'node:path';
import { type NudgeFiles, nudgeFiles } from '../agents/adapter.ts';

export function recordPath(home: string): string {
  return join(home, 'record.db');
}

export function runDir(home: string, runId: string): string {
  return join(home, 'runs', runId);
}

export function attemptDir(home: string, runId: string, attempt: number): string {
  return join(runDir(home, runId), 'attempts', String(attempt));
}

export function transcriptPath(home: string, runId: string, attempt: number): string {
  return join(runDir(home, runId), 'transcript', `${attempt}.jsonl`);
}

/** When the lease of the run was last renewed. */
export function leaseFile(home: string, runId: string): string {
  return join(runDir(home, runId), 'lease-renewed');
}

/** The keeper's log of what it did and waited for, and the log before it, which was full. */
export function keeperLogPaths(
  home: string,
  runId: string,
): { readonly previous: string; readonly current: string } {
  const directory = runDir(home, runId);
  return { previous: join(directory, 'keeper-old.jsonl'), current: join(directory, 'keeper.jsonl') };
}

/** The part of an attempt's directory that its agent sees and may write. The agent does not see the rest. */
export function agentDir(attemptDir: string): string {
  return join(attemptDir, 'agent');
}

/** Files through which an agent talks to Mayday, by hand or by the tools of `mayday mcp`. */
export function agentFiles(attemptDir: string): {
  readonly brief: string;
  readonly checkpoint: string;
  readonly blocker: string;
  readonly proposal: string;
  /** What the agent tells while it works: notes and progress, a JSON line each. */
  readonly notes: string;
  /** What the agent may look up. */
  readonly context: string;
  /** A message for the agent. */
  readonly nudge: NudgeFiles;
} {
  const directory = agentDir(attemptDir);
  return {
    brief: join(directory, 'brief.md'),
    checkpoint: join(directory, 'checkpoint.json'),
    blocker: join(directory, 'blocker.json'),
    proposal: join(directory, 'proposal.json'),
    notes: join(directory, 'notes.jsonl'),
    context: join(directory, 'context.json'),
    nudge: nudgeFiles(directory),
  };
}
