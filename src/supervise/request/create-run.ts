/** `createRun`: creates a run in the record under a new name. The process that creates it owns it until a keeper takes over. */
import { randomInt } from 'node:crypto';
import { MaydayError, usageError } from '../../platform/mayday-error.ts';
import type { RunRecord } from '../../record/contract.ts';
import type { Redactor } from '../../record/redaction/redact.ts';
import { ownOwner } from '../lease/owner.ts';
import { RunJournal } from '../run-journal.ts';
import type { RunCreated } from './run-spec.ts';

/** No vowels and no letters that look alike: a name can be said over the phone, and it spells no word. */
const LETTERS = 'bcdfghjkmnpqrstvwxz23456789';
const NAME_LENGTH = 4;
const TRIES = 20;

export function newRunId(): string {
  return Array.from(
    { length: NAME_LENGTH },
    (_, index) => LETTERS[randomInt(index === 0 ? 19 : LETTERS.length)],
  ).join('');
}

/** A name that a person gave: part of a branch, of folders and of a shell line. `NAME-wip` is the branch of an abandoned run. */
export function assertRunName(name: string): void {
  if (/^[a-z][a-z0-9-]{0,39}$/.test(name) && !/(?:-|-wip)$/.test(name)) return;
  throw usageError('BAD_RUN_NAME', `${JSON.stringify(name.slice(0, 80))} cannot be the name of a run`, [
    [
      'do',
      'take a letter, then letters, digits and single dashes, 40 at most; no capitals, no -wip at the end',
    ],
  ]);
}

/** `spec` may depend on the name, e.g. for the branch; `name` is tried first, and nothing else where a person gave it. */
export async function createRun(
  record: RunRecord,
  redactor: Redactor,
  spec: (runId: string) => Promise<RunCreated>,
  name = newRunId(),
  isGiven = false,
): Promise<RunJournal> {
  for (let tries = 0; ; tries += 1) {
    const runId = tries === 0 ? name : newRunId();
    const fact = await spec(runId);
    const lease = { owner: ownOwner(), ttlMs: fact.policy.lease_ms };
    try {
      return await RunJournal.create(record, runId, fact, lease, (value) => redactor.redactDeep(value));
    } catch (error) {
      if (!(error instanceof MaydayError) || error.code !== 'RUN_EXISTS' || isGiven || tries >= TRIES)
        throw error;
    }
  }
}
