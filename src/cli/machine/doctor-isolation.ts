/** `isolationFindings`: what `mayday doctor` finds about how agents are contained on this machine. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isolationWords } from '../../core/vocabulary/isolation.ts';
import { bestLevel } from '../../platform/container/container-level.ts';
import { type Hiding, stageIn, testHiding } from '../../platform/container/hide-home.ts';
import { type AgentUser, findUser, proposedUser } from '../../platform/process/agent-user.ts';
import { openDoors } from '../../platform/process/outside-programs.ts';
import { PACKAGE_ROOT } from '../../platform/package-root.ts';
import { temporaryFolder } from '../../platform/storage-error.ts';
import { CONFIG_FILE, loadConfig, wholePolicy } from '../../supervise/request/config.ts';
import { type DoctorFinding, findingOf, fine } from './doctor-finding.ts';

/** Tried on this machine, with this home, as a run would do it. */
export async function isolationFindings(home: string, env: NodeJS.ProcessEnv): Promise<DoctorFinding[]> {
  const config = await loadConfig(home);
  const name = config.as_user;
  const user = name === undefined ? null : findUser(name);
  const isHidden = wholePolicy(config).hide_home !== 0 || user !== null;
  const [level, hiding] = await Promise.all([bestLevel(), isHidden ? tryHiding(home, user) : null]);
  const homeHidden = hiding?.type === 'hidden';
  const asRoot = process.getuid?.() === 0 && user === null;
  const homeClosed = hiding?.type === 'hidden' && hiding.closed === true;
  const cachesShared = hiding?.type === 'hidden' && hiding.isUnlayered === true;
  const scoped = hiding?.type === 'hidden' && hiding.isUnscoped !== true;
  const doors = openDoors(user, env);
  const words = isolationWords({ level, homeHidden, homeClosed, cachesShared, scoped, asRoot });
  const shown = hiding === null ? 'policy hide_home is 0' : hiding.type === 'shown' ? hiding.why : null;
  const why = [shown, env['MAYDAY_STORE'] ? STORE : null].filter((one) => one !== null).join('; ');
  const open = `${asRoot ? 'see home' : STRONGER}; ${join(PACKAGE_ROOT, 'docs/explanation/isolation.md')} tells what that means`;
  return [
    fine('container', words.processes, level === 'process-group' ? STRONGER : null),
    fine(
      'home',
      why === '' ? words.home : `${words.home} (${why})`,
      asRoot ? `let agents and checks be an ordinary user: ${userAdvice(home)}` : null,
    ),
    ...(words.open.length === 0
      ? []
      : [fine('not contained', `every run here will say: ${words.open.join('; ')}`, open)]),
    fine('caches', words.caches),
    temporaryFinding(words.temporary),
    ...doors.map((door) => fine(door, DOOR, `keep agents away from it: ${userAdvice(home)}`)),
  ];
}

const DOOR =
  'in reach of agents: it starts whatever they tell it, so an answer of yours is recorded as not told apart from one of an agent';
const STORE = 'the record is in PostgreSQL: an agent that may log in there reaches it';
const STRONGER = 'delegated control groups (systemd-run --user) or user namespaces would be stronger';

function userAdvice(home: string): string {
  return `mayday run --as-user ${proposedUser() ?? 'NAME'}, or as_user: NAME in ${join(home, CONFIG_FILE)}`;
}

function temporaryFinding(says: string): DoctorFinding {
  const what = 'temporary folders';
  try {
    rmSync(temporaryFolder('mayday-doctor-'), { recursive: true, force: true });
    return fine(what, says);
  } catch (error) {
    return findingOf(what, error);
  }
}

async function tryHiding(home: string, user: AgentUser | null): Promise<Hiding> {
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
    return await testHiding(hidden, { stage: stageIn(folder), cwd: '/', env: {}, argv: [] });
  } finally {
    // The kernel takes some 20 ms for it after a mount, in which this process goes on.
    await rm(folder, { recursive: true, force: true });
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
