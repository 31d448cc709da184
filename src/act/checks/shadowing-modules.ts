/**
 * `shadowingModules`: finds new Python modules that would be imported instead of an installed one. Python looks beside the tests and in
 * its start folder before it looks among the installed modules. The machine's own Python is asked which modules are installed. A tool
 * that a check line or a file of the base starts (`-m pytest`) is not for the work to bring, installed or not.
 */
import { roleOfProgram } from '../../core/lexicon/programs.ts';
import type { HiddenHome } from '../../platform/container/hide-home.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import { runCommand } from '../../platform/process/run-command.ts';

/** Folders that are commonly on the module path. A module inside a package shadows nothing. */
const PATH_ROOT = /^(?:(?:src|lib|python|tests?)\/)?([A-Za-z_]\w*)(?:\.pyi?|\.so|\/__(?:init|main)__\.py)$/;
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
  readonly shadow: string;
  readonly baseTree: string;
  readonly commands: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly hidden?: HiddenHome | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function shadowingModules(
  created: readonly string[],
  asking: Asking,
): Promise<ReadonlySet<string>> {
  const modules = created.flatMap((path) => {
    const name = PATH_ROOT.exec(path)?.[1];
    return name === undefined ? [] : [{ path, name }];
  });
  if (modules.length === 0) return new Set();
  const names = [...new Set(modules.map(({ name }) => name))].slice(0, MAX_ASKED);
  const args = ['grep', '-I', '-h', '-o', '-E', '-e', ' -m *[A-Za-z_][A-Za-z_0-9]*', asking.baseTree, '--'];
  const { stdout } = await shadowGit(asking.shadow, args, { signal: asking.signal });
  const lines = [...asking.commands, stdout.toString('utf8')].join('\n');
  const started = new Set([...lines.matchAll(/\s-m\s*([A-Za-z_]\w*)/g)].map(([, name]) => name));
  const tools = names.filter((name) => started.has(name) && roleOfProgram(name) !== 'unknown');
  const known = new Set([...tools, ...(await installed(names, asking))]);
  return new Set(modules.filter(({ name }) => known.has(name)).map(({ path }) => path));
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
