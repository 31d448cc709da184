/**
 * `forgetRawOutput`: leaves nothing unredacted of ended attempts. What the agent wrote is in the transcript by then; its files still hold
 * secrets that it printed. Done before, it does nothing.
 */
import { readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { agentDir, attemptDir, transcriptPath } from '../../act/run-files.ts';
import type { RunState } from '../../core/state/run-state.ts';
import { saveToDisk, spoolPaths } from '../../platform/container/attempt-files.ts';
import { writeFileDurably } from '../../platform/file/durable-write.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { readPlainFile } from '../../platform/file/plain-file.ts';
import type { Redactor } from '../../record/redaction/redact.ts';

/** What an agent tells Mayday is small. A larger file is one that it wrote beside, or events that were read. */
const MAX_BYTES = 1024 * 1024;

export async function forgetRawOutput(
  home: string,
  { runId, attempts }: Pick<RunState, 'runId' | 'attempts'>,
  redactor: Redactor,
): Promise<void> {
  for (const { number, examination } of attempts) {
    if (examination === null) continue;
    const directory = attemptDir(home, runId, number);
    const save = () => saveToDisk(transcriptPath(home, runId, number));
    for (const path of Object.values(spoolPaths(directory)))
      await ifPossible(() => {
        if (statSync(path).size === 0) return;
        save();
        truncateSync(path);
      });
    await ifPossible(() => redactFolder(agentDir(directory), redactor, save));
  }
}

/** `save`: what was read of the files is on the disk before they lose it. */
async function redactFolder(folder: string, redactor: Redactor, save: () => void): Promise<void> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(folder, entry.name);
    const read = readPlainFile(path, MAX_BYTES);
    const text = read.type === 'text' ? read.text : '';
    const redacted = redactor.redact(text);
    if (read.type === 'absent' || (read.type === 'text' && redacted === text)) continue;
    save();
    await writeFileDurably(path, redacted);
  }
}

/** A full disk or a vanished file must not end the keeper: the next look tries again. */
async function ifPossible(act: () => void | Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof MaydayError) && !(error instanceof Error && 'code' in error)) throw error;
  }
}
