/**
 * `hideHome`: the words to put before a program so that it finds Mayday's own folder empty and read-only, except for what is meant for it.
 * The program gets a mount namespace of its own: as root a plain one, and the capabilities that could undo it are given up; as
 * an ordinary user one inside a user namespace, in which it has no capabilities at all. Every word replaces itself by the next, so the program
 * keeps the process number, the signals and the exit status that it would have had without them.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { readOrNull } from '../process/proc-table.ts';

export interface HiddenHome {
  readonly home: string;
  /** What stays: files and folders; those outside the home are there anyway. */
  readonly show: readonly string[];
  /** Files and folders that the program finds in the place of others. */
  readonly over?: readonly { readonly from: string; readonly to: string }[];
  /** Told to Mayday's own commands when they are called from inside. */
  readonly inside: InsideNote;
  /** Only the program's own loopback. */
  readonly withoutNetwork?: boolean;
}

/** Lies in the hidden home: where a program of Mayday that is started there finds itself. */
export interface InsideNote {
  readonly runId: string;
  /** Where an agent may raise the blocker flag; null for checks. */
  readonly blocker: string | null;
}

export type Hiding =
  | { readonly type: 'hidden'; readonly words: readonly string[] }
  | { readonly type: 'shown'; readonly why: string };

interface HidingOptions {
  /** A folder to be made, in which the cover is laid together. */
  readonly stage: string;
  readonly cwd: string;
  /** The program's own PATH. */
  readonly path: string;
  /** The file that is closed when everything is hidden, just before the program begins. */
  readonly readyFile?: number;
}

const INSIDE_FILE = 'inside-a-run.json';

/** Making and leaving a namespace takes 30 ms. */
const TRY_TIMEOUT_MS = 10_000;
const MAX_WHY_CHARS = 200;
/** Programs that the agent could not have put there. */
const SYSTEM_PATH = '/usr/sbin:/usr/bin:/sbin:/bin';

/** Root keeps what builds and package managers need. Any of these would lift the cover or lead around it. */
const GIVEN_UP =
  'sys_admin sys_ptrace sys_module sys_rawio sys_boot dac_read_search mknod syslog perfmon bpf checkpoint_restore'
    .split(' ')
    .map((name) => `-${name}`)
    .join(',');

const COVER = `set -e
home=$1 stage=$2 cwd=$3 note=$4 way=$5 network=$6 path=$7 ready=$8
shift 8
mount -t tmpfs -o mode=755,size=1m mayday "$stage"
printf %s "$note" >"$stage/${INSIDE_FILE}"
while [ "$1" != -- ]; do
  if [ "$1" = --over ]; then mount --bind "$2" "$3"; shift 3; continue; fi
  if [ -d "$home/$1" ]; then mkdir -p "$stage/$1"
  else mkdir -p "$(dirname "$stage/$1")"; : >"$stage/$1"; fi
  mount --bind "$home/$1" "$stage/$1"
  shift
done
shift
mount -o remount,bind,ro "$stage"
mount --rbind "$stage" "$home"
if [ "$network" = none ]; then ip link set lo up; fi
caps='--bounding-set=-all --inh-caps=-all --ambient-caps=-all'
if [ "$way" = root ]; then
  caps=--bounding-set=${GIVEN_UP}
  # Its own control group, the settings of the kernel and the raw disks would be ways out.
  while read -r _ _ _ _ point rest; do
    case $rest in *' - cgroup2 '*) mount -o remount,bind,ro "$point" ;; esac
  done </proc/self/mountinfo
  mount -o bind,ro /proc/sys /proc/sys
  for size in /sys/class/block/*/size; do
    disk=/dev/$(basename "$(dirname "$size")")
    if [ -b "$disk" ] && [ "$(cat "$size")" != 0 ]; then mount --bind /dev/null "$disk"; fi
  done
  for disk in /dev/sg[0-9]* /dev/nvme[0-9] /dev/bsg/*; do
    if [ -c "$disk" ]; then mount --bind /dev/null "$disk"; fi
  done
fi
cd "$cwd"
unset OLDPWD
program=$(command -v setpriv)
export PATH="$path"
eval "exec $ready>&-"
exec "$program" $caps "$@"`;

/** Tried by really doing it, with this very home and these very files. */
export function hideHome(hidden: HiddenHome, { stage, cwd, path, readyFile = 3 }: HidingOptions): Hiding {
  const isRoot = process.getuid?.() === 0;
  const shown = (why: string): Hiding => ({ type: 'shown', why });
  if (process.platform !== 'linux') return shown('this system has no mount namespaces');
  const places = placesBelow(hidden);
  if (places === null) return shown('what the program needs is the whole folder');
  if (!isRoot && becomesRoot())
    return shown('this user can become root without a password, and so can agents');
  if (isRoot && !hasAdministration())
    return shown('root without CAP_SYS_ADMIN cannot make a mount namespace');
  const hasNetwork = hidden.withoutNetwork !== true;
  const namespaces = isRoot ? ['--mount'] : ['--mount', '--user', '--map-current-user', '--keep-caps'];
  const unshare = ['unshare', ...namespaces, ...(hasNetwork ? [] : ['--net'])];
  const values = [realpathSync(hidden.home), stage, cwd, JSON.stringify(hidden.inside)];
  const over = (hidden.over ?? []).flatMap(({ from, to }) => ['--over', from, to]);
  const ways = [isRoot ? 'root' : 'user', hasNetwork ? 'all' : 'none', path, String(readyFile)];
  const cover = ['sh', '-c', COVER, 'mayday-cover', ...values, ...ways, ...over, ...places, '--'];
  const words = ['/usr/bin/env', `PATH=${SYSTEM_PATH}`, ...unshare, ...cover];
  mkdirSync(stage, { recursive: true, mode: 0o700 });
  const [command = '', ...rest] = words;
  const tried = spawnSync(command, [...rest, '/bin/true'], {
    encoding: 'utf8',
    cwd: '/',
    env: {},
    timeout: TRY_TIMEOUT_MS,
  });
  if (tried.status === 0) return { type: 'hidden', words };
  const said = (tried.error?.message ?? tried.stderr ?? '').trim().split('\n')[0] ?? '';
  return shown(said.slice(0, MAX_WHY_CHARS) || `the attempt ended with ${tried.status ?? tried.signal}`);
}

/** Below the home, as paths from there; null: the home itself is among them. */
function placesBelow({ home, show }: HiddenHome): string[] | null {
  const root = realpathSync(home);
  const below = show.flatMap((path) => {
    const inside = relative(root, realOrSame(path));
    return isAbsolute(inside) || inside === '../..' || inside.startsWith('../..') ? [] : [inside];
  });
  return below.includes('') ? null : [...new Set(below)];
}

function realOrSame(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** In a user namespace `sudo` would fail, and work that needs it with it; and whoever has it needs no way around the cover. */
function becomesRoot(): boolean {
  const options = { stdio: 'ignore', timeout: SUDO_TIMEOUT_MS } as const;
  return existsSync(SUDO) && spawnSync(SUDO, ['-n', 'true'], options).status === 0;
}

const SUDO = '/usr/bin/sudo';
const SUDO_TIMEOUT_MS = 3_000;

function hasAdministration(): boolean {
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(readOrNull('/proc/self/status') ?? '')?.[1] ?? '0';
  return (BigInt(`0x${effective}`) & CAP_SYS_ADMIN) !== 0n;
}

const CAP_SYS_ADMIN = 1n << 21n;

/** Where this process finds the home hidden; null: it does not run inside a run, or sees the home itself. */
export function insideNote(home: string): InsideNote | null {
  const text = readOrNull(join(home, INSIDE_FILE));
  return text === null ? null : (JSON.parse(text) as InsideNote);
}

/** Where `hideHome` lays its cover together. */
export function stageIn(attemptDir: string): string {
  return join(attemptDir, 'cover');
}
