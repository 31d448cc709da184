/** `agentEnvironment`: selects the environment variables that an agent or a check gets from Mayday's environment. */
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { PACKAGE_ROOT } from '../package-root.ts';

/**
 * Variables that any program needs to find its user, its tools and the network. The task and the agent's adapter can name more.
 * All others are not passed, and Mayday's own variables never are.
 */
const PASSED: readonly string[] = [
  'HOME USER LOGNAME SHELL PATH TMPDIR TMP TEMP HOSTNAME XDG_*',
  'LANG LANGUAGE LC_* TZ TERM COLORTERM NO_COLOR __CF_USER_TEXT_ENCODING',
  'HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy',
  'SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO',
  // The places of toolchains: without them a build that works in the person's shell fails under Mayday.
  'NVM_DIR VOLTA_HOME PYENV_ROOT GOPATH GOROOT CARGO_HOME RUSTUP_HOME JAVA_HOME SDKMAN_DIR ANDROID_HOME',
  'DOTNET_ROOT GEM_HOME PNPM_HOME BUN_INSTALL DENO_DIR HOMEBREW_PREFIX',
].flatMap((names) => names.split(' '));
/** These variables hold the record's address and password, tokens and homes. An agent that could read them could approve its own work. */
const OWN_PREFIX = 'MAYDAY_';
const BIN = join('node_modules', '.bin');

export function agentEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  /** Further names; one that ends in `*` is a prefix. */
  named: readonly string[] = [],
): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !name.startsWith(OWN_PREFIX) && isPassed(name, named)) result[name] = value;
  }
  if (result['PATH'] !== undefined) result['PATH'] = pathWithoutMayday(result['PATH'], env);
  return result;
}

/** Whether a variable reaches agents by the common list or by `named`. Mayday's own never do, and are never reported as missing. */
export function isPassed(name: string, named: readonly string[]): boolean {
  return name.startsWith(OWN_PREFIX) || [...PASSED, ...named].some((pattern) => matches(pattern, name));
}

function pathWithoutMayday(path: string, env: Readonly<Record<string, string | undefined>>): string {
  const startedByNpm = Object.keys(env).some((name) => name.startsWith('npm_'));
  const own = ownFolders();
  let injected = startedByNpm;
  const kept = path.split(delimiter).filter((folder) => {
    const isInjected =
      isAbsolute(folder) && (folder.endsWith(`${sep}${BIN}`) || folder.endsWith('node-gyp-bin'));
    // npm puts its own folders in front; the person's PATH begins at the first folder that is not one of them.
    if (!isInjected && !own.has(folder)) injected = false;
    return !(own.has(folder) || (injected && isInjected) || folder.endsWith('node-gyp-bin'));
  });
  return kept.join(delimiter);
}

function ownFolders(): ReadonlySet<string> {
  const folders = new Set([join(PACKAGE_ROOT, BIN)]);
  // If Mayday is installed in a node_modules folder, its programs are in the `.bin` of that folder.
  if (dirname(PACKAGE_ROOT).endsWith(`${sep}node_modules`)) folders.add(join(dirname(PACKAGE_ROOT), '.bin'));
  const nodeFolder = dirname(process.execPath);
  // A Node inside node_modules is Mayday's own; one in /usr/bin or of a version manager is the person's.
  if (nodeFolder.split(sep).includes('node_modules')) folders.add(nodeFolder);
  return folders;
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
