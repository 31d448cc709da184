/** Test runners for tests: the machine's own where it has one, else a tiny program of the same name and behaviour. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface RunnerTools {
  /** To be put before the rest of the PATH. */
  readonly folder: string;
  /** Which of the tools is a stand-in, and why. */
  readonly standIns: ReadonlyMap<RunnerName, string>;
}

export type RunnerName = 'pytest' | 'jest' | 'go' | 'cargo' | 'make';

/** Each finds tests as the real one does by default, runs them, fails where there are none, and says how many ran. */
const STAND_INS: Readonly<Record<RunnerName, string>> = {
  pytest: `#!/usr/bin/env python3
import sys, os, re, importlib.util, pathlib
def fixture(function): return function
def load(path):
    sys.path.insert(0, str(path.parent.resolve()))
    spec = importlib.util.spec_from_file_location(path.stem, path); m = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(m); return m
def main():
    for setting in ["pytest.ini", "pyproject.toml"]:
        text = open(setting).read() if os.path.exists(setting) else ""
        for found in re.findall(r'^pythonpath = \\[?"?([\\w./]+)', text, re.M): sys.path.insert(0, os.path.abspath(found))
    words = sys.argv[1:]
    named = [w.split("::")[0] for i, w in enumerate(words) if not w.startswith("-") and words[i - 1] not in ("-k", "-m")]
    roots = [pathlib.Path(n) for n in named] or [pathlib.Path(".")]
    if not all(r.exists() for r in roots): print("ERROR: file or directory not found"); return 4
    files = sorted(f for r in roots for f in ([r] if r.is_file() else [*r.rglob("test_*.py"), *r.rglob("*_test.py")]))
    failed = passed = 0
    fixtures = {}
    for c in ["conftest.py", "tests/conftest.py"]:
        if os.path.exists(c): fixtures.update({k: v for k, v in vars(load(pathlib.Path(c))).items() if callable(v)})
    for f in files:
        try:
            for name, test in list(vars(load(f)).items()):
                if not name.startswith("test"): continue
                names = test.__code__.co_varnames[: test.__code__.co_argcount]
                test(**{n: fixtures[n]() for n in names}); passed += 1
        except Exception as error: print(f, repr(error)); failed += 1
    print("=== %d failed, %d passed in 0.01s ===" % (failed, passed))
    return 5 if failed + passed == 0 else 1 if failed else 0
if __name__ == "__main__": sys.path.insert(0, os.getcwd() if sys.argv[0].endswith(".py") else ""); sys.exit(main())
`,
  jest: `#!/usr/bin/env node
const { readdirSync, existsSync } = require('node:fs');
const { join, resolve } = require('node:path');
const named = process.argv.slice(2).filter((word) => !word.startsWith('-') && word !== 'run');
const found = readdirSync('.', { recursive: true }).map(String).filter((path) => /\\.test\\.[cm]?[jt]s$/.test(path) && !path.includes('node_modules'));
const files = found.filter((path) => named.length === 0 || named.some((word) => path.includes(word)));
let passed = 0; let failed = 0;
globalThis.test = globalThis.it = (name, run) => { try { run(); passed += 1; } catch (error) { console.log(name, error.message); failed += 1; } };
globalThis.expect = (value) => ({ toBe: (other) => { if (value !== other) throw new Error(value + ' is not ' + other); } });
for (const file of files) try { require(resolve(file)); } catch (error) { console.log(file, error.message); failed += 1; }
console.log(\`Tests:       \${failed} failed, \${passed} passed, \${failed + passed} total\`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
`,
  go: `#!/bin/sh
test "$1" = test || exit 2
test -f go.mod || { echo "go: go.mod file not found"; exit 1; }
for t in $(find . -name '*_test.go'); do grep -q 'func Test' "$t" && test -f "\${t%_test.go}.go" || { echo "FAIL $t"; exit 1; }; done
echo ok
`,
  cargo: `#!/bin/sh
test -f Cargo.toml || { echo "error: could not find Cargo.toml"; exit 101; }
test -f src/lib.rs || exit 101
n=$(grep -rhc '#\\[test\\]' src tests 2>/dev/null | awk '{ s += $1 } END { print s }')
echo "test result: ok. $n passed; 0 failed; 0 ignored"
`,
  make: `#!/usr/bin/env python3
import re, subprocess, sys, os
if not os.path.exists("Makefile"): print("make: *** No rule to make target"); sys.exit(2)
variables, rules, at = {}, {}, None
for line in open("Makefile").read().split("\\n"):
    if line.startswith("\\t"): rules[at].append(line[1:]); continue
    v = re.match(r"(\\w+) *:?= *(.*)", line); r = re.match(r"([\\w.-]+):", line)
    if v: variables[v[1]] = v[2]
    elif r: at = r[1]; rules.setdefault(at, [])
wanted = sys.argv[1] if len(sys.argv) > 1 else next(iter(rules))
if wanted not in rules: sys.exit(2)
for line in rules[wanted]:
    line = re.sub(r"\\$\\((\\w+)\\)", lambda m: variables.get(m[1], ""), line.lstrip("@"))
    if subprocess.call(["sh", "-c", line]) != 0: sys.exit(2)
`,
};

/** Where our own development tools are: Mayday keeps them off the PATH of checks, so a wrapper leads there. */
const OWN = { vitest: resolve(import.meta.dirname, '../../../node_modules/vitest/vitest.mjs') };

export function runnerTools(folder: string): RunnerTools {
  mkdirSync(folder, { recursive: true });
  const standIns = new Map<RunnerName, string>();
  const put = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o755 });
  put('vitest', `#!/bin/sh\nexec '${process.execPath}' '${OWN.vitest}' "$@"\n`);
  for (const name of ['pytest', 'jest', 'go', 'cargo', 'make'] as const) {
    const isHere = spawnSync(name, name === 'go' ? ['version'] : ['--version']).status === 0;
    if (isHere && process.env['STAND_INS'] === undefined) continue;
    standIns.set(name, isHere ? 'STAND_INS is set' : `no ${name} here`);
    put(name, STAND_INS[name]);
    // `python3 -m pytest`, with this folder on the module path.
    if (name === 'pytest') put('pytest.py', STAND_INS.pytest);
  }
  return { folder, standIns };
}

/** The reason for a stand-in stands in the title of the test. */
export function titled<S extends { readonly name: string; readonly tool?: RunnerName }>(
  shapes: readonly S[],
  { standIns }: RunnerTools,
): readonly (S & { readonly title: string })[] {
  return shapes.map((shape) => {
    const reason = shape.tool === undefined ? undefined : standIns.get(shape.tool);
    return { ...shape, title: reason === undefined ? shape.name : `${shape.name} (stand-in: ${reason})` };
  });
}
