/**
 * New modules that would answer in the name of another: Python looks beside the tests and in the folder it was started in
 * before it looks among what is installed. Asked of the machine's own Python, which knows what it has.
 */
import { runCommand } from '../../platform/process/run-command.ts';

/** Folders that are commonly on the module path; inside a package a name shadows nothing. */
const PATH_ROOT = /^(?:(?:src|lib|python|tests?)\/)?([A-Za-z_]\w*)(?:\.pyi?|\.so|\/__init__\.py)$/;
/** Finding a top-level module imports nothing. */
const ASK = `import sys, importlib.util
for name in sys.argv[1:]:
    try:
        found = importlib.util.find_spec(name)
    except Exception:
        found = True
    if found: print(name)`;
const ASK_MS = 20_000;
/** More new top-level modules than this are a new project, whose tests are new too. */
const MAX_ASKED = 500;

export async function shadowingModules(
  created: readonly string[],
  /** Names that the checks start. */
  tools: ReadonlySet<string>,
  env: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  const modules = created.flatMap((path) => {
    const name = PATH_ROOT.exec(path)?.[1];
    return name === undefined ? [] : [{ path, name }];
  });
  if (modules.length === 0) return new Set();
  const names = [...new Set(modules.map(({ name }) => name))].slice(0, MAX_ASKED);
  const known = new Set(await installed(names, env, signal));
  return new Set(modules.filter(({ name }) => known.has(name) || tools.has(name)).map(({ path }) => path));
}

async function installed(
  names: readonly string[],
  env: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  // No Python on the path: then no check of this machine can be fooled through it.
  const asked = await runCommand({
    argv: ['python3', '-c', ASK, ...names],
    cwd: '/',
    env,
    timeoutMs: ASK_MS,
    ...(signal === undefined ? {} : { signal }),
  }).catch(() => null);
  signal?.throwIfAborted();
  return asked?.exitCode === 0 ? asked.output.split('\n').filter((line) => names.includes(line)) : [];
}
