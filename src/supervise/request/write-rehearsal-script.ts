/** `readRehearsalScript`, `storeRehearsalScript`: check the rehearsal agent's script and store it with the run, safe from later edits. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { RehearsalScript } from '../../agents/rehearsal/script.ts';
import { runDir } from '../../act/run-files.ts';
import { usageError } from '../../platform/mayday-error.ts';
import { yamlProblem } from './yaml-problem.ts';
import { safeParse } from '../../platform/safe-parse.ts';

const MAX_BYTES = 16 * 1024 * 1024;
const ADVICE = [['do', 'give YAML like {attempts: [{steps: [{write: {a.txt: A}}, {exit: 0}]}]}']] as const;

/** `file`: YAML or JSON, either `{attempts: [...]}` or a drill scenario with `agent: {attempts}`. Writes nothing. */
export function readRehearsalScript(file: string): RehearsalScript {
  const facts = statSync(file, { throwIfNoEntry: false });
  if (facts === undefined) throw usageError('NO_SCRIPT', `there is no file ${file}`, ADVICE);
  if (!facts.isFile() || facts.size > MAX_BYTES)
    throw usageError(
      'WRONG_SCRIPT',
      `${file} is ${facts.isFile() ? 'too large for' : 'not a file and so not'} a script`,
      ADVICE,
    );
  const document = parseYaml(file);
  const parsed = safeParse(RehearsalScript, isScenario(document) ? document.agent : document);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw usageError(
      'WRONG_SCRIPT',
      `${file}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not a script'}`,
      ADVICE,
    );
  }
  return parsed.data;
}

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

function parseYaml(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'), { maxAliasCount: 100 }) as unknown;
  } catch (error) {
    throw usageError('WRONG_SCRIPT', `${file}: ${yamlProblem(error)}`, ADVICE);
  }
}

function isScenario(document: unknown): document is { agent: unknown } {
  return typeof document === 'object' && document !== null && 'agent' in document;
}
