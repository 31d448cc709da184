/** Checks are `sh -c` strings that Mayday runs itself, one after the other, in a prepared tree. */
import { runCommand } from '../../platform/run-command.ts';
import { checkVariants } from './check-variants.ts';
import { type CheckTreeSpec, prepareCheckTree } from './prepare-check-tree.ts';

export interface CheckOutcome {
  readonly command: string;
  readonly exitCode: number | null;
  readonly passed: boolean;
  readonly timedOut: boolean;
  readonly durationMs: number;
  /** SHA-256 of all output, also of what is left out below. */
  readonly outputHash: string;
  /** Bounded: beginning and end. */
  readonly output: string;
  readonly outputTail: string;
  readonly tree: string;
  readonly variant: 'candidate' | 'base';
}

/** Enough to diagnose from: the beginning and the end of a long log. */
const OUTPUT_LIMIT_BYTES = 256 * 1024;
/** What a person reads and a journal keeps. */
const TAIL_CHARACTERS = 4_000;

export async function runChecks(spec: {
  readonly commands: readonly string[];
  readonly path: string;
  readonly tree: string;
  readonly variant: 'candidate' | 'base';
  /** From `agentEnvironment`: without Mayday's own programs on the PATH. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}): Promise<CheckOutcome[]> {
  const outcomes: CheckOutcome[] = [];
  for (const command of spec.commands) {
    const result = await runCommand({
      argv: ['sh', '-c', command],
      cwd: spec.path,
      env: spec.env,
      timeoutMs: spec.timeoutMs,
      outputLimitBytes: OUTPUT_LIMIT_BYTES,
      ...(spec.signal === undefined ? {} : { signal: spec.signal }),
    });
    outcomes.push({
      command,
      exitCode: result.exitCode,
      passed: result.exitCode === 0 && !result.timedOut,
      timedOut: result.timedOut,
      durationMs: result.durationMs,
      outputHash: result.outputHash,
      output: result.output,
      outputTail: result.output.slice(-TAIL_CHARACTERS),
      tree: spec.tree,
      variant: spec.variant,
    });
  }
  return outcomes;
}

export interface VerifySpec extends CheckTreeSpec {
  readonly commands: readonly string[];
  readonly ownedPaths: readonly string[];
  readonly timeoutMs: number;
}

/** Every check in every variant of the candidate; the core compares them. */
export async function verifyTree(spec: VerifySpec): Promise<CheckOutcome[]> {
  const outcomes: CheckOutcome[] = [];
  for (const variant of await checkVariants(spec)) {
    const { path, tree } = await prepareCheckTree({ ...spec, tree: variant.tree });
    const { commands, env, timeoutMs, signal } = spec;
    outcomes.push(
      ...(await runChecks({ commands, path, tree, variant: variant.name, env, timeoutMs, signal })),
    );
  }
  return outcomes;
}
