/** `COVER`: the shell script that makes what a program sees, in a mount namespace of its own, and then becomes the program. */
import { INSIDE_FILE } from './inside-note.ts';

/**
 * With any of these capabilities root could undo the hiding or get around it; each has its number in the kernel. Root keeps those that
 * builds and package managers need.
 */
// biome-ignore format: a table
export const GIVEN_UP = {
  dac_read_search: 2, sys_module: 16, sys_rawio: 17, sys_ptrace: 19, sys_admin: 21, sys_boot: 22, mknod: 27, syslog: 34, perfmon: 38,
  bpf: 39, checkpoint_restore: 40,
} as const;

const BOUNDING_SET = Object.keys(GIVEN_UP)
  .map((name) => `-${name}`)
  .join(',');

/** Root would get back what is inheritable with the program. */
export const ROOT_RIGHTS = `--bounding-set=${BOUNDING_SET} --inh-caps=-all --ambient-caps=-all`;
export const NO_RIGHTS = '--bounding-set=-all --inh-caps=-all --ambient-caps=-all';

/** Becomes the program after it said so; its first word is the file descriptor to say it on. What could not be said is not begun. */
export const BEGIN = 'eval "echo begins >&$0 && exec $0>&-" && exec "$@"';

export const COVER = `set -e
stage=$1 cwd=$2 note=$3 caps=$4 network=$5 path=$6 ready=$7
shift 7
mount -t tmpfs -o mode=755,size=1m mayday "$stage"
printf %s "$note" >"$stage/${INSIDE_FILE}"
while [ "$1" != -- ]; do
  if [ "$1" = --over ]; then mount --bind "$2" "$3"; mount -o remount,bind,ro "$3"; shift 3; continue; fi
  if [ "$1" = --empty ]; then mount -t tmpfs -o mode=700,size=1m mayday "$2"; shift 2; continue; fi
  if [ "$1" = --shut ]; then : >"$stage/shut"; mount --bind "$stage/shut" "$2"; shift 2; continue; fi
  if [ "$1" = --layer ]; then
    mount -t overlay -o "$2" mayday "$3"
    # The kernel makes it with no rights at all; an owner that is not root could not delete it.
    if [ "$caps" = '${NO_RIGHTS}' ]; then chmod 700 "$4/work"; fi
    shift 4; continue
  fi
  if [ "$1" = --memory ]; then mount -t tmpfs -o mode=1777 mayday "$2"; shift 2; continue; fi
  if [ "$1" = --lock ]; then mount -o remount,bind,ro "$2"; shift 2; continue; fi
  if [ "$1" = --put ]; then mount --rbind "$2" "$3"; shift 3; continue; fi
  # --show
  place=$stage/$3
  if [ -d "$2/$3" ]; then mkdir -p "$place"
  else mkdir -p "\${place%/*}"; [ -e "$place" ] || : >"$place"; fi
  mount --bind "$2/$3" "$place"
  shift 3
done
shift
if [ "$network" = none ]; then ip link set lo up; fi
if [ "$caps" = '${ROOT_RIGHTS}' ]; then
  # Its own control group, the settings of the kernel and the raw disks would be ways out.
  while read -r _ _ _ _ point rest; do
    case $rest in *' - cgroup2 '*) mount -o remount,bind,ro "$point" ;; esac
  done </proc/self/mountinfo
  mount -o bind,ro /proc/sys /proc/sys
  for size in /sys/class/block/*/size; do
    disk=\${size%/size}
    disk=/dev/\${disk##*/}
    if [ -b "$disk" ] && read -r blocks <"$size" && [ "$blocks" != 0 ]; then mount --bind /dev/null "$disk"; fi
  done
  for disk in /dev/sg[0-9]* /dev/nvme[0-9] /dev/bsg/*; do
    if [ -c "$disk" ]; then mount --bind /dev/null "$disk"; fi
  done
fi
cd "$cwd"
unset OLDPWD
rights=$(command -v setpriv)
export PATH="$path"
exec "$rights" $caps /bin/sh -c '${BEGIN}' "$ready" "$@"`;
