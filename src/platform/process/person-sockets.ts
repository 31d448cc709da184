/**
 * `personSockets`: the folders with the sockets of terminal servers (tmux, screen, zellij). Such a server runs outside a run whatever it is
 * told through its socket, so programs of a run find these folders empty. They may start a server of their own there.
 */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export function personSockets(env: NodeJS.ProcessEnv = process.env): string[] {
  const uid = process.getuid?.() ?? 0;
  const tmux = join(env['TMUX_TMPDIR'] || '/tmp', `tmux-${uid}`);
  try {
    // As tmux makes it: the person may start a server while an agent works.
    if (!existsSync(tmux)) mkdirSync(tmux, { mode: 0o700 });
  } catch {
    // Then no server can be there either.
  }
  const runtime = env['XDG_RUNTIME_DIR'] ?? `/run/user/${uid}`;
  const screens = ['/run/screen', '/tmp/screens', '/tmp/uscreens'].map((path) =>
    join(path, `S-${env['USER'] ?? ''}`),
  );
  const others = [join(homedir(), '.screen'), join(runtime, 'zellij'), `/tmp/zellij-${uid}`];
  return [tmux, ...screens, ...others].filter((path) => isOwn(path, uid));
}

function isOwn(path: string, uid: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === uid;
}
