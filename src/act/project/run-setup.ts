/** `runSetup`: runs the setup command of a workspace or check tree, for example `npm ci` or `uv sync`. */
import type { HiddenHome } from '../../platform/container/hide-home.ts';
import { runCommand } from '../../platform/process/run-command.ts';
import type { EquipSpec } from './equip-tree.ts';
import type { SetupOutcome } from '../workspace/workspace.ts';

const TAIL_CHARACTERS = 4_000;

export async function runSetup(
  command: string,
  cwd: string,
  { env, hidden, setupTimeoutMs, signal }: Pick<EquipSpec, 'env' | 'hidden' | 'setupTimeoutMs' | 'signal'>,
): Promise<SetupOutcome> {
  const result = await runCommand({
    argv: ['sh', '-c', command],
    cwd,
    env,
    timeoutMs: setupTimeoutMs,
    // Setup needs the network to install, also where checks have none.
    ...(hidden === undefined
      ? {}
      : { hidden: { ...hidden, show: [cwd], owns: [cwd], withoutNetwork: false, ...keptLayers(hidden) } }),
    ...(signal === undefined ? {} : { signal }),
  });
  return {
    command,
    exitCode: result.timedOut ? null : result.exitCode,
    durationMs: result.durationMs,
    outputTail: result.output.slice(-TAIL_CHARACTERS),
  };
}

/** What it brings into a cache is there for the checks. */
function keptLayers({ layers = [] }: HiddenHome): Pick<HiddenHome, 'layers'> {
  return { layers: layers.map((layer) => ({ ...layer, keeps: true })) };
}
