/**
 * `isVerificationFile`: whether a file judges the work: tests, their fixtures and snapshots, the configuration of test runners and
 * linters. The other predicates tell which kind of judging file a path is.
 */
const FOLDERS = new Set(['test', 'tests', '__tests__', 'spec', 'specs', 'e2e', 'testdata', '__snapshots__']);

/** Files that change how tests run without being tests: a new one can switch the old tests off. */
const CONFIGURATION: readonly RegExp[] = [
  /^conftest\.py$/,
  /^(?:sitecustomize|usercustomize)\.py$/,
  /^(?:jest|vitest|playwright|cypress|karma|ava|wdio|nightwatch|codecept)\.(?:config|conf)\.[^/]+$/,
  /^(?:jest|vitest)\.(?:setup|workspace)\.[^/]+$/,
  /^(?:setup[._-]?(?:tests?|jest|vitest)|tests?[._-]?setup)\.[cm]?[jt]sx?$/i,
  /^\.?mocharc(?:\.[^/]+)?$/,
  /^(?:pytest\.ini|tox\.ini|noxfile\.py|phpunit\.xml(?:\.dist)?|\.rspec|\.coveragerc)$/,
  /^(?:\.eslintrc(?:\.[^/]+)?|\.eslintignore|eslint\.config\.[^/]+|biome\.jsonc?|\.?oxlintrc\.json)$/,
  /^(?:ruff\.toml|\.ruff\.toml|mypy\.ini|\.flake8|\.pylintrc|pyrightconfig\.json|\.golangci\.ya?ml|\.rubocop\.yml)$/,
];

const NAMES: readonly RegExp[] = [
  /[._-](?:test|tests|spec|specs|e2e|cy)\.[^/.]+$/,
  /^test_[^/]*\.py$/,
  /_(?:test|spec)\.[^/.]+$/,
  /^(?:[A-Z]\w*)?Tests?\.(?:java|kt|scala|cs|swift|php)$/,
  /\.snap$/,
  // A script that a check runs by name judges the work as much as a test does.
  /^(?:check|test|tests|verify|lint|ci)(?:[._-][^/]*)?\.(?:sh|bash|js|mjs|cjs|ts|mts|py|rb|pl)$/,
];

/** Folders where programs are looked up before those of the machine: a file that the work puts there could replace a program. */
const TOOLS = /(?:^|\/)(?:node_modules|\.venv|venv|\.bundle|vendor\/bin|\.bin)\//;

/** Reports of test runners: a report that came with the work was not written by the check that it describes. */
const REPORTS: readonly RegExp[] = [
  /(?:^|\/)(?:junit[^/]*\.xml|TEST-[^/]*\.xml|(?:tests?-)?(?:report|results?)[^/]*\.(?:xml|trx|tap))$/,
  /(?:^|\/)(?:test-results|test-reports|surefire-reports|coverage|\.nyc_output)\//,
];

export function isVerificationFile(path: string): boolean {
  const segments = path.split('/');
  const name = segments.at(-1) as string;
  if (segments.slice(0, -1).some((folder) => FOLDERS.has(folder))) return true;
  if (path.startsWith('.github/workflows/') || path === '.gitlab-ci.yml') return true;
  return isTestConfiguration(path) || NAMES.some((pattern) => pattern.test(name));
}

export function isTestConfiguration(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return CONFIGURATION.some((pattern) => pattern.test(name));
}

/**
 * Files that tools read when they start: hidden files, `*.config.*`, `*rc`, compiler settings. Among the sources such a name has no
 * meaning, except that of a hidden file.
 */
export function isToolConfiguration(path: string): boolean {
  const segments = path.split('/');
  const name = segments.at(-1) as string;
  if (name.endsWith('.md') || segments[0] === '.mayday') return false;
  if (segments.some((segment) => segment.startsWith('.'))) return true;
  if (segments.slice(0, -1).some((folder) => SOURCES.has(folder))) return false;
  return TOOL_SETTINGS.test(name);
}

/** Settings of programs that start other programs: in every project they decide what `npm test` or `cargo test` runs at all. */
export function isLauncherConfiguration(path: string): boolean {
  return LAUNCHERS.some((pattern) => pattern.test(path));
}

const LAUNCHERS: readonly RegExp[] = [
  /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|\.?pnpmfile\.[cm]?js|bunfig\.toml|\.envrc)$/,
  /(?:^|\/)(?:\.bash[^/]*|\.profile|\.zsh[^/]*|\.mise[^/]*)$/,
  /(?:^|\/)\.(?:cargo|mvn)\//,
];

/** A test that runs, not a fixture or a setting: no other file needs it, so it can be left out. */
export function isTestProgram(path: string): boolean {
  return isVerificationFile(path) && !isTestConfiguration(path) && PROGRAM.test(path);
}

const PROGRAM =
  /\.(?:py|[cm]?[jt]sx?|go|rs|rb|php|java|kt|scala|cs|swift|ex|exs|sh|bash|bats|pl|lua|c|cc|cpp|snap)$/;

/** The endings of the tests that a setting applies to; null when it may apply to any. */
export function languageOf(path: string): RegExp | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/^(?:conftest\.py|pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml|\.coveragerc)$/.test(name))
    return /^\.py$/;
  return /^(?:jest|vitest|babel|\.babelrc|\.swcrc|\.?mocharc|[jt]sconfig)/.test(name)
    ? /^\.[cm]?[jt]sx?$/
    : null;
}

const SOURCES = new Set(['src', 'lib', 'app', 'source', 'pkg', 'internal', 'cmd']);
const TOOL_SETTINGS =
  /\.(?:config|conf|setup)\.[^./]+$|rc(?:\.(?:[cm]?[jt]s|json5?|ya?ml|toml))?$|^[jt]sconfig[^/]*\.json$|\.ini$/;

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

/** Scripts of a manifest, and targets of a Makefile, by which checks are started. */
export function isVerificationScript(name: string): boolean {
  return /^(?:pre|post)?(?:test|tests|check|checks|lint|typecheck|types|verify|ci)(?:[:._-].*)?$/.test(name);
}
