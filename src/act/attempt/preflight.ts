/** `preflight`: asks an agent's CLI for its version, and throws for a problem that would otherwise show later as an unclear crash. */
import { existsSync } from 'node:fs';
import type {
  AgentAdapter,
  PreflightProbe,
  PreflightProblem,
  PreflightResult,
} from '../../agents/adapter.ts';
import type { HiddenHome } from '../../platform/container/hide-home.ts';
import { findCommand } from '../../platform/container/startable.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { agentEnvironment } from '../../platform/process/environment.ts';
import { runCommand } from '../../platform/process/run-command.ts';
import type { ActContext } from '../act.ts';

export async function preflight(
  adapter: AgentAdapter,
  command: readonly string[],
  env: ActContext['env'],
  signal: AbortSignal,
  /** An earlier agent may have replaced the program, so it runs without sight of Mayday's own folder. */
  hiding: { readonly hidden?: HiddenHome } = {},
): Promise<{ readonly version: string | null; readonly warnings: readonly PreflightProblem[] }> {
  const probe = adapter.preflight({ command, env });
  if (probe === null) return { version: null, warnings: [] };
  const ran = await runProbe(probe, env, signal, hiding);
  const judged = adapter.judgePreflight({
    ...ran,
    stderr: '',
    present: probe.lookFor.filter((path) => existsSync(path)),
    env,
    platform: process.platform,
  });
  const problem = judged.problems.find(({ severity }) => severity === 'error');
  if (problem !== undefined) {
    const code = problem.code === 'agent_missing' ? 'AGENT_NOT_FOUND' : problem.code.toUpperCase();
    throw new MaydayError(code, problem.message, [['do', problem.advice]]);
  }
  return { version: judged.version, warnings: judged.problems };
}

async function runProbe(
  { argv, program = argv[0] ?? '', timeoutMs }: PreflightProbe,
  given: ActContext['env'],
  signal: AbortSignal,
  hiding: { readonly hidden?: HiddenHome },
): Promise<Pick<PreflightResult, 'spawnError' | 'exitCode' | 'stdout'>> {
  if (findCommand(program, '/', given['PATH'] ?? '') === 'missing')
    return { spawnError: 'ENOENT', exitCode: null, stdout: '' };
  const env = agentEnvironment(given);
  try {
    const { exitCode, output } = await runCommand({ argv, cwd: '/', env, timeoutMs, signal, ...hiding });
    return { spawnError: null, exitCode, stdout: output };
  } catch (error) {
    const spawnError = error instanceof MaydayError ? spawnCode(error) : String(error);
    return { spawnError, exitCode: null, stdout: '' };
  }
}

function spawnCode(error: MaydayError): string {
  return error.code === 'AGENT_NOT_FOUND' ? 'ENOENT' : error.code;
}
