/** Which files judge the work: tests, their fixtures and snapshots, the configuration of test runners. */
const FOLDERS = new Set(['test', 'tests', '__tests__', 'spec', 'specs', 'e2e', 'testdata', '__snapshots__']);

const NAMES: readonly RegExp[] = [
  /[._-](?:test|tests|spec|specs|e2e|cy)\.[^/.]+$/,
  /^test_[^/]*\.py$/,
  /_(?:test|spec)\.[^/.]+$/,
  /^(?:[A-Z]\w*)?Tests?\.(?:java|kt|scala|cs|swift|php)$/,
  /^conftest\.py$/,
  /\.snap$/,
  /^(?:jest|vitest|playwright|cypress|karma|ava|wdio|nightwatch|codecept)\.(?:config|conf)\.[^/]+$/,
  /^(?:jest|vitest)\.(?:setup|workspace)\.[^/]+$/,
  /^\.?mocharc(?:\.[^/]+)?$/,
  /^(?:pytest\.ini|tox\.ini|noxfile\.py|phpunit\.xml(?:\.dist)?|\.rspec)$/,
  // A script that a check runs by name judges the work as much as a test does.
  /^(?:check|test|tests|verify|lint|ci)(?:[._-][^/]*)?\.(?:sh|bash)$/,
];

export function isVerificationFile(path: string): boolean {
  const segments = path.split('/');
  const name = segments.at(-1) as string;
  if (segments.slice(0, -1).some((folder) => FOLDERS.has(folder))) return true;
  if (path.startsWith('.github/workflows/') || path === '.gitlab-ci.yml') return true;
  return NAMES.some((pattern) => pattern.test(name));
}

/** Scripts of a manifest by which checks are started. */
export function isVerificationScript(name: string): boolean {
  return /^(?:pre|post)?(?:test|tests|check|checks|lint|typecheck|types|verify|ci)(?:[:._-].*)?$/.test(name);
}
