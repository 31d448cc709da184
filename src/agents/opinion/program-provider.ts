/**
 * `commandProvider`, `cliProvider`: programs that are asked: the prompt on standard input, the reply on standard output. Each runs in an
 * empty folder of its own that is deleted afterwards, under the cover of agents where the caller has one.
 */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { oneLine } from '../../core/text/quote-fenced.ts';
import type { OpinionChoice } from '../../core/vocabulary/opinion.ts';
import type { HiddenHome } from '../../platform/container/hide-home.ts';
import { findCommand } from '../../platform/container/startable.ts';
import { writeFileWhole } from '../../platform/file/durable-write.ts';
import { removeFolder } from '../../platform/file/remove-folder.ts';
import { agentEnvironment } from '../../platform/process/environment.ts';
import { runCommand } from '../../platform/process/run-command.ts';
import { temporaryFolder } from '../../platform/storage-error.ts';
import type { AgentAdapter, Environment } from '../adapter.ts';
import { documentedVariables } from '../credentials.ts';
import type { OpinionProvider } from './ask-opinion.ts';
import type { OpinionCall, OpinionPlan } from './opinion-call.ts';
import { readReply } from './read-reply.ts';

/** What the programs of a run, or of a person's command, get. */
export interface Surroundings {
  readonly env: Environment;
  /** Names of variables that pass besides the common ones. */
  readonly passed: readonly string[];
  /** Where a program of a `command` starts; null: in the empty folder. */
  readonly cwd: string | null;
  readonly cover: (folder: string) => { readonly hidden?: HiddenHome };
}

/** A reply and the events around it; the end of a longer output, where the reply stands, is kept. */
const OUTPUT_BYTES = 1_000_000;
/** The asker's own deadline comes first. */
const TIMEOUT_MS = 600_000;
const REASON_CHARS = 160;

export function commandProvider(line: string, { env, passed, cwd, cover }: Surroundings): OpinionProvider {
  const words = line.split(/\s+/);
  return {
    name: 'command',
    ask: async (prompt, signal) =>
      await inFolder(async (folder) => {
        const given = agentEnvironment(env, [...passed, ...documentedVariables(words)]);
        const plan = { argv: ['sh', '-c', line], env: {}, passEnv: [], files: [] };
        const output = await replyOf(plan, given, {
          prompt,
          folder,
          cwd: cwd ?? folder,
          signal,
          ...cover(folder),
        });
        return { text: output, costUsd: null, tokens: null };
      }),
  };
}

export function cliProvider(
  { name, command, model }: Extract<OpinionChoice, { type: 'agent' }>,
  adapter: Pick<AgentAdapter, 'reader'>,
  call: OpinionCall,
  { env, passed, cover }: Surroundings,
): OpinionProvider {
  return {
    name,
    ask: async (prompt, signal) =>
      await inFolder(async (folder) => {
        const plan = call.plan({ command, model, folder, env });
        const given = agentEnvironment(env, [...passed, ...plan.passEnv]);
        const output = await replyOf(plan, given, { prompt, folder, cwd: folder, signal, ...cover(folder) });
        return readReply(output, adapter, call);
      }),
  };
}

interface Running {
  readonly prompt: string;
  readonly folder: string;
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly hidden?: HiddenHome;
}

/** Errors go to a file, so that they cannot stand in the middle of the reply. */
const APART = 'exec "$@" 2>"$0"';

async function replyOf(
  { argv, env, files, links = [] }: OpinionPlan,
  given: Record<string, string>,
  { prompt, folder, cwd, signal, hidden }: Running,
): Promise<string> {
  const [program = ''] = argv;
  if (findCommand(program, cwd, given['PATH'] ?? '') !== 'found') throw new Error(`${program} was not found`);
  for (const { path, content } of files) await writeFileWhole(path, content);
  for (const { path, to } of links) {
    mkdirSync(dirname(path), { recursive: true });
    if (existsSync(to)) symlinkSync(to, path);
  }
  const errors = join(folder, 'errors.txt');
  const { exitCode, timedOut, output } = await runCommand({
    argv: ['sh', '-c', APART, errors, ...argv],
    cwd,
    env: { ...given, ...env },
    timeoutMs: TIMEOUT_MS,
    outputLimitBytes: OUTPUT_BYTES,
    input: prompt,
    temporary: folder,
    hidden,
    signal,
  });
  if (output.trim() === '') {
    const why = oneLine(textOf(errors).trim().split('\n').at(-1) ?? '').slice(0, REASON_CHARS);
    throw new Error(
      timedOut
        ? 'it did not end'
        : `no output, exit code ${exitCode ?? 'none'}${why === '' ? '' : `: ${why}`}`,
    );
  }
  return output;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

async function inFolder<Value>(ask: (folder: string) => Promise<Value>): Promise<Value> {
  const folder = temporaryFolder('mayday-opinion-');
  try {
    return await ask(folder);
  } finally {
    await removeFolder(folder);
  }
}
