/** `mayday run --as-user`: root keeps the run, and its agent and checks are an ordinary user without any right of root. */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Box, inBox } from './box.ts';

const isRoot = process.getuid?.() === 0;
/** Root as in most containers: it cannot make a mount namespace. */
const IN_CONTAINER = 'setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin';

interface Document {
  readonly state: string;
  readonly isolation: Record<string, unknown>;
  readonly questions: unknown[];
}

/** The agent does the work, and writes down what it could do that only root, Mayday or another run may do. */
function agent(box: Box): string {
  const tries: Readonly<Record<string, string>> = {
    key: `cat ${box.home}/keys/person.key`,
    record: `cat ${box.home}/record.db`,
    list: `ls ${box.home} | grep record.db`,
    plant: `touch ${box.home}/planted`,
    'exit note': `ls ${box.home}/runs/*/attempts/*/attendant.json`,
    system: 'test -w /etc/passwd || test -w /usr/bin',
    'branch of the person': `git -C ${box.repository} update-ref refs/heads/main HEAD~0 0000000000000000000000000000000000000000 || touch ${box.repository}/.git/refs/heads/x`,
    hooks: `touch ${box.repository}/.git/hooks/pre-commit`,
    rights: `test "$(grep CapBnd /proc/self/status | cut -f2 | tr -d 0)" != ''`,
    'control group': `for g in $(grep -o '/[^ ]* cgroup2' /proc/self/mounts | cut -d' ' -f1); do echo $$ > $g/cgroup.procs && exit 0; done; exit 1`,
  };
  const lines = Object.entries(tries).map(
    ([name, line]) => `if (${line}) >/dev/null 2>&1; then echo '${name}' >> $out; fi`,
  );
  return `out=$PWD/a; id -un > $out; git status --short >> $out || exit 9\n${lines.join('\n')}`;
}

async function supervised(box: Box, before: string): Promise<Document> {
  mkdirSync(join(box.home, 'keys'), { recursive: true, mode: 0o700 });
  writeFileSync(join(box.home, 'keys/person.key'), `${'5'.repeat(64)}\n`, { mode: 0o600 });
  writeFileSync(join(box.folder, 'agent.sh'), agent(box));
  const check = 'test "$(id -un)" = nobody && test -s a && touch "$TMPDIR/x" built';
  const { stdout, stderr } = await box.shell(
    `chmod 755 .; cd repository; exec ${before} ${process.execPath} ${box.bin} run --json --as-user nobody \
      --check '${check}' 'write a' -- sh ${box.folder}/agent.sh`,
  );
  expect(stdout, stderr).toContain('"run_id"');
  return JSON.parse(stdout) as Document;
}

const delivered = (box: Box, run: Document): string => {
  expect(run, JSON.stringify(run.questions)).toMatchObject({ state: 'delivered' });
  return box.git('show', `${box.git('branch', '--list', 'mayday/*', '--format=%(refname)').trim()}:a`);
};

describe.skipIf(!isRoot)('an agent of root that is to be nobody', () => {
  it('does its work as nobody, with no right of root, and neither home nor git of root within reach', () =>
    inBox(async (box) => {
      const run = await supervised(box, '');
      expect(delivered(box, run)).toBe('nobody\n?? a\n');
      expect(run.isolation).toMatchObject({
        home_hidden: true,
        as_root: false,
        as_user: 'nobody',
        not_contained: [],
      });
    }));

  it('cannot read the home where no mount namespace hides it, and the document says how it was closed', () =>
    inBox(async (box) => {
      const run = await supervised(box, IN_CONTAINER);
      expect(delivered(box, run)).toBe('nobody\n?? a\n');
      expect(run.isolation).toMatchObject({
        home_hidden: true,
        as_root: false,
        home: expect.stringContaining('closed: agents and checks run as another user'),
        not_contained: expect.arrayContaining([expect.stringContaining("other runs' workspaces")]),
      });
      expect(existsSync(join(box.home, 'planted'))).toBe(false);
      expect((await box.call('verify')).stdout).toMatch(/^all holds: 1 run, \d+ checkpoint/);
    }));

  it('a check whose program lies where nobody may not go is told with that folder, before any agent starts', () =>
    inBox(async (box) => {
      const closed = join(box.folder, 'closed');
      mkdirSync(closed, { mode: 0o700 });
      writeFileSync(join(closed, 'tool'), '#!/bin/sh\n', { mode: 0o755 });
      symlinkSync(join(closed, 'tool'), join(box.repository, 'run'));
      box.git('add', 'run');
      box.git('commit', '--quiet', '--message', 'run');
      const { stdout } = await box.shell(
        `chmod 755 .; cd repository; exec ${process.execPath} ${box.bin} run --json --as-user nobody --check ./run 'write a' -- touch a`,
      );
      const { attempts, questions } = JSON.parse(stdout) as { attempts: []; questions: { text: string }[] };
      expect(attempts).toEqual([]);
      expect(questions[0]?.text).toContain(
        `the user “nobody” may not enter ${closed}, and ./run needs ${closed}/tool`,
      );
      expect(questions[0]?.text).not.toContain('mayday.yaml');
    }));

  it('is said in the first lines, and proposed by doctor to a root that does not use it', () =>
    inBox(async (box) => {
      const told = (await box.call('doctor')).stdout;
      expect(told).toMatch(/hidden, but as root: .*\n +do .*mayday run --as-user \w+/);
      const asRoot = await box.call('run', '--sink', 'none', 'x', '--', 'touch', 'a');
      expect(asRoot.stdout).toMatch(/not contained: the agent ran as root/);
      box.policy({});
      writeFileSync(join(box.home, 'mayday.yaml'), 'as_user: nobody\n');
      const doctor = (await box.call('doctor')).stdout;
      expect(doctor).toMatch(/✓ home +hidden: /);
      expect(doctor).toContain('An agent runs as nobody');
      await box.shell('chmod 755 .');
      const asUser = await box.call('run', '--sink', 'none', 'x', '--', 'touch', 'a');
      expect(asUser.stdout).toMatch(/user +the agent runs as nobody/);
      expect(asUser.stdout).not.toContain('the agent ran as root');
    }));

  it.each([
    ['a name that is not there', ['--as-user', 'no-such-user'], 'USER_UNKNOWN'],
    ['root itself', ['--as-user', 'root'], 'USER_UNKNOWN'],
    ['a folder that stays the person’s', ['--as-user', 'nobody', '--in-place'], 'USER_NEEDS_WORKTREE'],
    ['a home that the user cannot enter', ['--as-user', 'nobody'], 'USER_CANNOT_REACH'],
  ])('is refused before anything is written for %s', (_, words, code) =>
    inBox(async (box) => {
      const said = await box.call('run', ...words, 'x', '--', 'touch', 'a');
      expect([said.exitCode, said.stderr]).toEqual([2, expect.stringContaining(code)]);
      expect(existsSync(join(box.home, 'work'))).toBe(false);
    }),
  );
});

describe.skipIf(!isRoot)('an ordinary user', () => {
  it('cannot ask for another one', () =>
    inBox(async (box) => {
      const said = await box.shell(
        `chown -R 65534:65534 . && cd repository && exec setpriv --reuid=65534 --regid=65534 --clear-groups \
          ${process.execPath} ${box.bin} run --as-user daemon x -- touch a`,
      );
      expect([said.exitCode, said.stderr]).toEqual([2, expect.stringContaining('USER_NEEDS_ROOT')]);
    }));
});
