/**
 * `shadowingModules`: finds new Python modules that would be imported instead of an installed one. Python looks beside the tests and in
 * its start folder before it looks among the installed modules. The machine's own Python is asked which modules are installed.
 */
import type { HiddenHome } from '../../platform/container/hide-home.ts';
import { runCommand } from '../../platform/process/run-command.ts';

/** Folders that are commonly on the module path. A module inside a package shadows nothing. */
const PATH_ROOT = /^(?:(?:src|lib|python|tests?)\/)?([A-Za-z_]\w*)(?:\.pyi?|\.so|\/__init__\.py)$/;
/** `find_spec` of a top-level module runs none of its code. */
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

interface Asking {
  readonly env: Readonly<Record<string, string>>;
  readonly hidden?: HiddenHome | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function shadowingModules(
  created: readonly string[],
  /** Names of the programs that the checks start. */
  tools: ReadonlySet<string>,
  { env, hidden, signal }: Asking,
): Promise<ReadonlySet<string>> {
  const modules = created.flatMap((path) => {
    const name = PATH_ROOT.exec(path)?.[1];
    return name === undefined ? [] : [{ path, name }];
  });
  if (modules.length === 0) return new Set();
  const names = [...new Set(modules.map(({ name }) => name))].slice(0, MAX_ASKED);
  const known = new Set(await installed(names, { env, hidden, signal }));
  return new Set(modules.filter(({ name }) => known.has(name) || tools.has(name)).map(({ path }) => path));
}

async function installed(names: readonly string[], { env, hidden, signal }: Asking): Promise<string[]> {
  // Without Python on the path, no check on this machine imports a Python module.
  const asked = await runCommand({
    argv: ['python3', '-c', ASK, ...names],
    cwd: '/',
    env,
    timeoutMs: ASK_MS,
    // Python starts code that an agent may have left in the person's home.
    hidden,
    signal,
  }).catch(() => null);
  signal?.throwIfAborted();
  return asked?.exitCode === 0 ? asked.output.split('\n').filter((line) => names.includes(line)) : [];
}
