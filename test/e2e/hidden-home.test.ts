/** Agents and checks do not see Mayday's own folder, however they look for it; honest work goes on as before. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Box, inBox } from './box.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const canHide =
  isRoot &&
  execFileSync('sh', ['-c', 'unshare --mount true && setpriv --bounding-set=-sys_admin true; echo $?'])
    .toString()
    .trim() === '0';

function ofProcesses(line: string): string {
  return `for p in /proc/[0-9]*; do ${line} && exit 0; done; exit 1`;
}

/**
 * Root becomes the user of each process that runs outside as somebody else, steps into what that process sees, and is root again there: it
 * reads the key, or moves itself into another control group.
 */
function steppedIn(deed: string): string {
  const step = `my ($u, $g, $at) = @ARGV; $) = qq($g $g); $> = $u; chdir $at or exit 1; $> = 0; exit !(${deed})`;
  return ofProcesses(
    `u=$(stat -c %u $p) && [ "$u" != 0 ] && perl -e '${step}' "$u" $(stat -c %g $p) $p/root`,
  );
}

/** Each line tries one way to what is hidden and, where it worked, names it in `found`. */
function thief(box: Box): string {
  const key = `${box.home}/keys/person.key`;
  const tries: Readonly<Record<string, string>> = {
    path: `cat ${key}`,
    record: `ls ${box.home}/record.db`,
    'working folder': 'cat ../../keys/person.key || cat /proc/self/cwd/../../keys/person.key',
    'other run': `cat ${box.home}/work/other/secret`,
    'exit file': `ls ${box.home}/runs/*/attempts/*/attendant.json`,
    write: `touch ${box.home}/planted`,
    'roots of processes': ofProcesses(`cat $p/root${key}`),
    'folders of processes': ofProcesses('cat $p/cwd/../../keys/person.key'),
    'environment of processes': `cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -F MAYDAY_HOME=${box.home}`,
    nsenter: `for p in 1 $PPID; do nsenter -t $p -m cat ${key} && exit 0; done; exit 1`,
    unmount: `umount ${box.home} && cat ${key}`,
    'user namespace': `unshare -Urm sh -c 'umount -l ${box.home}; cat ${key}'`,
    'bind of the parent': `unshare -Urm sh -c 'mkdir -p /tmp/x; mount --bind ${box.folder} /mnt; cat /mnt/home/keys/person.key'`,
    // Only root may try these at all.
    'process of another user': steppedIn(`open F, q(.${key})`),
    'control group of another process': steppedIn(
      'grep { open F, qq(>$_/cgroup.procs) and syswrite F, $$ } glob q(sys/fs/cgroup{,/unified})',
    ),
    disk: 'test "$(for d in /sys/class/block/*; do head -c 1 /dev/$(basename $d); done | wc -c)" -gt 0',
    'control group': `for g in $(grep -o '/[^ ]* cgroup2' /proc/self/mounts | cut -d' ' -f1); do echo $$ > $g/cgroup.procs && exit 0; done; exit 1`,
    kernel: 'echo core > /proc/sys/kernel/core_pattern',
  };
  return Object.entries(tries)
    .map(([name, line]) => `if (${line}) >/dev/null 2>&1; then echo '${name}' >> ${box.folder}/found; fi`)
    .join('\n');
}

/** What agents do all day. */
const HONEST = `set -e
printf 'work\\n' > a && git add a && git -c user.name=T -c user.email=t@localhost commit -qm work
mkdir -p "$HOME/.cache/tool" && touch "$HOME/.cache/tool/x"
head -c 1 "$MAYDAY_BRIEF" > /dev/null
echo '{"completed": ["a"], "created_files": ["a"], "next_actions": []}' > "$MAYDAY_CHECKPOINT"
mkfifo "$TMPDIR/pipe" && (echo answer > "$TMPDIR/pipe" &) && test "$(cat "$TMPDIR/pipe")" = answer
sh -c 'exit 0' & wait $!`;

interface Document {
  readonly state: string;
  readonly attempts: { readonly home_hidden: boolean }[];
}

/** A program outside, as a database or a bus is. */
function startService(): void {
  const as = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
  const service = spawn('setpriv', [...as, 'sleep', '1000'], { cwd: '/', stdio: 'ignore' });
  onTestFinished(() => void service.kill());
}

async function supervised(box: Box, user: number, agent: string): Promise<Document> {
  for (const folder of ['home/work/other', 'home/keys', 'user', 'tmp'])
    mkdirSync(join(box.folder, folder), { recursive: true });
  writeFileSync(join(box.home, 'work/other/secret'), 'x');
  writeFileSync(join(box.home, 'keys/person.key'), `${'5'.repeat(64)}\n`);
  writeFileSync(join(box.folder, 'agent.sh'), agent);
  writeFileSync(join(box.folder, 'found'), '');
  if (user !== 0) execFileSync('chown', ['-R', `${user}:${user}`, box.folder]);
  const script = [
    `exec ${user === 0 ? '' : `setpriv --reuid=${user} --regid=${user} --clear-groups`} ${process.execPath} ${box.bin}`,
    `run --json --check 'test -f a && ! ls ${box.home}/record.db' 'write a' -- sh ${box.folder}/agent.sh`,
  ].join(' ');
  const { stdout, stderr } = await box.shell(
    `cd repository; export HOME=${box.folder}/user TMPDIR=${box.folder}/tmp; ${script}`,
  );
  expect(stdout, stderr).toContain('"run_id"');
  return JSON.parse(stdout) as Document;
}

describe.skipIf(!canHide)('with a mount namespace', () => {
  it.each([
    ['root', 0],
    ['an ordinary user', NOBODY],
  ])('an agent of %s finds nothing of the home, by any way, and does its honest work', (_, user) =>
    inBox(async (box) => {
      startService();
      const run = await supervised(box, user, `${thief(box)}\n${HONEST}`);
      expect(readFileSync(join(box.folder, 'found'), 'utf8')).toBe('');
      expect(run).toMatchObject({ state: 'delivered', attempts: [{ home_hidden: true }] });
    }),
  );

  it('checks run with the settings and the temporary folder that the agent could not write', () =>
    inBox(async (box) => {
      box.policy({ restarts: 0 });
      for (const folder of ['user', 'tmp']) mkdirSync(join(box.folder, folder));
      writeFileSync(join(box.folder, 'user/.npmrc'), '; mine\n');
      writeFileSync(join(box.repository, 'package.json'), '{"scripts":{"test":"exit 7"}}\n');
      box.git('add', '--all');
      box.git('commit', '-qm', 'project');
      const agent = 'echo a > a; echo script-shell=/bin/true > "$HOME/.npmrc"; touch "$TMPDIR/planted"';
      const call = (check: string) => ['run', '--json', '--check', check, 'x', '--', 'sh', '-c', agent];
      const env = { HOME: join(box.folder, 'user'), TMPDIR: join(box.folder, 'tmp') };
      const forged = await box.start(call('npm test --silent'), { env }).done;
      expect(forged.exitCode, forged.stdout).toBe(3);
      writeFileSync(join(box.folder, 'user/.npmrc'), '; mine\n');
      const honest = 'grep -q mine "$HOME/.npmrc" && test -z "$(ls -A "$TMPDIR")" && touch "$TMPDIR/x"';
      expect((await box.start(call(honest), { env }).done).exitCode).toBe(0);
    }));

  it('the same agent finds the home where policy shows it, and the run says that it was not hidden', () =>
    inBox(async (box) => {
      box.policy({ hide_home: 0, restarts: 0 });
      const run = await supervised(box, NOBODY, `${thief(box)}\n${HONEST}`);
      const found = readFileSync(join(box.folder, 'found'), 'utf8').trim().split('\n');
      expect(found).toEqual(
        expect.arrayContaining(['path', 'record', 'working folder', 'other run', 'exit file', 'write']),
      );
      expect(run).toMatchObject({ attempts: [{ home_hidden: false }] });
    }));
});
