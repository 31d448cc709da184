/**
 * `ReadyCover`, `READY_COVER`: the program of `SCOPED_COVER`, started before it is known what it covers and for which program. It waits in
 * the control group of that program, and becomes it (decision 41).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { SYSTEM_PATH, systemProgram } from '../process/system-program.ts';
import { lookAt, identify, isDead } from '../process/process-identity.ts';
import { type AttendantPlan, spoolPaths } from './attempt-files.ts';
import { cgroupPathFor, moveInto, removeCgroup } from './cgroup.ts';
import { canCover, type ScopedWords } from './hide-home.ts';
import { MARKER_VARIABLE } from './process-group.ts';
import { mountCall, SCOPED_COVER } from './scoped-cover.ts';
import { witnessPath } from './witness.ts';

/** Where it says that the program begins. */
const READY_FILE = 3;
/** For all mounts below: no later change is shared with those outside. */
const SHARES_NOTHING = 16_384 | 262_144;
/** A named pipe that only its owner opens. */
const PIPE = 0o10600;

/** The numbers of the system calls, for Perl. */
const CALLS = { x64: { unshare: 272, mknodat: 259 }, arm64: { unshare: 97, mknodat: 33 } }[
  process.arch as string
];

/**
 * It is told first where a witness is to be made: a start of `mkfifo` takes the attendant 5 ms. Its order is a list of texts behind their
 * number, each with a NUL behind it. What its starter did not write to the end, because it was killed, is no order. Perl itself starts
 * without the variables of the program.
 */
export const READY_COVER = `{
  local $/ = "\\0";
  die "another Perl\\n" if length pack("P", 0) != 8;
  my $place = <STDIN> // exit 1;
  chomp $place;
  # Where this fails, the attendant makes it.
  syscall(${CALLS?.mknodat}, -100, $place, ${PIPE}, 0) if $place ne "";
  undef $/;
  my ($count, @told) = split /\\0/, <STDIN> // "", -1;
  exit 1 if !defined $count or @told != $count + 1;
  pop @told;
  my ($in, $out, $err, $witness, $apart, $variables) = splice @told, 0, 6;
  %ENV = (splice(@told, 0, $variables), PATH => "${SYSTEM_PATH}");
  @ARGV = @told;
  $ARGV[6] = ${READY_FILE};
  our $held;
  # The program gets the witness, and no other file that is opened here.
  if ($witness ne "") { local $^F = 9; open $held, "+<", $witness or die "$witness: $!\\n" }
  open STDIN, "<", $in or die "$in: $!\\n";
  open STDOUT, ">>", $out or die "$out: $!\\n";
  if ($err eq "") { open STDERR, ">&STDOUT" or die "$out: $!\\n" }
  else { open STDERR, ">>", $err or die "$err: $!\\n" }
  syscall(${CALLS?.unshare}, $apart + 0) == 0 or die "unshare: $!\\n";
  my ($none, $root) = ("none", "/");
  syscall($ARGV[7] + 0, $none, $root, $none, ${SHARES_NOTHING}, $none) == 0 or die "mount /: $!\\n";
}
${SCOPED_COVER}`;

export class ReadyCover {
  /** Null where this machine or this user needs another cover, or none can be started. */
  static start(): ReadyCover | null {
    const perl = systemProgram('perl');
    if (CALLS === undefined || mountCall() === '' || !canCover() || !existsSync(perl)) return null;
    const child = startWaiting(perl);
    if (child === null) return null;
    child.on('error', () => undefined);
    // It was killed while it waited: then the program is started without it.
    child.stdin?.on('error', () => undefined);
    return child.pid === undefined ? null : new ReadyCover(child, child.pid);
  }

  readonly #child: ChildProcess;
  readonly #pid: number;
  #group = '';
  #path: string | null = null;

  private constructor(child: ChildProcess, pid: number) {
    this.#child = child;
    this.#pid = pid;
  }

  /** By the name of the group; empty: none. Makes the witness of the attempt meanwhile. */
  enter(group: string, attemptDir: string): void {
    this.#child.stdin?.write(`${witnessPath(attemptDir)}\0`);
    this.#path = group === '' ? null : cgroupPathFor('', group);
    try {
      if (this.#path !== null) moveInto(this.#path, this.#pid);
      this.#group = group;
    } catch {
      // The plan names a group in which it is not.
    }
  }

  /** One that ended meanwhile would begin nothing. */
  fits({ hidden, level, group }: AttendantPlan): boolean {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return false;
    return hidden !== null && (level !== 'cgroup' || (group !== '' && group === this.#group));
  }

  /** Becomes the program of the plan. */
  begin(attemptDir: string, plan: AttendantPlan, scoped: ScopedWords, hasWitness: boolean): ChildProcess {
    const { stdout, stderr } = spoolPaths(attemptDir);
    for (const path of plan.mergeOutput ? [stdout] : [stdout, stderr]) closeSync(openSync(path, 'a', 0o600));
    this.#child.stdin?.end(coverOrder(attemptDir, plan, scoped, hasWitness));
    return this.#child;
  }

  /** Nothing was begun. Its group is empty when this returns. */
  end(): void {
    const self = identify(this.#pid);
    this.#child.kill('SIGKILL');
    const deadline = performance.now() + END_MS;
    while (self !== null && !isDead(lookAt(self)) && performance.now() < deadline)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    if (this.#path !== null) removeCgroup(this.#path);
  }
}

/** Null where the system has no memory for it, or does not allow it. */
function startWaiting(perl: string): ChildProcess | null {
  try {
    return spawn(perl, ['-e', READY_COVER], {
      cwd: '/',
      // The empty marker: it may become a program with one, of the same name.
      env: { PATH: SYSTEM_PATH, PERL_BADLANG: '0', [MARKER_VARIABLE]: '' },
      stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
      detached: true,
    });
  } catch {
    return null;
  }
}

export function coverOrder(
  attemptDir: string,
  { argv, env, stdinFile, mergeOutput }: AttendantPlan,
  { apart, words }: ScopedWords,
  hasWitness: boolean,
): string {
  const { stdout, stderr } = spoolPaths(attemptDir);
  const variables = Object.entries(env).flat();
  const told = [
    stdinFile ?? '/dev/null',
    stdout,
    mergeOutput ? '' : stderr,
    hasWitness ? witnessPath(attemptDir) : '',
    String(apart),
    String(variables.length),
    ...variables,
    ...words,
    ...argv,
  ];
  return [told.length, ...told, ''].join('\0');
}

/** A killed process ends within milliseconds. */
const END_MS = 1_000;
