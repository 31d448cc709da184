/** `mayday doctor`: tells what this machine offers, what is missing, and what to do about it. */
import { temporaryFolder } from '../../platform/storage-error.ts';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AGENT_NAMES, findAdapter } from '../../agents/registry.ts';
import { preflight } from '../../act/start-attempt.ts';
import { isolationWords } from '../../core/vocabulary/isolation.ts';
import { type PolicyKey, POLICY_RULES } from '../../core/vocabulary/policy.ts';
import type { RunJson } from '../../core/view/run-json.ts';
import { forgeryWords } from '../../core/vocabulary/word.ts';
import { availableLevels } from '../../platform/container/container-level.ts';
import { type Hiding, hideHome, stageIn } from '../../platform/container/hide-home.ts';
import { diskFreeBytes } from '../../platform/host.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { personGit } from '../../platform/git/git.ts';
import { maydayHome } from '../../supervise/home.ts';
import { type AgentUser, findUser, proposedUser } from '../../platform/process/agent-user.ts';
import { CONFIG_FILE, loadConfig } from '../../supervise/request/config.ts';
import { homePolicy } from '../../supervise/request/home-policy.ts';
import { openRecord } from '../../supervise/open-record.ts';
import { KeeperGuard } from '../../supervise/lease/keeper-guard.ts';
import { activeHolds } from '../../supervise/active-holds.ts';
import type { Invocation } from '../command.ts';
import { columns } from '../render/columns.ts';
import { plain } from '../render/plain.ts';
import { holdJson } from '../render/hold.ts';

/** Below this a checkpoint may not fit. */
const LOW_DISK_BYTES = 1024 ** 3;

/** How long a refused forgery is told here; `show` tells it for ever. */
const LATELY_MS = 86_400_000;
const HOLD = 'hold';
/** A number for a person; beyond it the list is long anyway. */
const MAX_TASKS = 200;

interface Finding {
  readonly what: string;
  readonly ok: boolean;
  readonly says: string;
  readonly advice: string | null;
}

export async function run({ options, env, json, stdout }: Invocation): Promise<number> {
  if (options['policy'] === true) {
    const inForce = homePolicy(maydayHome(env));
    const rows = Object.entries(POLICY_RULES).map(([key, { value, why }]) => ({
      key,
      value: inForce[key as PolicyKey],
      default: value,
      why,
    }));
    const cells = rows.map((row) => [
      row.key,
      String(row.value),
      row.value === row.default ? row.why : `(yours; default ${row.default}) ${row.why}`,
    ]);
    stdout.write(json ? `${JSON.stringify(rows)}\n` : columns(cells));
    return 0;
  }
  const home = maydayHome(env);
  const findings = [
    await runtime(),
    await git(env),
    ...(await isolation(home)),
    await disk(home),
    await store(home, env),
    ...(await forgeries(home, env)),
    ...(await holds(home, env)),
    ...(await busWatch(home, env)),
    ...(await agents(env)),
  ];
  if (json) stdout.write(`${JSON.stringify({ home, findings })}\n`);
  else {
    for (const { what, ok, says, advice } of findings)
      stdout.write(
        `${ok ? '✓' : '!'} ${what.padEnd(13)}${says}${advice === null ? '' : `\n                do  ${advice}`}\n`,
      );
    const name = loadConfig(home).as_user ?? 'you';
    stdout.write(
      `\nAn agent runs as ${name}: what ${name} can read and write elsewhere, it can read and write.\n`,
    );
  }
  return findings.some(({ ok, what }) => !ok && what !== HOLD && !AGENT_NAMES.includes(what)) ? 1 : 0;
}

/** Tasks of external agents have a time limit; a keeper, a worker or `mayday bus --follow` watches it. */
async function busWatch(home: string, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  if (!existsSync(home)) return [];
  const record = await openRecord(home, env).catch(() => null);
  if (record === null) return [];
  try {
    const tasks = (await record.runningTasks(MAX_TASKS)).length;
    const rows = await record.rows({ limit: MAX_TASKS, withoutView: true });
    const kept = await Promise.all(
      rows
        .filter(({ ended }) => !ended)
        .map(({ runId }) => new KeeperGuard(home, record, runId, env).isKept()),
    );
    const keepers = kept.filter(Boolean).length;
    const watched =
      keepers === 0
        ? 'no keeper watches'
        : `${keepers} ${keepers === 1 ? 'keeper watches' : 'keepers watch'}`;
    const running = `${tasks} ${tasks === 1 ? 'task' : 'tasks'} of external agents RUNNING`;
    const ok = tasks === 0 || keepers > 0;
    const advice = ok
      ? null
      : 'keep mayday work or mayday bus --follow running; any other command looks once';
    return [{ what: 'bus', ok, says: `${running}; ${watched} the time limit`, advice }];
  } catch (error) {
    // The finding about the record tells that it cannot be read.
    if (!(error instanceof MaydayError)) throw error;
    return [];
  } finally {
    await record.close();
  }
}

async function runtime(): Promise<Finding> {
  const supported = process.platform === 'linux' || process.platform === 'darwin';
  return {
    what: 'runtime',
    ok: supported,
    says: `Node ${process.versions.node} on ${process.platform}`,
    advice: supported ? null : 'use Linux or macOS',
  };
}

async function git(env: NodeJS.ProcessEnv): Promise<Finding> {
  const version = await personGit({ args: ['--version'], cwd: '/', env }).catch(() => null);
  return version?.exitCode === 0
    ? { what: 'git', ok: true, says: version.stdout.toString().trim(), advice: null }
    : { what: 'git', ok: false, says: 'git was not found', advice: 'install git' };
}

/** Tried on this machine, with this home, as a run would do it. */
async function isolation(home: string): Promise<Finding[]> {
  const [level = 'process-group'] = await availableLevels();
  const name = loadConfig(home).as_user;
  const user = name === undefined ? null : findUser(name);
  const hiding = homePolicy(home).hide_home === 0 && user === null ? null : tryHiding(home, user);
  const homeHidden = hiding?.type === 'hidden';
  const asRoot = process.getuid?.() === 0 && user === null;
  const homeClosed = hiding?.type === 'hidden' && hiding.closed === true;
  const cachesShared = hiding?.type === 'hidden' && hiding.isUnlayered === true;
  const words = isolationWords({ level, homeHidden, homeClosed, cachesShared, asRoot });
  const why = hiding === null ? 'policy hide_home is 0' : hiding.type === 'shown' ? hiding.why : null;
  return [
    {
      what: 'container',
      ok: true,
      says: words.processes,
      advice: level === 'process-group' ? STRONGER : null,
    },
    {
      what: 'home',
      ok: true,
      says: why === null ? words.home : `${words.home} (${why})`,
      advice: asRoot ? `let agents and checks be an ordinary user: ${userAdvice()}` : null,
    },
    { what: 'caches', ok: true, says: words.caches, advice: null },
  ];
}

const STRONGER = 'delegated control groups (systemd-run --user) or user namespaces would be stronger';

function userAdvice(): string {
  return `mayday run --as-user ${proposedUser() ?? 'NAME'}, or as_user in ${CONFIG_FILE} of Mayday's folder`;
}

function tryHiding(home: string, user: AgentUser | null): Hiding {
  // Before the first run there is no home to hide: another folder answers the same question.
  const folder = folderIn(home) ?? temporaryFolder('mayday-doctor-');
  const cache = join(folder, 'cache');
  mkdirSync(cache);
  try {
    const hidden = {
      home: existsSync(home) ? home : folder,
      show: [],
      layers: [{ to: cache, from: cache, kept: join(folder, 'kept'), keeps: true }],
      inside: { runId: 'doctor', blocker: null },
      ...(user === null ? {} : { user }),
    };
    return hideHome(hidden, { stage: stageIn(folder), cwd: '/', path: '' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** On the disk of the home, as a run's own files are: not every disk takes an overlay. */
function folderIn(home: string): string | null {
  try {
    return mkdtempSync(join(home, 'doctor-'));
  } catch {
    return null;
  }
}

function advised({ advice }: MaydayError, wanted: string): readonly string[] {
  return advice.flatMap(([kind, text]) => (kind === wanted ? [text] : []));
}

async function disk(home: string): Promise<Finding> {
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

async function store(home: string, env: NodeJS.ProcessEnv): Promise<Finding> {
  try {
    const record = await openRecord(home, env);
    const problems = await record.verify();
    await record.close();
    const first = problems[0];
    return {
      what: 'record',
      ok: first === undefined,
      says: first === undefined ? 'whole' : `${problems.length} problems; first: ${first.problem}`,
      advice: first === undefined ? null : 'mayday verify tells all',
    };
  } catch (error) {
    if (!(error instanceof MaydayError)) throw error;
    return {
      what: 'record',
      ok: false,
      says: [error.message, ...advised(error, 'happened')].join(' '),
      advice: advised(error, 'do').join(' ') || null,
    };
  }
}

/** Runs whose record holds a recent row that neither Mayday nor a person wrote. */
async function forgeries(home: string, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  // The finding about the record tells that it cannot be read.
  const record = await openRecord(home, env).catch(() => null);
  if (record === null) return [];
  try {
    const rows = await record.rows({ sinceAt: Date.now() - LATELY_MS });
    const attacked = rows.flatMap(({ runId, view }) => {
      const [first, ...more] = (JSON.parse(view) as Partial<RunJson>).forgeries ?? [];
      return first === undefined ? [] : [{ runId, first, count: more.length + 1 }];
    });
    return attacked.map(({ runId, first, count }) => ({
      what: 'forgery',
      ok: false,
      says: `run ${runId}: ${plain(forgeryWords(first))}${count > 1 ? `, and ${count - 1} more` : ''}`,
      advice: `nothing was done on it; its agent or code under test writes to Mayday's record: mayday show ${runId}`,
    }));
  } catch (error) {
    if (!(error instanceof MaydayError) && !(error instanceof SyntaxError)) throw error;
    return [];
  } finally {
    await record.close();
  }
}

/** A hold is no fault of this machine, but it is why runs do not start. */
async function holds(home: string, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  if (!existsSync(home)) return [];
  const record = await openRecord(home, env).catch(() => null);
  if (record === null) return [];
  try {
    const now = Date.now();
    return (await activeHolds(record, now)).map((active) => {
      const { id, reason, owner, ends } = holdJson(active, now);
      return {
        what: HOLD,
        ok: false,
        says: `${reason} · owner run ${owner} · ${ends}`,
        advice: `mayday holds release ${id}   or wait`,
      };
    });
  } finally {
    await record.close();
  }
}

async function agents(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const known = AGENT_NAMES.filter((name) => name !== 'command' && name !== 'rehearsal');
  const looks = await Promise.all(known.map((name) => lookAtAgent(name, env)));
  // One agent is enough. The others are named, so that a person sees what could be used.
  const someIsThere = looks.some(({ isMissing }) => !isMissing);
  return looks.map(({ isMissing, finding }) => (isMissing && someIsThere ? notInstalled(finding) : finding));
}

function notInstalled({ what }: Finding): Finding {
  return { what, ok: true, says: 'not installed', advice: null };
}

async function lookAtAgent(
  name: string,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly isMissing: boolean; readonly finding: Finding }> {
  const adapter = findAdapter(name);
  try {
    const found = adapter === null ? null : await preflight(adapter, [], env, AbortSignal.timeout(30_000));
    const version = found?.version ?? null;
    const [warning] = found?.warnings ?? [];
    const says = warning?.message ?? (version === null ? 'found' : `version ${version}`);
    return { isMissing: false, finding: { what: name, ok: true, says, advice: warning?.advice ?? null } };
  } catch (error) {
    if (!(error instanceof MaydayError)) throw error;
    const advice = error.advice.find(([label]) => label === 'do')?.[1] ?? null;
    return {
      isMissing: error.code === 'AGENT_NOT_FOUND',
      finding: { what: name, ok: false, says: error.message, advice },
    };
  }
}
