/** `givenEnvironment`: reads `--env NAME[=VALUE]` and `--env-file FILE`: the variables that a run passes on, and the values given here. */
import { readNamed } from '../../platform/file/named-file.ts';
import { usageError } from '../../platform/mayday-error.ts';

/** A larger file is not a list of variables. */
const MAX_FILE_BYTES = 256 * 1024;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

export interface GivenEnvironment {
  /** Every name that is passed to the agent. */
  readonly names: readonly string[];
  /** A name without a value here gets it from the environment of the process that starts the keeper. */
  readonly values: Readonly<Record<string, string>>;
}

interface GivenOptions {
  readonly files: readonly string[];
  readonly variables: readonly string[];
}

/** The last value of a name counts: files in their order, then single variables. */
export function givenEnvironment({ files, variables }: GivenOptions): GivenEnvironment {
  const found = new Map<string, string | null>();
  for (const file of files)
    for (const [index, line] of readLines(file).entries()) {
      const text = line.trim();
      if (text === '' || text.startsWith('#')) continue;
      const [name, value] = parse(text.replace(/^export\s+/, ''), `${file}:${index + 1}`);
      found.set(name, value === null ? null : unquoted(value));
    }
  for (const text of variables) found.set(...parse(text, '--env'));
  return {
    names: [...found.keys()],
    values: Object.fromEntries(
      [...found].flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
    ),
  };
}

/** Errors never show the text: it may be a secret without its name. */
function parse(text: string, where: string): [name: string, value: string | null] {
  const at = text.indexOf('=');
  const name = at === -1 ? text : text.slice(0, at).trimEnd();
  const value = at === -1 ? null : text.slice(at + 1);
  if (!NAME.test(name) || value?.includes('\0') === true)
    throw usageError('WRONG_VARIABLE', `${where} is not NAME or NAME=VALUE`, [
      ['did', 'nothing: the run was not started'],
      ['do', 'a name has letters, digits and _; what stood there is not shown, it may be a secret'],
    ]);
  if (name.startsWith('MAYDAY_'))
    throw usageError('WRONG_VARIABLE', `${where}: ${name} is one of Mayday's own variables`, [
      ['did', 'nothing: the run was not started'],
      ['do', 'an agent gets MAYDAY_ variables from Mayday alone; choose another name'],
    ]);
  return [name, value];
}

/** In a file a value may stand in quotes; in single quotes it is taken as it is. */
function unquoted(text: string): string {
  const value = text.trim();
  if (/^'.*'$/s.test(value)) return value.slice(1, -1);
  if (!/^".*"$/s.test(value)) return value.replace(/\s+#.*$/, '');
  const inside = value.slice(1, -1);
  return inside.replaceAll(/\\(["\\n])/g, (_, char: string) => (char === 'n' ? '\n' : char));
}

function readLines(file: string): readonly string[] {
  const codes = { wrong: 'NO_ENV_FILE', large: 'NO_ENV_FILE' };
  return readNamed(file, MAX_FILE_BYTES, codes).split(/\r?\n/);
}

/** Throws if a name has no value, neither given nor in `env`: otherwise the agent would miss it and no message would say so. */
export function assertSet({ names, values }: GivenEnvironment, env: NodeJS.ProcessEnv): void {
  const missing = names.filter((name) => !Object.hasOwn(values, name) && env[name] === undefined);
  if (missing.length > 0)
    throw usageError('VARIABLE_NOT_SET', `--env ${missing[0]}: it is not set here`, [
      ['did', 'nothing: the run was not started'],
      ['do', `export ${missing[0]} first, or give --env ${missing[0]}=VALUE or --env-file FILE`],
    ]);
}

export function valuesOf(
  names: readonly string[],
  env: NodeJS.ProcessEnv,
): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(names.map((name) => [name, env[name]]));
}
