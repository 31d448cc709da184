/** `readRehearsalScript`: reads and checks a script for the rehearsal agent. */
import { parse } from 'yaml';
import { RehearsalScript } from '../../agents/rehearsal/script.ts';
import { readNamed } from '../../platform/file/named-file.ts';
import { usageError } from '../../platform/mayday-error.ts';
import { SCRIPT_FORM } from './choose-agent.ts';
import { yamlProblem } from './read-yaml.ts';
import { safeParse } from '../../platform/safe-parse.ts';

const MAX_BYTES = 16 * 1024 * 1024;
const ADVICE = [['do', `give ${SCRIPT_FORM}`]] as const;

/** `file`: YAML or JSON, either `{attempts: [...]}` or a drill scenario with `agent: {attempts}`. Writes nothing. */
export function readRehearsalScript(file: string): RehearsalScript {
  const codes = { absent: 'NO_SCRIPT', wrong: 'WRONG_SCRIPT', large: 'WRONG_SCRIPT' };
  const document = parseYaml(file, readNamed(file, MAX_BYTES, codes));
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

function parseYaml(file: string, text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 100 }) as unknown;
  } catch (error) {
    throw usageError('WRONG_SCRIPT', `${file}: ${yamlProblem(error)}`, ADVICE);
  }
}

function isScenario(document: unknown): document is { agent: unknown } {
  return typeof document === 'object' && document !== null && 'agent' in document;
}
