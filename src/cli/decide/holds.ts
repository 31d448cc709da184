/** `mayday holds`: lists what keeps runs from starting agents, and until when. `holds release ID`, or `release ID`, ends one hold. */
import { usageError } from '../../platform/mayday-error.ts';
import { activeHolds } from '../../supervise/active-holds.ts';
import type { Caller } from '../../use-cases/caller.ts';
import { releaseHold } from '../../use-cases/steer/release-hold.ts';
import type { Invocation } from '../command.ts';
import { textOf } from '../option-values.ts';
import { holdJson } from '../../report/hold-json.ts';
import { renderHold } from '../render/hold.ts';
import { clockTime } from '../render/time.ts';
import { granted } from '../../use-cases/refusal-error.ts';
import { print } from '../print.ts';
import { type Opened, withRecord } from '../with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  const [verb, id] = invocation.args;
  if (verb !== undefined && (verb !== 'release' || id === undefined))
    throw usageError(
      'WRONG_ARGUMENTS',
      `mayday holds takes nothing or release ID, not ${JSON.stringify(invocation.args.join(' ').slice(0, 40))}`,
      [['do', 'mayday holds lists them with their ids']],
    );
  return withRecord(invocation, async (opened) =>
    id === undefined ? await list(invocation, opened) : await releaseNamedHold(invocation, opened, id),
  );
}

async function list(invocation: Invocation, { record }: Opened): Promise<number> {
  const now = Date.now();
  const holds = await activeHolds(record, now);
  const documents = holds.map((hold) => holdJson(hold, now, clockTime));
  const text = holds.map((hold) => renderHold(hold, now)).join('\n');
  return print(invocation, documents, text || 'nothing is held\n');
}

export function releaseById(invocation: Invocation): Promise<number> {
  return withRecord(invocation, (opened) => releaseNamedHold(invocation, opened, invocation.args[0] ?? ''));
}

async function releaseNamedHold(invocation: Invocation, caller: Caller, id: string): Promise<number> {
  const note = textOf(invocation, 'note') ?? '';
  const { hold, at } = granted(await releaseHold(caller, { id, note }));
  const document = { ...holdJson(hold, at, clockTime), released_by: caller.by };
  const stays = new Map(document.staying.map(({ run: runId, waits }) => [runId, waits]));
  const free = hold.waiting.filter((runId) => !stays.has(runId));
  const start = [
    ...(hold.waiting.length === 0 ? ['no run waited for it'] : []),
    ...(free.length === 0 ? [] : [`run ${free.join(', ')} may start now`]),
    ...[...stays].map(([runId, waits]) => `run ${runId} still waits for ${waits}`),
  ].join('; ');
  return print(invocation, document, `released   ${id}: ${start}; recorded as your word\n`);
}
