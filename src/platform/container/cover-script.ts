/** `COVER`: the shell script that makes what a program sees, in a mount namespace of its own, and then becomes the program (`BEGIN`). */
import { INSIDE_FILE } from './inside-note.ts';

/** With any of these capabilities root could undo the hiding or get around it. Root keeps those that builds and package managers need. */
const GIVEN_UP =
  '-dac_read_search,-sys_module,-sys_rawio,-sys_ptrace,-sys_admin,-sys_boot,-mknod,-syslog,-perfmon,-bpf,-checkpoint_restore';

/** Root would get back what is inheritable with the program. */
export const ROOT_RIGHTS = `--bounding-set=${GIVEN_UP} --inh-caps=-all --ambient-caps=-all`;
export const NO_RIGHTS = '--bounding-set=-all --inh-caps=-all --ambient-caps=-all';

/** Becomes the program after it said so on file 3, which the program does not get. What could not be said is not begun. */
export const BEGIN = 'echo begins >&3 && exec 3>&- && exec "$@"';

/**
 * The kernel lets no process of a Landlock domain look into one outside of it (`/proc/PID/root`, `cwd`, memory), whichever user it becomes.
 * The domain itself forbids as little as there is: abstract sockets of others or, in a kernel before 6.12, making block devices. The
 * numbers 444 and 446 are those of the system calls, alike on every machine. The error of a missing locale would be taken for one of the
 * program: so Perl is called with PERL_BADLANG=0. It loads no module: an agent may have written to where Perl looks for them.
 */
const ENTER_DOMAIN = `delete $ENV{PERL_BADLANG};
my $forbids = syscall(444, 0, 0, 1) >= 6 ? pack("QQQ", 0, 0, 1) : pack("Q", 1 << 11);
my $domain = syscall(444, $forbids, length $forbids, 0);
die "no Landlock: $!\\n" if $domain < 0 or syscall(446, $domain, 0) != 0;
exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!\\n"`;

export const COVER = `set -e
stage=$1 cwd=$2 note=$3 caps=$4 network=$5 path=$6 scope=$7
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
  if [ "$1" = --pin ]; then mount --bind "$2" "$2"; shift 2; continue; fi
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
  # Its own control group, the settings and probes of the kernel and the raw disks would be ways out.
  while read -r _ _ _ _ point rest; do
    case $rest in
      *' - cgroup2 '*) mount -o remount,bind,ro "$point" ;;
      *' - tracefs '* | *' - debugfs '*) mount -t tmpfs -o ro tmpfs "$point" ;;
    esac
  done </proc/self/mountinfo
  mount -o bind,ro /proc/sys /proc/sys
  for size in /sys/class/block/*/size; do
    disk=\${size%/size}
    disk=/dev/\${disk##*/}
    if [ -b "$disk" ] && read -r blocks <"$size" && [ "$blocks" != 0 ]; then mount --bind /dev/null "$disk"; fi
  done
  for disk in /dev/sg[0-9]* /dev/nvme[0-9]* /dev/ng[0-9]* /dev/bsg/*; do
    if [ -c "$disk" ]; then mount --bind /dev/null "$disk"; fi
  done
fi
cd "$cwd"
unset OLDPWD
rights=$(command -v setpriv)
set -- "$rights" $caps /bin/sh -c '${BEGIN}' sh "$@"
if [ "$scope" = scoped ]; then
  perl=$(command -v perl)
  set -- "$perl" -e '${ENTER_DOMAIN}' "$@"
  export PERL_BADLANG=0
fi
export PATH="$path"
exec "$@"`;
