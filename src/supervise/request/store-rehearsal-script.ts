/** `storeRehearsalScript`: stores the rehearsal agent's script with the run, safe from later edits. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RehearsalScript } from '../../agents/rehearsal/script.ts';
import { runDir } from '../../act/run-files.ts';

/** `agent`: a fallback with a script of its own. */
export function rehearsalScriptPath(home: string, runId: string, agent?: string): string {
  return join(runDir(home, runId), agent === undefined ? 'rehearsal.json' : `rehearsal-${agent}.json`);
}

export function storeRehearsalScript(
  home: string,
  runId: string,
  script: RehearsalScript,
  agent?: string,
): string {
  const path = rehearsalScriptPath(home, runId, agent);
  mkdirSync(runDir(home, runId), { recursive: true, mode: 0o700 });
  writeFileSync(path, JSON.stringify(script), { mode: 0o600 });
  return path;
}
