/** `killingGit`: a git for the PATH that counts its calls and, at the n-th, kills the process that called it or is killed itself. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const GIT = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();

const KILL_CALLER = 'kill -9 $PPID; exit 1';
const KILLS = {
  caller: KILL_CALLER,
  'caller afterwards': `'${GIT}' "$@"; ${KILL_CALLER}`,
  itself: 'kill -9 $$',
  'itself and each after it': 'kill -9 $$',
};

export function killingGit(
  folder: string,
  n: number,
  kills: keyof typeof KILLS = 'caller',
): { readonly PATH: string; readonly calls: () => number } {
  const bin = join(folder, `bin-${n}`);
  const count = join(folder, `count-${n}`);
  mkdirSync(bin);
  const script = `#!/bin/sh
echo x >> '${count}'
if [ "$(wc -l < '${count}')" ${kills === 'itself and each after it' ? '-ge' : '-eq'} ${n} ]; then ${KILLS[kills]}; fi
exec '${GIT}' "$@"
`;
  writeFileSync(join(bin, 'git'), script, { mode: 0o755 });
  const calls = () => (existsSync(count) ? readFileSync(count, 'utf8').split('\n').length - 1 : 0);
  return { PATH: `${bin}:${process.env['PATH'] ?? ''}`, calls };
}
