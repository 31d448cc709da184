/**
 * `attemptSessionFiles`, `filesLike`, `toldSession`: the files in which the agent CLI keeps the session of an attempt. Some CLIs choose
 * the session id themselves and tell it in their first lines, so the files are looked for anew at every checkpoint.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { lookOrNull } from '../../platform/file/vanished.ts';
import { readTranscript } from '../../record/transcript/read-transcript.ts';
import { readLaunchFiles } from './launch-files.ts';
import { attemptDir, transcriptPath } from '../run-files.ts';

/** Stands in the paths of `LaunchFiles` for the id that the agent has not told yet. */
export const UNKNOWN_SESSION = '{session}';
/** A CLI tells its session id before it does anything; warnings may come first. */
const MAX_LINES_BEFORE = 200;
/** A session has one file, or a few; a `*` that fits more is a mistake. */
const MAX_FILES = 20;

export async function attemptSessionFiles(
  home: string,
  runId: string,
  attempt: number,
): Promise<readonly string[]> {
  const named = readLaunchFiles(attemptDir(home, runId, attempt))?.sessionFiles ?? [];
  const isUnknown = named.some((path) => path.includes(UNKNOWN_SESSION));
  const session = isUnknown ? await toldSession(transcriptPath(home, runId, attempt)) : null;
  return named
    .filter((path) => session !== null || !path.includes(UNKNOWN_SESSION))
    .flatMap((path) => filesLike(path.replaceAll(UNKNOWN_SESSION, session ?? '')));
}

/** Null: the agent has not told it. */
export async function toldSession(path: string): Promise<string | null> {
  for await (const { number, entry } of readTranscript(path)) {
    if (entry.type === 'session' && /^[\w-]+$/.test(entry.sessionId)) return entry.sessionId;
    if (number >= MAX_LINES_BEFORE) return null;
  }
  return null;
}

/** A path without `*` stands for itself, whether it exists or not. */
export function filesLike(pattern: string): readonly string[] {
  let found: readonly string[] = ['/'];
  for (const part of pattern.split('/').filter((name) => name !== ''))
    found = found.flatMap((folder) => (part.includes('*') ? namesLike(folder, part) : [join(folder, part)]));
  return found.slice(0, MAX_FILES);
}

function namesLike(folder: string, pattern: string): readonly string[] {
  const [begin = '', ...rest] = pattern.split('*');
  const end = rest.at(-1) ?? '';
  const fits = (name: string): boolean =>
    name.length >= begin.length + end.length && name.startsWith(begin) && name.endsWith(end);
  return (lookOrNull(() => readdirSync(folder)) ?? [])
    .filter(fits)
    .toSorted()
    .toReversed()
    .map((name) => join(folder, name));
}
