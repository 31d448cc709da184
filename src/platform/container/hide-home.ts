/**
 * `hideHome`, `testHiding`: the words to put before a program so that it finds Mayday's own folder empty and read-only, except for what
 * it may see. The program gets a mount namespace of its own. Root gets a plain one, and gives up the capabilities that could undo it; an
 * ordinary user gets one inside a user namespace, in which the program has no capabilities. Each program in the words replaces itself
 * with the next, so the last one keeps the process number, the signals and the exit status that it would have without them.
 */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { BEGIN, COVER, NO_RIGHTS, ROOT_RIGHTS } from './cover-script.ts';
import type { InsideNote } from './inside-note.ts';
import { otherMounts } from './other-mounts.ts';
import { temporaryWords } from './own-temporary.ts';
import { isInside, realOrSame } from '../file/inside.ts';
import { type AgentUser, giveTo, isTrueFor, userRights, userWords } from '../process/agent-user.ts';
import { SYSTEM_PATH } from '../process/system-program.ts';
import { readOrNull } from '../process/proc-table.ts';

export interface HiddenHome {
  readonly home: string;
  /** Files and folders that stay visible; those outside the home are visible anyway. */
  readonly show: readonly string[];
  /** The program finds the file or folder `from` at the place `to`. */
  readonly over?: readonly { readonly from: string; readonly to: string }[];
  /** Folders that the program reads, and that stay as they are whatever it writes there. */
  readonly layers?: readonly Layer[];
  /** Folders that the program finds empty; what it writes there is gone with it. */
  readonly emptied?: readonly string[];
  /** Sockets that the program cannot reach a server through. */
  readonly shut?: readonly string[];
  /** Folders that the program cannot rename or remove, though it may write in them; a folder before those in it. */
  readonly pinned?: readonly string[];
  /** A note for Mayday's own commands that are called from inside. */
  readonly inside: InsideNote;
  /** The program has no network but a loopback of its own. */
  readonly withoutNetwork?: boolean;
  /**
   * The program has temporary folders of its own. Of what lies in those of the machine it finds only these paths, those that its
   * environment and its command name, and the sockets of running servers.
   */
  readonly ownTemporary?: readonly string[];
  /** The program does not start where one of these cannot be had. */
  readonly required?: readonly Held[];
  /** The program runs as this user, and the user owns these folders. */
  readonly user?: AgentUser;
  readonly owns?: readonly string[];
}

/** `scoped`: it cannot look into processes outside. */
export type Held = 'hidden' | 'layered' | 'scoped';

/** The program finds at `to` what is in `from`, and over it what was kept in `kept`. */
export interface Layer {
  readonly to: string;
  readonly from: string;
  readonly kept: string;
  /** True: what the program writes is kept in `kept`. False: it is thrown away with the program's own folder. */
  readonly keeps: boolean;
}

export type Hiding =
  /**
   * `closed`: it is there, and the modes of its files keep the program's user out. `isUnlayered`: the machine has no layers, so that the
   * program writes into the folders themselves. `isUnscoped`: the program is root's and can look into processes of other users.
   */
  | {
      readonly type: 'hidden';
      readonly closed?: true;
      readonly isUnlayered?: true;
      readonly isUnscoped?: true;
      readonly words: readonly string[];
    }
  | { readonly type: 'shown'; readonly why: string };

export interface HidingOptions {
  /** The folder to make and to mount over the home. */
  readonly stage: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly argv: readonly string[];
  /** The words are not tested: the strongest ones, for a caller that starts them and tries again with a test where no line comes. */
  readonly isUntested?: boolean;
}

/** Normally 30 ms, on an overloaded machine seconds. The limit ends what hangs: slowness must not lead to less hiding. */
export const TRY_TIMEOUT_MS = 60_000;
const MAX_WHY_CHARS = 200;

/** Tests the words by running them, with the same home and the same files: twice the time of the start itself. */
export function hideHome(hidden: HiddenHome, options: HidingOptions): Hiding {
  if (hidden.user !== undefined) giveTo(hidden.user, hidden.owns ?? []);
  const hiding = coverAsWell(hidden, options);
  if (hiding.type === 'hidden' || hidden.user === undefined || hidden.withoutNetwork === true) return hiding;
  return closeHome(hidden.user, hidden);
}

/** As `hideHome`, but this process goes on while the strongest words are tested. The weaker ones are tested where those do not hold. */
export async function testHiding(hidden: HiddenHome, options: HidingOptions): Promise<Hiding> {
  const strongest = hideHome(hidden, { ...options, isUntested: true });
  if (strongest.type === 'hidden' && (await holds(strongest.words))) return strongest;
  return hideHome(hidden, options);
}

async function holds([command = '', ...words]: readonly string[]): Promise<boolean> {
  const tried = spawn(command, [...words, '/bin/true'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    cwd: '/',
    env: {},
    timeout: TRY_TIMEOUT_MS,
  });
  return await new Promise((settle) => {
    tried.once('error', () => settle(false)).once('exit', (status) => settle(status === 0));
  });
}

/**
 * Overlays may be missing (an old kernel, a home that is itself an overlay as in most containers), and so may Landlock or Perl: the rest
 * holds without them.
 */
function coverAsWell(hidden: HiddenHome, options: HidingOptions): Hiding {
  const { layers = [] } = hidden;
  const isRoot = process.getuid?.() === 0;
  const canLayer = !layers.some(({ from, kept }) => NO_LAYER.test(from + kept + options.stage));
  let hiding: Hiding = { type: 'shown', why: '' };
  for (const isScoped of isRoot ? [true, false] : [false])
    for (const isLayered of layers.length === 0 ? [true] : canLayer ? [true, false] : [false]) {
      hiding = cover(isLayered ? hidden : { ...hidden, layers: [] }, { ...options, isScoped });
      if (hiding.type === 'shown') continue;
      return {
        ...hiding,
        ...(isLayered ? {} : { isUnlayered: true }),
        ...(isRoot && !isScoped ? { isUnscoped: true } : {}),
      };
    }
  return hiding;
}

/** The options of an overlay separate paths with these. */
const NO_LAYER = /[:,\\\n]/;

/** The words that lay one folder; it is made with the owner and the mode that the program expects. */
function layerWords({ to, from, kept, keeps }: Layer, stage: string, index: number): string[] {
  const own = keeps ? kept : join(dirname(stage), 'layers', String(index));
  const lower = keeps || !existsSync(join(kept, 'upper')) ? [from] : [join(kept, 'upper'), from];
  const [upper, work] = [join(own, 'upper'), join(own, 'work')];
  for (const path of [upper, work]) mkdirSync(path, { recursive: true, mode: 0o700 });
  const { mode, uid, gid } = statSync(to);
  chmodSync(upper, mode);
  if (process.getuid?.() === 0) chownSync(upper, uid, gid);
  const rights = process.getuid?.() === 0 ? [] : ['userxattr'];
  const options = [...rights, `lowerdir=${lower.join(':')}`, `upperdir=${upper}`, `workdir=${work}`];
  return ['--layer', options.join(','), to, work];
}

/** Without a mount namespace: the user may pass through the home to what it may see, and can read nothing else in it. */
function closeHome(user: AgentUser, { home, owns = [] }: HiddenHome): Hiding {
  const root = realpathSync(home);
  for (let folder of owns.map(realOrSame)) {
    while (folder.startsWith(`${root}/`)) {
      folder = dirname(folder);
      chmodSync(folder, (statSync(folder).mode & 0o770) | PASS_THROUGH);
    }
  }
  const entries = [root, ...readdirSync(root).map((name) => join(root, name))];
  const words = [...userWords(user), 'sh', '-c', BEGIN, 'sh'];
  return isTrueFor(user, 'for path; do if [ -r "$path" ]; then exit 1; fi; done', entries)
    ? { type: 'hidden', closed: true, isUnlayered: true, words }
    : { type: 'shown', why: `user ${user.name} can read files in it` };
}

/** Others may enter the folder but not list it. */
const PASS_THROUGH = 0o001;

function cover(
  hidden: HiddenHome,
  { stage, cwd, env, argv, isUntested, isScoped }: HidingOptions & { readonly isScoped: boolean },
): Hiding {
  const isRoot = process.getuid?.() === 0;
  const shown = (why: string): Hiding => ({ type: 'shown', why });
  if (process.platform !== 'linux') return shown('this system has no mount namespaces');
  const home = realpathSync(hidden.home);
  const [elsewhere] = otherMounts(home, readOrNull('/proc/self/mountinfo') ?? '');
  if (elsewhere !== undefined) return shown(`the folder is mounted a second time, as ${elsewhere}`);
  const places = placesBelow(hidden);
  if (places === null) return shown('what the program needs is the whole folder');
  if (!isRoot && becomesRoot())
    return shown('this user can become root without a password, and so can agents');
  if (isRoot && !canCover()) return shown('root without CAP_SYS_ADMIN cannot make a mount namespace');
  const hasNetwork = hidden.withoutNetwork !== true;
  const unshare = [
    'unshare',
    '--mount',
    ...(isRoot ? [] : ['--user', '--map-current-user', '--keep-caps']),
    ...(hasNetwork ? [] : ['--net']),
    ...(hidden.ownTemporary === undefined ? [] : ['--ipc']),
  ];
  const rights = hidden.user !== undefined ? userRights(hidden.user) : isRoot ? ROOT_RIGHTS : NO_RIGHTS;
  mkdirSync(stage, { recursive: true, mode: 0o700 });
  const words = [
    '/usr/bin/env',
    `PATH=${SYSTEM_PATH}`,
    ...unshare,
    'sh',
    '-c',
    COVER,
    'mayday-cover',
    stage,
    cwd,
    JSON.stringify(hidden.inside),
    rights,
    hasNetwork ? 'all' : 'none',
    env['PATH'] ?? '',
    isScoped ? 'scoped' : 'unscoped',
    ...(hidden.emptied ?? []).flatMap((path) => ['--empty', path]),
    ...(hidden.shut ?? []).flatMap((path) => ['--shut', path]),
    ...(hidden.layers ?? []).flatMap((layer, index) => layerWords(layer, stage, index)),
    ...(hidden.over ?? []).flatMap(({ from, to }) => ['--over', from, to]),
    ...places.flatMap((path) => ['--show', home, path]),
    '--lock',
    stage,
    ...(hidden.ownTemporary === undefined
      ? ['--put', stage, home]
      : temporaryWords({ ...hidden, home }, { stage, cwd, env, argv })),
    ...(hidden.pinned ?? []).flatMap((path) => ['--pin', path]),
    '--',
  ];
  if (isUntested === true) return { type: 'hidden', words };
  const [command = '', ...rest] = words;
  const tried = spawnSync(command, [...rest, '/bin/true'], {
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    cwd: '/',
    env: {},
    timeout: TRY_TIMEOUT_MS,
  });
  if (tried.status === 0) return { type: 'hidden', words };
  const said = (tried.error?.message ?? tried.stderr ?? '').trim().split('\n')[0] ?? '';
  return shown(said.slice(0, MAX_WHY_CHARS) || `the attempt ended with ${tried.status ?? tried.signal}`);
}

/** The shown paths below the home, relative to it; null: the home itself is among them. */
function placesBelow({ home, show }: HiddenHome): string[] | null {
  const root = realpathSync(home);
  const below = show.flatMap((path) => {
    const real = realOrSame(path);
    return isInside(real, root) ? [relative(root, real)] : [];
  });
  // A folder brings what lies in it: a file there must not be laid out once more.
  const isBelow = (path: string) => below.some((other) => path.startsWith(`${other}/`));
  return below.includes('') ? null : [...new Set(below)].filter((path) => !isBelow(path));
}

/** In a user namespace `sudo` fails, and so does work that needs it; and an agent that has `sudo` could undo the hiding anyway. */
function becomesRoot(): boolean {
  const options = { stdio: 'ignore', timeout: SUDO_TIMEOUT_MS } as const;
  return existsSync(SUDO) && spawnSync(SUDO, ['-n', 'true'], options).status === 0;
}

const SUDO = '/usr/bin/sudo';
const SUDO_TIMEOUT_MS = 60_000;

/** Whether this process may make the mount namespace of root. */
function canCover(): boolean {
  if (process.getuid?.() !== 0) return false;
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(readOrNull('/proc/self/status') ?? '')?.[1] ?? '0';
  return (BigInt(`0x${effective}`) & CAP_SYS_ADMIN) !== 0n;
}

const CAP_SYS_ADMIN = 1n << 21n;

/** The folder that `hideHome` mounts over the home. */
export function stageIn(attemptDir: string): string {
  return join(attemptDir, 'cover');
}
