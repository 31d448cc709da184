/** `createRun`: creates a run in the record under a new name. The process that creates it owns it until a keeper takes over. */
import { MaydayError } from '../../platform/mayday-error.ts';
import type { RunRecord } from '../../record/contract.ts';
import type { Redactor } from '../../record/redaction/redact.ts';
import { ownOwner } from '../lease/owner.ts';
import { RunJournal } from '../run-journal.ts';
import { newRunId } from './run-name.ts';
import type { RunCreated } from './run-spec.ts';

const TRIES = 20;

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
