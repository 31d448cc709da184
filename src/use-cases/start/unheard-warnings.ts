/** `unheardWarnings`: the warnings that this home was not given before: of each release of an agent once. */
import { join } from 'node:path';
import { z } from 'zod';
import type { PreflightProblem } from '../../agents/adapter.ts';
import { writeFileDurably } from '../../platform/file/durable-write.ts';
import { readState } from '../../platform/file/plain-file.ts';

const FILE = 'told-versions.json';
/** Some weeks of releases of a few agents. */
const MAX_TOLD = 200;
const MAX_BYTES = 64 * 1024;
const Told = z.array(z.string()).readonly();

export async function unheardWarnings(
  home: string,
  warnings: readonly PreflightProblem[],
): Promise<readonly PreflightProblem[]> {
  const path = join(home, FILE);
  const told = readState(Told, path, MAX_BYTES) ?? [];
  const unheard = warnings.filter(({ version }) => version === undefined || !told.includes(version));
  const fresh = unheard.flatMap(({ version }) => version ?? []);
  if (fresh.length > 0) await writeFileDurably(path, JSON.stringify([...told, ...fresh].slice(-MAX_TOLD)));
  return unheard;
}
