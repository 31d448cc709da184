/**
 * `namedTests`: whether a check line names tests that the work created. The person who wrote the line asked for such a test: the line
 * cannot run without it. Where a line names new tests only, nothing of the base judges.
 */
import { decidingCommands, joined, type SimpleCommand } from './check-line.ts';
import { isVerificationFile } from './verification-files.ts';

export interface NamedTests {
  /** The line cannot be run without a new test. */
  readonly some: boolean;
  /** Every command of the line names new tests, and none of the base's. */
  readonly only: boolean;
}

/** Programs whose plain arguments are tasks or packages: `npm test` does not name a folder `test`. */
const MULTIPLEXERS = new Set(
  `npm pnpm yarn bun deno make gmake just task cargo go gradle ./gradlew mvn ./mvnw rake bundle tox nox uv poetry mix
   dotnet`.split(/\s+/),
);

export function namedTests(
  check: string,
  folder: string,
  created: readonly string[],
  base: readonly string[],
): NamedTests {
  const isIn = (paths: readonly string[], named: string) =>
    paths.some((path) => path === named || path.startsWith(`${named}/`));
  const newTests = created.filter(isVerificationFile);
  const oldTests = base.filter(isVerificationFile);
  const found = decidingCommands(check).map((command) => {
    const named = command.args.flatMap((word) => pathsOf(word, command, folder));
    return {
      own: named.some((path) => isIn(newTests, path) && !isIn(base, path)),
      old: named.some((path) => isIn(oldTests, path)),
    };
  });
  return {
    some: found.some(({ own }) => own),
    only: found.length > 0 && found.every(({ own, old }) => own && !old),
  };
}

/** `./tests/test_a.py::TestA`, `tests.test_a.TestA`, `./pkg/...`: the files that a word may mean. */
function pathsOf(word: string, { program, folder }: SimpleCommand, start: string): string[] {
  const plain = word.replace(/(?:::|#).*$/, '').replace(/\/?(?:\.\.\.)?$/, '');
  if (word.startsWith('-') || (!/[./]/.test(plain) && MULTIPLEXERS.has(program))) return [];
  const at = (path: string) => joined(joined(start, folder), path);
  const parts = /^[A-Za-z_][\w.]*$/.test(plain) ? plain.split('.') : [];
  const modules = parts.map((_, index) => `${parts.slice(0, index + 1).join('/')}.py`);
  return [plain, ...modules].map(at).filter((path) => path !== '');
}
