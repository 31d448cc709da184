/** Variables that a person gave to one run by value: a 0600 file of the run, erased when the run ends. They are in no journal. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileDurably } from '../platform/file/durable-write.ts';
import { readPlainJson } from '../platform/file/plain-file.ts';
import { isSecretName } from '../record/redaction/secret-context.ts';
import { runDir } from './run-files.ts';

/** As much as an environment may hold. */
const MAX_BYTES = 2 * 1024 * 1024;
const Values = z.record(z.string(), z.string());

export type GivenValues = Readonly<Record<string, string>>;

export async function writeRunEnvironment(home: string, runId: string, values: GivenValues): Promise<void> {
  if (Object.keys(values).length > 0)
    await writeFileDurably(environmentPath(home, runId), JSON.stringify(values), { mode: 0o600 });
}

export function readRunEnvironment(home: string, runId: string): GivenValues {
  return Values.safeParse(readPlainJson(environmentPath(home, runId), MAX_BYTES)).data ?? {};
}

/** The person's environment as the agent, the checks and the setup of this run may see it; Mayday's own commands do not. */
export function withGivenValues(home: string, runId: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, ...readRunEnvironment(home, runId) };
}

export function eraseRunEnvironment(home: string, runId: string): void {
  rmSync(environmentPath(home, runId), { force: true });
}

/**
 * What must never be stored. A secret by its name may be short; of other names, a value that any text could hold
 * (`debug`, `production`, `8080`) is no secret, and hiding it would damage honest output.
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
