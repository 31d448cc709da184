/** `startTime`: the milliseconds that a Node program takes from its start to its end; what it prints is thrown away. */
import { spawnSync } from 'node:child_process';

export function startTime(args: readonly string[], env: NodeJS.ProcessEnv): number {
  const begun = performance.now();
  spawnSync(process.execPath, args, { env, stdio: 'ignore' });
  return performance.now() - begun;
}
