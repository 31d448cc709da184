/** What Mayday starts for a run has its standard input, output and errors, and no other file that was open before. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { HAS_PROC } from '../../src/platform/process/proc-table.ts';
import { inBox } from './box.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const USERS = isRoot
  ? [
      { who: 'root', as: '' },
      { who: 'an ordinary user', as: `setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups` },
    ]
  : [{ who: 'this user', as: '' }];
const CASES = USERS.flatMap((user) => [
  { ...user, home: 'hidden', hideHome: 1 },
  { ...user, home: 'in sight', hideHome: 0 },
]);

/** The files of the shell itself, seen by a child of it; `true` keeps the shell from becoming that child. */
const list = (to: string) => `(ls /proc/$$/fd > ${to}); true`;

it.skipIf(!HAS_PROC).each(CASES)(
  'agent, check and set-up of $who get no file but their three; home $home',
  ({ as, hideHome }) =>
    inBox(async (box) => {
      for (const folder of ['home', 'user', 'tmp']) mkdirSync(join(box.folder, folder));
      const setup = join(box.folder, 'set-up');
      const config = `policy: { hide_home: ${hideHome} }\nsetup: ${list(setup)}\n`;
      writeFileSync(join(box.home, 'mayday.yaml'), config);
      writeFileSync(join(box.folder, 'pipe'), '');
      if (as !== '') execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, box.folder]);
      const check = `${list('$TMPDIR/check')}; cmp $TMPDIR/check agent`;
      const agent = list('agent');
      // Node closes the lowest ones itself.
      const { stdout, stderr } = await box.shell(
        `exec bash -c 'exec 8>pipe 20>pipe 251>pipe; cd repository; export HOME=${box.folder}/user TMPDIR=${box.folder}/tmp;
          exec ${as} ${process.execPath} ${box.bin} run --json --check "$1" x -- sh -c "$2"' bash '${check}' '${agent}'`,
      );
      expect(stdout, stderr).toContain('"run_id"');
      const run = JSON.parse(stdout) as { readonly state: string; readonly run_id: string };
      expect(run.state, stderr).toBe('delivered');
      const delivered = execFileSync(
        'git',
        ['-c', 'safe.directory=*', 'show', `mayday/${run.run_id}:agent`],
        {
          cwd: box.repository,
          encoding: 'utf8',
        },
      );
      const three = '0\n1\n2\n';
      expect([delivered, readFileSync(setup, 'utf8')]).toEqual([three, three]);
    }),
);
