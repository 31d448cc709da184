/** `adoptRun`: takes a run that has no living keeper and keeps it: after its creation, after a crash, after an answer. */
import { uptime } from 'node:os';
import { readRunEnvironment, secretsOf } from '../../act/run-environment.ts';
import type { RunRecord } from '../../record/contract.ts';
import type { ClaimedRun } from '../../record/contract/hosts.ts';
import { createRedactor } from '../../record/redaction/redact.ts';
import { valuesOf } from '../request/given-environment.ts';
import { keep, type KeeperEnd, type KeeperOptions } from '../keeper.ts';
import { ownOwner, isOwnerDead } from './owner.ts';
import { patientRecord } from '../patient-record.ts';
import { type KeptRun, RunJournal } from '../run-journal.ts';
import { isKept } from '../start-keeper.ts';
import { leaveRun, tellLeft } from '../hosts/leave-run.ts';
import { unseenAttempt, unseenError } from '../watch/unseen-attempt.ts';
import { assertOwnJournal } from './assert-own-journal.ts';
import { DEFAULT_POLICY } from '../../core/vocabulary/policy.ts';

export interface AdoptOptions extends Omit<KeptRun, 'journal'>, Pick<KeeperOptions, 'onTurn' | 'tend'> {
  readonly runId: string;
  /** Begin a run that is queued; only workers do. */
  readonly fromQueue?: boolean;
  /** The lease is taken already. `at`: seconds since the boot of the machine when it was asked for. */
  readonly claimed?: ClaimedRun & { readonly at: number };
}

/** Null: another keeper has the run. Throws AGENT_UNSEEN if its agent may run but cannot be seen from here. */
export async function adoptRun(options: AdoptOptions): Promise<KeeperEnd | null> {
  const { home, runId, env, signal, fromQueue, claimed } = options;
  const record = patientRecord(options.record, signal);
  const askedAt = claimed?.at ?? uptime();
  const taken = claimed ?? (await takeFreeRun(home, record, runId));
  if (taken === null) return null;
  // Values that were given to this run alone are redacted like the secrets of the environment.
  let { redactor } = options;
  const journal = await RunJournal.open(record, runId, taken.fence, (value) => redactor.redactDeep(value));
  const given = readRunEnvironment(home, runId);
  const secrets = secretsOf({ ...valuesOf(journal.state.options.environment, env), ...given });
  if (secrets.length > 0) redactor = createRedactor({ environment: env, values: secrets });
  // A takeover needs the fence and this event: with only one of them, an old keeper that wakes up could still write.
  // A run without attempts, a run that has ended and a run that waits for a person had no work to take over.
  const { life, attempts } = journal.state;
  const left = claimed?.left ?? null;
  const idle = life.type === 'ended' || (life.type === 'waiting' && life.for === 'person');
  if (attempts.length > 0 && !idle) {
    await journal.submit({
      type: 'taken_over',
      at: Date.now(),
      from: taken.from ?? 'nobody',
      why: left === null ? 'its keeper was gone' : 'its host was gone',
      ...(left === null ? {} : { host: left }),
    });
  }
  // Runs move only where several hosts share the record.
  const hosts = record.hosts === null ? null : await import('../hosts/moving-run.ts');
  const moving = await hosts?.movingRun({ ...options, record, journal, askedAt, left });
  if (life.type === 'queued' && fromQueue === true)
    await journal.submit({ type: 'work_begun', at: Date.now(), by: ownOwner() });
  const end = await keep({ ...options, record, journal, redactor, moving });
  if (end === 'lease_lost' && moving !== undefined)
    await tellLeft(home, record, await leaveRun(home, record, runId));
  return end;
}

/** Null: another keeper has the run. */
async function takeFreeRun(home: string, record: RunRecord, runId: string) {
  if (await isKept(record, runId)) return null;
  const unseen = await unseenAttempt(home, record, runId);
  if (unseen !== null) throw unseenError(unseen);
  await assertOwnJournal({ home, record }, runId);
  return await takeRun(record, runId, DEFAULT_POLICY.lease_ms);
}

/**
 * Makes this process the owner of a run whose lease is free or has expired, or whose owner was seen dead. Returns the new fence; null
 * while another process owns the run.
 */
export async function takeRun(
  record: RunRecord,
  runId: string,
  ttlMs: number,
): Promise<{ readonly fence: number; readonly from: string | null } | null> {
  const held = await record.lease(runId);
  const dead = held !== null && isOwnerDead(held);
  const fence = await record.acquireLease({
    runId,
    owner: ownOwner(),
    ttlMs,
    ...(dead ? { observedDeadFence: held.fence } : {}),
  });
  return fence === null ? null : { fence, from: held?.owner ?? null };
}
