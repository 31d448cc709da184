/** `cliPreflight`: tells before a run starts whether an agent CLI is installed, in which version, and logged in. */
import type { AgentAdapter, Environment, PreflightProblem, PreflightResult } from './adapter.ts';
import type { Login } from './credentials.ts';

interface CliFacts {
  /** The command on the PATH. */
  readonly program: string;
  /** As a person calls it. */
  readonly title: string;
  /** On npm. */
  readonly package: string;
  /** Finds the version in what `--version` prints. */
  readonly version: RegExp;
  /** The oldest and the newest version that Mayday was measured with. */
  readonly measured: { readonly from: string; readonly to: string };
  /** Null: it also works without a login. */
  readonly login: {
    readonly by: Login;
    readonly missing: Pick<PreflightProblem, 'message' | 'advice'>;
  } | null;
}

/** A cold start of a large program takes seconds, and a minute on a busy machine; a run must not be refused for that. */
const PROBE_TIMEOUT_MS = 60_000;

/** `lookFor`: files that tell of a login. */
export function cliPreflight(
  cli: CliFacts,
  lookFor: (env: Environment) => readonly string[],
): Pick<AgentAdapter, 'preflight' | 'judgePreflight'> {
  return {
    preflight: ({ command, env }) => ({
      argv: [...(command.length > 0 ? command : [cli.program]), '--version'],
      timeoutMs: PROBE_TIMEOUT_MS,
      lookFor: lookFor(env),
    }),
    judgePreflight: (result) => {
      const version = cli.version.exec(result.stdout)?.[1] ?? null;
      const broken = startProblem(cli, result, version);
      if (broken !== null) return { version, problems: [broken] };
      const problems = [versionProblem(cli, version as string), loginProblem(cli, result)];
      return { version, problems: problems.filter((problem) => problem !== null) };
    },
  };
}

function startProblem(
  { program, title, package: name, measured }: CliFacts,
  result: PreflightResult,
  version: string | null,
): PreflightProblem | null {
  if (result.spawnError === 'ENOENT')
    return {
      severity: 'error',
      code: 'agent_missing',
      message: `the command "${program}" was not found on the PATH`,
      advice: `install it with "npm install -g ${name}@${measured.to}", or name its path in mayday.yaml`,
    };
  if (result.spawnError !== null || result.exitCode !== 0 || version === null)
    return {
      severity: 'error',
      code: 'agent_unusable',
      message: `"${program} --version" did not work: ${firstLine(result)}`,
      advice: `run "${program} --version" yourself; reinstall ${title} if it does not print a version`,
    };
  return null;
}

function versionProblem(
  { program, title, package: name, measured: { from, to } }: CliFacts,
  version: string,
): PreflightProblem | null {
  const about = { severity: 'warning', version: `${program} ${version}` } as const;
  if (compareVersions(version, from) < 0)
    return {
      ...about,
      code: 'version_too_old',
      message: `${title} ${version} is older than ${from}, the oldest version that Mayday was measured with`,
      advice: `update it with "npm install -g ${name}@${to}"`,
    };
  // Releases come almost daily: what was measured at both ends is taken to hold between them.
  if (compareVersions(version, to) <= 0) return null;
  return {
    ...about,
    code: 'version_unknown',
    message: `${title} ${version} is newer than the versions that Mayday was measured with (${from} to ${to})`,
    advice: `Mayday goes on as with ${to}. If it misreads something, please report it with the output of "mayday logs".`,
  };
}

function loginProblem({ login }: CliFacts, result: PreflightResult): PreflightProblem | null {
  // On macOS the login is in the keychain, which Mayday does not read.
  if (login === null || result.platform !== 'linux' || result.present.length > 0) return null;
  const { keys, clouds = [] } = login.by;
  if ([...keys, ...clouds].some((name) => (result.env[name] ?? '') !== '')) return null;
  return { severity: 'error', code: 'login_missing', ...login.missing };
}

function firstLine(result: PreflightResult): string {
  if (result.spawnError !== null) return result.spawnError;
  const text = `${result.stderr}\n${result.stdout}`.trim().split('\n')[0] ?? '';
  return text === '' ? `exit code ${result.exitCode ?? 'none'}` : text.slice(0, 200);
}

function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((version) => version.split('.').map(Number)) as [number[], number[]];
  const index = left.findIndex((part, position) => part !== right[position]);
  return index === -1 ? 0 : (left[index] as number) - (right[index] ?? 0);
}
