/** The `setup` command of a workspace or check tree: `npm ci`, `uv sync`... */
import { runCommand } from '../../platform/run-command.ts';
import type { SetupOutcome } from '../workspace/workspace.ts';

const TAIL_CHARACTERS = 4_000;

export async function runSetup(
  command: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<SetupOutcome> {
  const result = await runCommand({
    argv: ['sh', '-c', command],
    cwd,
    env,
    timeoutMs,
    ...(signal === undefined ? {} : { signal }),
  });
  return {
    command,
    exitCode: result.timedOut ? null : result.exitCode,
    durationMs: result.durationMs,
    outputTail: result.output.slice(-TAIL_CHARACTERS),
  };
}
