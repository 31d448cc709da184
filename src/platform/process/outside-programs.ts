/**
 * `personSockets`: where programs of the person listen that start whatever they are told (tmux, screen, zellij, the D-Bus session with
 * systemd). They run outside a run, so programs of a run do not reach them; they may start a server of their own.
 * `openDoors`: the programs of that kind which stay in reach, because work needs them: docker and its like.
 */
import { accessSync, constants, existsSync, mkdirSync, statSync, type Stats } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type AgentUser, isTrueFor } from './agent-user.ts';

export interface PersonSockets {
  /** Folders that programs of a run find empty. */
  readonly emptied: readonly string[];
  /** Sockets through which they reach no server. */
  readonly shut: readonly string[];
}

export function personSockets(env: NodeJS.ProcessEnv = process.env): PersonSockets {
  const uid = process.getuid?.() ?? 0;
  const runtime = runtimeFolder(env);
  const tmux = join(env['TMUX_TMPDIR'] || '/tmp', `tmux-${uid}`);
  try {
    // As tmux makes it: the person may start a server while an agent works.
    if (!existsSync(tmux)) mkdirSync(tmux, { mode: 0o700 });
  } catch {
    // Then no server can be there either.
  }
  const screens = ['/run/screen', '/tmp/screens', '/tmp/uscreens'].map((path) =>
    join(path, `S-${env['USER'] ?? ''}`),
  );
  const others = [join(homedir(), '.screen'), `/tmp/zellij-${uid}`];
  const folders = [tmux, ...screens, ...others, join(runtime, 'zellij'), join(runtime, 'systemd')];
  const buses = [join(runtime, 'bus'), unixPath(env['DBUS_SESSION_BUS_ADDRESS'], 'unix:path=')];
  return {
    emptied: folders.filter((path) => isOwn(path, uid, 'isDirectory')),
    shut: [...new Set(buses)].filter((path) => isOwn(path, uid, 'isSocket')),
  };
}

/** Names, for example `docker`. An agent that reaches one of them can start a process that sees everything. */
export function openDoors(user: AgentUser | null, env: NodeJS.ProcessEnv = process.env): string[] {
  const runtime = runtimeFolder(env);
  const sockets: readonly (readonly [string, string])[] = [
    ['docker', '/run/docker.sock'],
    ['docker', join(runtime, 'docker.sock')],
    ['docker', unixPath(env['DOCKER_HOST'], 'unix://')],
    ['podman', '/run/podman/podman.sock'],
    ['podman', join(runtime, 'podman/podman.sock')],
    ['containerd', '/run/containerd/containerd.sock'],
    ['lxd', '/var/lib/lxd/unix.socket'],
    ['lxd', '/var/snap/lxd/common/lxd/unix.socket'],
    ['incus', '/var/lib/incus/unix.socket'],
  ];
  return [...new Set(sockets.filter(([, path]) => isOpenTo(user, path)).map(([name]) => name))];
}

function isOpenTo(user: AgentUser | null, path: string): boolean {
  try {
    if (!statSync(path).isSocket()) return false;
    if (user !== null) return isTrueFor(user, 'test -w "$1"', [path]);
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function runtimeFolder(env: NodeJS.ProcessEnv): string {
  return env['XDG_RUNTIME_DIR'] || `/run/user/${process.getuid?.() ?? 0}`;
}

/** The path in an address like `unix:path=/run/user/1000/bus,guid=...`. */
function unixPath(address: string | undefined, scheme: string): string {
  return address?.startsWith(scheme) ? (address.slice(scheme.length).split(/[,;]/)[0] ?? '') : '';
}

function isOwn(path: string, uid: number, kind: 'isDirectory' | 'isSocket'): boolean {
  const found: Stats | undefined = statSync(path, { throwIfNoEntry: false });
  return found?.[kind]() === true && found.uid === uid;
}
