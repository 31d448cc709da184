/**
 * `SCOPED_COVER`, `mountCall`: what `COVER` does, for root, in one Perl program: a mount takes Perl some microseconds, and a program of its
 * own two milliseconds. Its last step puts the program into a Landlock domain, so that it looks into no process outside.
 */
import { BEGIN, GIVEN_UP, ROOT_RIGHTS } from './cover-script.ts';
import { INSIDE_FILE } from './inside-note.ts';

/** The number of the system call `mount`, for Perl; empty where it is not known: then the program `mount` is called. */
export function mountCall(): string {
  return { x64: '165', arm64: '40' }[process.arch as string] ?? '';
}

/** The numbers of system calls, for Perl; where they are not known, the program `setpriv` gives up the rights of root. */
const CALLS = {
  x64: { prctl: 157, capget: 125, capset: 126 },
  arm64: { prctl: 167, capget: 90, capset: 91 },
}[process.arch as string];
const DROPS_FROM_BOUNDING_SET = 24;
const VERSION_OF_SETS = 0x2008_0522;

/**
 * The kernel lets no process of a Landlock domain look into one outside of it (`/proc/PID/root`, `cwd`, memory), whichever user it becomes.
 * The domain itself forbids as little as there is: abstract sockets of others or, in a kernel before 6.12, making block devices. The
 * numbers 442, 444 and 446 are those of the system calls, alike on every machine. The error of a missing locale would be told as the
 * program's own, so `hideHome` sets PERL_BADLANG. No module is loaded: an agent may have written to where Perl looks for them.
 */
export const SCOPED_COVER = `delete $ENV{PERL_BADLANG};
my ($stage, $cwd, $note, $caps, $network, $path, $ready, $call) = splice @ARGV, 0, 8;
my ($bind, $deep) = (4096, 16384);
# A Perl of 32 bits has other numbers.
$call = "" if length pack("P", 0) != 8;
sub run { system(@_) == 0 or die "@_ failed\\n" }
sub lay {
  my ($what, $place, $type, $flags, $options) = @_;
  if ($call ne "") { return if syscall($call + 0, $what, $place, $type, $flags, $options) == 0; die "mount $place: $!\\n" }
  if ($flags & $bind) { run("mount", $flags & $deep ? "--rbind" : "--bind", $what, $place) }
  else { run("mount", "-t", $type, "-o", $options, $what, $place) }
}
sub bound { lay($_[0], $_[1], "none", $bind, "") }
sub memory { lay("mayday", $_[0], "tmpfs", 0, $_[1]) }
sub lock_up {
  my ($place) = @_;
  my $attributes = pack("Q4", 1, 0, 0, 0);
  run("mount", "-o", "remount,bind,ro", $place) if syscall(442, -100, $place, 0, $attributes, 32) != 0;
}
sub write_to {
  my ($place, $text) = @_;
  open my $file, ">", $place or die "$place: $!\\n";
  print $file $text;
  close $file or die "$place: $!\\n";
}
sub make_folder {
  my ($place) = @_;
  return if -d $place;
  make_folder($1) if $place =~ m{^(.+)/[^/]+$}s;
  mkdir $place or -d $place or die "$place: $!\\n";
}
sub names_in {
  opendir my $folder, $_[0] or return ();
  return grep { !/^\\./ } readdir $folder;
}
memory($stage, "mode=755,size=1m");
write_to("$stage/${INSIDE_FILE}", $note);
for (;;) {
  my $word = shift @ARGV;
  die "no words left\\n" if !defined $word;
  last if $word eq "--";
  my $one = shift @ARGV;
  if ($word eq "--empty") { memory($one, "mode=700,size=1m") }
  elsif ($word eq "--shut") { write_to("$stage/shut", ""); bound("$stage/shut", $one) }
  elsif ($word eq "--memory") { memory($one, "mode=1777") }
  elsif ($word eq "--lock") { lock_up($one) }
  elsif ($word eq "--layer") { my $place = shift @ARGV; shift @ARGV; lay("mayday", $place, "overlay", 0, $one) }
  elsif ($word eq "--over") { my $place = shift @ARGV; bound($one, $place); lock_up($place) }
  elsif ($word eq "--put") { lay($one, shift @ARGV, "none", $bind | $deep, "") }
  elsif ($word eq "--show") {
    my $shown = shift @ARGV;
    my $place = "$stage/$shown";
    if (-d "$one/$shown") { make_folder($place) }
    else {
      make_folder($1) if $place =~ m{^(.+)/[^/]+$}s;
      write_to($place, "") if !-e $place;
    }
    bound("$one/$shown", $place);
  }
  else { die "unknown word $word\\n" }
}
run("ip", "link", "set", "lo", "up") if $network eq "none";
if ($caps eq "${ROOT_RIGHTS}") {
  # Its own control group, the settings of the kernel and the raw disks would be ways out.
  open my $mounts, "<", "/proc/self/mountinfo" or die "mountinfo: $!\\n";
  my @groups = map { / - cgroup2 / ? (split / /)[4] : () } <$mounts>;
  for my $point (@groups) { $point =~ s/\\\\(\\d{3})/chr oct $1/ge; lock_up($point) }
  bound("/proc/sys", "/proc/sys");
  lock_up("/proc/sys");
  for my $name (names_in("/sys/class/block")) {
    next if !-b "/dev/$name" or !open my $size, "<", "/sys/class/block/$name/size";
    my $blocks = <$size>;
    bound("/dev/null", "/dev/$name") if defined $blocks and $blocks != 0;
  }
  for my $name ((grep { /^(?:sg\\d.*|nvme\\d)$/ } names_in("/dev")), map { "bsg/$_" } names_in("/dev/bsg")) {
    bound("/dev/null", "/dev/$name") if -c "/dev/$name";
  }
}
chdir $cwd or die "$cwd: $!\\n";
my $drop = $caps eq "${ROOT_RIGHTS}" && $call ne "" ? "${CALLS?.prctl ?? ''}" : "";
my ($rights) = grep { -x } map { "$_/setpriv" } split /:/, $ENV{PATH};
die "no setpriv\\n" if $drop eq "" and !defined $rights;
my $version = syscall(444, 0, 0, 1);
my $forbids = $version >= 6 ? pack("QQQ", 0, 0, 1) : pack("Q", 1 << 11);
my $domain = syscall(444, $forbids, length $forbids, 0);
die "no Landlock: $!\\n" if $domain < 0 or syscall(446, $domain, 0) != 0;
delete $ENV{OLDPWD};
$ENV{PWD} = $cwd;
$ENV{PATH} = $path;
if ($drop ne "") {
  for my $right (${Object.values(GIVEN_UP).join(', ')}) {
    my $failed = syscall($drop + 0, ${DROPS_FROM_BOUNDING_SET}, $right, 0, 0, 0);
    # 22: the kernel has no such right.
    die "rights: $!\\n" if $failed and $! != 22;
  }
  # Effective, permitted, inheritable; and the upper half of each.
  my ($self, $sets) = (pack("LL", ${VERSION_OF_SETS}, 0), "\\0" x 24);
  die "rights: $!\\n" if syscall(${CALLS?.capget ?? 0}, $self, $sets) != 0;
  my @sets = unpack("L6", $sets);
  @sets[2, 5] = (0, 0);
  $sets = pack("L6", @sets);
  die "rights: $!\\n" if syscall(${CALLS?.capset ?? 0}, $self, $sets) != 0;
  open my $told, ">&=", $ready or die "$ready: $!\\n";
  syswrite $told, "begins\\n" or die "$ready: $!\\n";
  close $told;
  exec { $ARGV[0] } @ARGV or do {
    my $why = $! + 0;
    print STDERR "exec: $ARGV[0]: ", $why == 2 ? "not found" : $!, "\\n";
    exit($why == 2 ? 127 : 126);
  };
}
exec { $rights } $rights, split(" ", $caps), "/bin/sh", "-c", q{${BEGIN}}, $ready, @ARGV or die "$rights: $!\\n"`;
