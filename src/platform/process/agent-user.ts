/**
 * `findUser`, `userWords`, `giveTo`, `assertReaches`: let a program of root run as an ordinary user of this machine. It owns the folders
 * that it works in, and has none of root's rights.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { usageError } from '../mayday-error.ts';
import { SYSTEM_PATH } from './system-program.ts';

export interface AgentUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
  readonly shell: string;
}

/** The first number of people's accounts; those below belong to services. */
const FIRST_PERSON = 1000;
const NOBODY = 65_534;

function users(): AgentUser[] {
  if (!existsSync('/etc/passwd')) return [];
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 7)
    .map(([name = '', , uid, gid, , home = '', shell = '']) => ({
      name,
      uid: Number(uid),
      gid: Number(gid),
      home,
      shell: shell.trim(),
    }));
}

/** An account of this machine by its name; refuses one that is not there, or has root's rights. */
export function findUser(name: string): AgentUser {
  const user = users().find((one) => one.name === name);
  if (user !== undefined && user.uid !== 0 && process.getuid?.() === 0) return user;
  const asked = `--as-user ${JSON.stringify(name.slice(0, 80))}`;
  if (process.getuid?.() !== 0)
    throw usageError('USER_NEEDS_ROOT', `${asked}: only root can start an agent as another user`, [
      ['do', 'leave it out: agents run as you, without rights of root'],
    ]);
  throw usageError('USER_UNKNOWN', `${asked} is ${user === undefined ? 'no user of this machine' : 'root'}`, [
    ['do', 'name an ordinary user in /etc/passwd (useradd --create-home agent)'],
  ]);
}

/** The user to propose to root: the first account of a person, else nobody. */
export function proposedUser(): string | null {
  if (process.getuid?.() !== 0) return null;
  const all = users();
  const person = all.find(({ uid, home }) => uid >= FIRST_PERSON && uid !== NOBODY && existsSync(home));
  return (person ?? all.find(({ uid }) => uid === NOBODY))?.name ?? null;
}

/** The options of `setpriv` for the user: no right of root is left, and no setuid program gives one back. */
export function userRights({ uid, gid }: AgentUser): string {
  return `--reuid=${uid} --regid=${gid} --init-groups --no-new-privs --bounding-set=-all --inh-caps=-all`;
}

/** The words to put before a program of the user. */
export function userWords(user: AgentUser): readonly string[] {
  return ['/usr/bin/env', `PATH=${SYSTEM_PATH}`, 'setpriv', ...userRights(user).split(' ')];
}

/**
 * Gives the folders and what is in them to the user. A file with a second name is left alone: the other name could be a system file. No
 * link is followed.
 */
export function giveTo({ uid, gid }: AgentUser, folders: readonly string[]): void {
  const there = folders.filter((path) => existsSync(path));
  if (there.length === 0) return;
  const test = ['!', '-user', String(uid), '(', '-type', 'd', '-o', '-links', '1', ')'];
  const args = [...there, ...test, '-execdir', 'chown', '-h', `${uid}:${gid}`, '{}', '+'];
  spawnSync('find', args, { env: { PATH: SYSTEM_PATH }, stdio: 'ignore' });
}

/** Refuses a folder that the user cannot enter: its agent would fail there with puzzling words. */
export function assertReaches(user: AgentUser, folders: readonly string[]): void {
  for (const folder of folders) {
    if (isTrueFor(user, 'test -x "$1"', [folder])) continue;
    throw usageError('USER_CANNOT_REACH', `user ${user.name} cannot enter ${folder}`, [
      ['do', 'set MAYDAY_HOME and keep the repository where this user may enter (chmod o+x, /srv, /var/lib)'],
    ]);
  }
}

/** Runs a shell line as the user. */
export function isTrueFor(user: AgentUser, line: string, values: readonly string[]): boolean {
  const [command = '', ...rest] = [...userWords(user), 'sh', '-c', line, 'sh', ...values];
  return spawnSync(command, rest, { env: {}, cwd: '/', stdio: 'ignore' }).status === 0;
}
