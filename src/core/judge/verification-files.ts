/**
 * `isTest`, `isConfiguration`: what judges by plain convention: tests with their fixtures and expected output, and the files that say what
 * a tool runs and how. What a project does otherwise is seen by watching its checks (`changed-judges.ts`).
 */
const TEST_FOLDER =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|testdata|__snapshots__|fixtures?|goldens?|expected|expectations)(?:\/|$)/;

const TEST_NAMES: readonly RegExp[] = [
  /[._-](?:tests?|specs?|e2e|cy|golden|expected|snap)(?:\.[^/.]+)?$/,
  /^test_[^/]*\.py$/,
  /^(?:[A-Z]\w*)?Tests?\.(?:java|kt|scala|cs|swift|php)$/,
  // A script that a check runs by name judges the work as much as a test does.
  /^(?:check|tests?|verify|lint|ci)(?:[._-][^/]*)?\.(?:sh|bash|js|mjs|cjs|ts|mts|py|rb|pl)$/,
];

/** Settings of tools: a new one can switch the old tests off. The first pattern holds among sources too. */
const SETTINGS: readonly RegExp[] = [
  /^(?:(?:conftest|sitecustomize|usercustomize)\.py|(?:setup[._-]?(?:tests?|jest|vitest)|tests?[._-]?setup)\.[cm]?[jt]sx?)$/i,
  /\.(?:config|conf|setup|workspace)\.[^./]+$|^(?:mocha|oxlint)rc\.|\.ini$/,
  /^(?:[jt]sconfig[^/]*|biome|pyrightconfig|deno|nx|turbo)\.jsonc?$|^phpunit\.xml|^(?:ruff|mypy|clippy|rustfmt|nextest)\.toml$/,
];

/** Files that say what a project needs, and how it is built and tested. */
const MANIFESTS: readonly RegExp[] = [
  /^(?:package|composer)\.json$|^(?:pyproject|Cargo)\.toml$|^setup\.(?:cfg|py)$|^go\.(?:mod|work)$|^requirements[^/]*\.(?:txt|in)$/,
  /^(?:GNU)?[Mm]akefile$|\.(?:mk|cmake|gradle|kts|csproj|sbt|bazel)$|^\.?(?:[Jj]ust|[Rr]ake|Gem|Pip|Docker|Earth)file$/,
  /^(?:[Tt]ask|[Gg]ulp|[Gg]runt|nox)file\.\w+$|^(?:CMakeLists\.txt|meson\.build|mix\.exs|pom\.xml|build\.(?:xml|zig|rs)|SConstruct)$/,
];

/** Settings of programs that start other programs: in every project they decide what `npm test` or `cargo test` runs at all. */
const LAUNCHERS: readonly RegExp[] = [
  /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|\.?pnpmfile\.[cm]?js|bunfig\.toml|\.envrc|\.profile)$/,
  /(?:^|\/)(?:\.(?:bash|zsh|mise)[^/]*|\.(?:cargo|mvn)\/.*)$/,
];

/** Among the sources the name of a setting has no meaning, except that of a hidden file. */
const SOURCES = /(?:^|\/)(?:src|lib|app|source|pkg|internal|cmd)\//;

/** Folders where programs are looked up before those of the machine: a file that the work puts there could replace a program. */
const TOOLS = /(?:^|\/)(?:node_modules|\.venv|venv|\.bundle|vendor\/bin|\.bin)\//;

/** Reports of test runners: a report that came with the work was not written by the check that it describes. */
const REPORTS: readonly RegExp[] = [
  /(?:^|\/)(?:junit[^/]*\.xml|TEST-[^/]*\.xml|(?:tests?-)?(?:report|results?)[^/]*\.(?:xml|trx|tap))$/,
  /(?:^|\/)(?:test-results|test-reports|surefire-reports|coverage|\.nyc_output)\//,
];

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function isTest(path: string): boolean {
  if (isToolSetting(path)) return false;
  return TEST_FOLDER.test(path) || TEST_NAMES.some((pattern) => pattern.test(nameOf(path)));
}

/** A test that runs, not a fixture: no other file needs it, so it can be left out. */
export function isTestProgram(path: string): boolean {
  return isTest(path) && PROGRAM.test(path);
}

const PROGRAM =
  /\.(?:py|[cm]?[jt]sx?|go|rs|rb|php|java|kt|scala|cs|swift|ex|exs|sh|bash|bats|pl|lua|c|cc|cpp|snap)$/;

export function isConfiguration(path: string): boolean {
  return isToolSetting(path) || MANIFESTS.some((pattern) => pattern.test(nameOf(path)));
}

/** Files that tools read when they start. */
export function isToolSetting(path: string): boolean {
  if (path.endsWith('.md') || path.startsWith('.mayday/')) return false;
  if (/(?:^|\/)\.[^/]/.test(path)) return true;
  const [first, ...others] = SETTINGS;
  const name = nameOf(path);
  return first?.test(name) === true || (!SOURCES.test(path) && others.some((pattern) => pattern.test(name)));
}

/** Among the sources too: it may as well be a part of the product. */
export function isNamedLikeSetting(path: string): boolean {
  return SETTINGS.some((pattern) => pattern.test(nameOf(path)));
}

export function isLauncherSetting(path: string): boolean {
  return LAUNCHERS.some((pattern) => pattern.test(path));
}

/** Programs and reports that the work must not bring: the check runs without them. */
export function isPlanted(path: string): boolean {
  return TOOLS.test(path) || REPORTS.some((pattern) => pattern.test(path));
}

/** Installed modules and programs, without the caches that tools keep among them. */
export function isInstalledTool(path: string): boolean {
  return (
    TOOLS.test(path) &&
    !/\/(?:__pycache__|\.cache|\.vite[^/]*|node_modules\/\.(?!bin\/|pnpm\/)[^/]*)(?:\/|$)/.test(`/${path}`)
  );
}
