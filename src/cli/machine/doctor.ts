/** `mayday doctor`: tells what this machine offers, what is missing, and what to do about it. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { AGENT_NAMES, CLI_AGENTS, findAdapter } from '../../agents/registry.ts';
import { preflight } from '../../act/attempt/preflight.ts';
import { type PolicyKey, POLICY_RULES, policyText } from '../../core/vocabulary/policy.ts';
import { diskFreeBytes } from '../../platform/host.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { closedGit } from '../../platform/git/git.ts';
import { repositoryAround } from '../../platform/git/locate-repository.ts';
import { maydayHome } from '../../supervise/home.ts';
import { loadConfig, wholePolicy } from '../../supervise/request/config.ts';
import type { Invocation } from '../command.ts';
import { print } from '../print.ts';
import { type DoctorFinding, findingOf, fine } from './doctor-finding.ts';
import { isolationFindings } from './doctor-isolation.ts';
import { opinionFinding } from './doctor-opinion.ts';
import { HOLD, recordFindings } from './doctor-record.ts';
import { columns } from '../../core/text/columns.ts';
import { writeText } from '../write-text.ts';

/** Below this a checkpoint may not fit. */
const LOW_DISK_BYTES = 1024 ** 3;
const NOT_INSTALLED = 'not installed';

export async function run(invocation: Invocation): Promise<number> {
  const { env, json, stdout } = invocation;
  if (invocation.options['policy'] === true) {
    const inForce = wholePolicy(await loadConfig(maydayHome(env)));
    const rows = Object.entries(POLICY_RULES).map(([key, { value, why }]) => ({
      key,
      value: inForce[key as PolicyKey],
      default: value,
      why,
    }));
    const cells = rows.map((row) => [
      row.key,
      policyText(row.key as PolicyKey, row.value),
      row.value === row.default
        ? row.why
        : `(yours; default ${policyText(row.key as PolicyKey, row.default)}) ${row.why}`,
    ]);
    return print(invocation, rows, columns(cells));
  }
  const home = maydayHome(env);
  // A configuration that cannot be read is told before anything is started.
  const { as_user: name = 'you' } = await loadConfig(home);
  const looked = [runtime(), git(env), isolationFindings(home, env), disk(home), settings(invocation.cwd)];
  const opinions = opinionFinding(home, repositoryAround(invocation.cwd) ?? invocation.cwd);
  const findings = (await Promise.all([...looked, recordFindings(home, env), opinions, agents(env)])).flat();
  if (json) stdout.write(`${JSON.stringify({ home, findings })}\n`);
  else {
    const width = Math.max(...findings.map(({ what }) => what.length)) + 2;
    const absent = findings.filter(isAbsent).map(({ what }) => what);
    const lines = findings
      .filter((finding) => !isAbsent(finding))
      .flatMap(({ what, ok, says, advice }) => [
        // What could be stronger is no fault, and no reason for a tick either.
        `${ok ? (advice === null ? '✓' : '·') : '!'} ${what.padEnd(width)}${says}`,
        ...(advice === null ? [] : [`${' '.repeat(width + 2)}do  ${advice}`]),
      ]);
    if (absent.length > 0) lines.push(`· ${'agents'.padEnd(width)}not installed: ${absent.join(', ')}`);
    lines.push(
      '',
      `An agent runs as ${name}: apart from what is hidden above, it can read and write all that ${name} can.`,
      '',
      `next  ${nextOf(findings, (await checksHere(invocation.cwd)).length > 0)}`,
    );
    writeText(stdout, `${lines.join('\n')}\n`);
  }
  return findings.some(({ ok, what }) => !ok && what !== HOLD && !isAgent(what)) ? 1 : 0;
}

function nextOf(findings: readonly DoctorFinding[], hasChecks: boolean): string {
  const broken = findings.find(({ ok, what }) => !ok && !isAgent(what));
  if (broken?.what === HOLD) return `something is held: ${broken.advice ?? broken.says}`;
  if (broken !== undefined) return `mend ${broken.what}: ${broken.advice ?? broken.says}`;
  const agent = findings.find((finding) => finding.ok && isAgent(finding.what) && !isAbsent(finding));
  if (agent !== undefined)
    return `in your repository: mayday init, then mayday run --agent ${agent.what} "what should be done"`;
  const [first] = findings.filter(isAbsent);
  const install =
    first === undefined ? '' : `get an agent, for example ${first.what}: ${first.advice ?? ''}; or take `;
  const check = hasChecks ? '' : '--check "npm test" ';
  return `${install}any program: mayday run ${check}"task" -- COMMAND`;
}

async function runtime(): Promise<DoctorFinding> {
  const supported = process.platform === 'linux' || process.platform === 'darwin';
  return {
    what: 'runtime',
    ok: supported,
    says: `Node ${process.versions.node} on ${process.platform}`,
    advice: supported ? null : 'use Linux or macOS',
  };
}

function isAgent(what: string): boolean {
  return AGENT_NAMES.includes(what);
}

async function git(env: NodeJS.ProcessEnv): Promise<DoctorFinding> {
  const version = await closedGit({ args: ['--version'], cwd: '/', env }, []).catch(() => null);
  return version?.exitCode === 0
    ? fine('git', version.stdout.toString().trim())
    : { what: 'git', ok: false, says: 'git was not found', advice: 'install git' };
}

async function disk(home: string): Promise<DoctorFinding> {
  // `doctor` creates no folder: before the first run it measures the disk of the nearest folder that exists.
  let folder = home;
  while (!existsSync(folder)) folder = dirname(folder);
  const free = await diskFreeBytes(folder);
  return {
    what: 'disk',
    ok: free > LOW_DISK_BYTES,
    says: `${(free / 1024 ** 3).toFixed(1)} GiB free in ${home}`,
    advice: free > LOW_DISK_BYTES ? null : 'free some space, or set MAYDAY_HOME to a larger disk',
  };
}

async function agents(env: NodeJS.ProcessEnv): Promise<DoctorFinding[]> {
  return await Promise.all(CLI_AGENTS.map((name) => lookAtAgent(name, env)));
}

async function settings(cwd: string): Promise<DoctorFinding[]> {
  try {
    await loadConfig(repositoryAround(cwd) ?? cwd);
    return [];
  } catch (error) {
    return [findingOf('settings', error)];
  }
}

/** A repository that names its checks needs none on the command line. */
async function checksHere(cwd: string): Promise<readonly string[]> {
  const { checks = [] } = await loadConfig(repositoryAround(cwd) ?? cwd).catch(() => ({ checks: [] }));
  return checks;
}

/** No fault: one agent is enough, and any program can be one. */
function isAbsent({ says }: DoctorFinding): boolean {
  return says === NOT_INSTALLED;
}

async function lookAtAgent(name: string, env: NodeJS.ProcessEnv): Promise<DoctorFinding> {
  const adapter = findAdapter(name);
  try {
    const found = adapter === null ? null : await preflight(adapter, [], env, AbortSignal.timeout(30_000));
    const version = found?.version ?? null;
    const [warning] = found?.warnings ?? [];
    const says = warning?.message ?? (version === null ? 'found' : `version ${version}`);
    return fine(name, says, warning?.advice);
  } catch (error) {
    const finding = findingOf(name, error);
    const isMissing = error instanceof MaydayError && error.code === 'AGENT_NOT_FOUND';
    return isMissing ? { ...finding, ok: true, says: NOT_INSTALLED } : finding;
  }
}
