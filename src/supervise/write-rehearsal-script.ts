/** The rehearsal agent's script, checked at the border and kept with the run, so that editing the file cannot change a live run. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { RehearsalScript } from '../agents/rehearsal/script.ts';
import { runDir } from '../act/run-files.ts';
import { usageError } from '../platform/mayday-error.ts';

const MAX_BYTES = 16 * 1024 * 1024;

/** `FILE`: YAML or JSON, either `{attempts: [...]}` or a drill scenario with `agent: {attempts}`. */
export function writeRehearsalScript(home: string, runId: string, file: string): string {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) throw usageError('NO_SCRIPT', `there is no file ${file}`);
  if (size > MAX_BYTES) throw usageError('WRONG_SCRIPT', `${file} is too large for a script`);
  const document = parseYaml(file);
  const parsed = RehearsalScript.safeParse(isScenario(document) ? document.agent : document);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw usageError(
      'WRONG_SCRIPT',
      `${file}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not a script'}`,
    );
  }
  return storeRehearsalScript(home, runId, parsed.data);
}

export function storeRehearsalScript(home: string, runId: string, script: RehearsalScript): string {
  const path = join(runDir(home, runId), 'rehearsal.json');
  mkdirSync(runDir(home, runId), { recursive: true, mode: 0o700 });
  writeFileSync(path, JSON.stringify(script), { mode: 0o600 });
  return path;
}

function parseYaml(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'), { maxAliasCount: 100 }) as unknown;
  } catch (error) {
    throw usageError(
      'WRONG_SCRIPT',
      `${file}: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'not YAML'}`,
    );
  }
}

function isScenario(document: unknown): document is { agent: unknown } {
  return typeof document === 'object' && document !== null && 'agent' in document;
}
