/**
 * `writeRunEnvironment`, `readRunEnvironment`, `runEnvironment`, `eraseRunEnvironment`: keep the variables that a person gave to one
 * run by value. They are in a 0600 file of the run, which is erased when the run ends, and in no journal.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileDurably } from '../platform/file/durable-write.ts';
import { readState } from '../platform/file/plain-file.ts';
import { isSecretName } from '../record/redaction/secret-context.ts';
import type { ActContext } from './act.ts';
import { agentUser } from './hidden-from.ts';
import { runDir } from './run-files.ts';

/** Linux allows about this much environment for a program. */
const MAX_BYTES = 2 * 1024 * 1024;
const Values = z.record(z.string(), z.string());

export type GivenValues = Readonly<Record<string, string>>;

export async function writeRunEnvironment(home: string, runId: string, values: GivenValues): Promise<void> {
  if (Object.keys(values).length > 0)
    await writeFileDurably(environmentPath(home, runId), JSON.stringify(values), { mode: 0o600 });
}

export function readRunEnvironment(home: string, runId: string): GivenValues {
  return readState(Values, environmentPath(home, runId), MAX_BYTES) ?? {};
}

/**
 * The person's environment with the given values: for the agent, the checks and the setup of this run, not for Mayday's own commands.
 * Another user has a home of its own, and none of root's folders for sessions and temporary files.
 */
export function runEnvironment(context: Pick<ActContext, 'home' | 'state' | 'env'>): NodeJS.ProcessEnv {
  const { home, state, env } = context;
  const given = readRunEnvironment(home, state.runId);
  const user = agentUser(state);
  if (user === null) return { ...env, ...given };
  const kept = Object.entries(env).filter(
    ([name]) => !name.startsWith('XDG_') && !/^(?:TMPDIR|TMP|TEMP)$/.test(name),
  );
  const own = { HOME: user.home, USER: user.name, LOGNAME: user.name, SHELL: user.shell };
  return { ...Object.fromEntries(kept), ...own, ...given };
}

export function eraseRunEnvironment(home: string, runId: string): void {
  rmSync(environmentPath(home, runId), { force: true });
}

/**
 * The values that must never be stored. A variable with the name of a secret counts with any value. Of the other variables, a value
 * that is common in texts (`debug`, `production`, `8080`) is no secret, and redacting it would damage honest output.
 */
export function secretsOf(values: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(values).flatMap(([name, value = '']) =>
    isSecretName(name) || (value.length >= MIN_UNNAMED_CHARS && !PLAIN.test(value)) ? [value] : [],
  );
}

const MIN_UNNAMED_CHARS = 8;
const PLAIN = /^(?:[a-z]{1,20}|[\d.:]+|[/~.][\w./-]*)$/i;

function environmentPath(home: string, runId: string): string {
  return join(runDir(home, runId), 'environment.json');
}
