/** `mayday holds`: what keeps runs from starting agents, and until when; `holds release ID`: a person's word ends one. */
import { usageError } from '../platform/mayday-error.ts';
import { activeHolds, releaseHold } from '../supervise/active-holds.ts';
import { assertPerson } from '../supervise/assert-person.ts';
import type { Invocation } from './command.ts';
import { userName } from './follow.ts';
import { holdJson, renderHold } from './render/hold.ts';
import { type Opened, withRecord } from './with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  const [verb, id] = invocation.args;
  if (verb !== undefined && (verb !== 'release' || id === undefined))
    throw usageError(
      'WRONG_ARGUMENTS',
      `mayday holds takes nothing or release ID, not ${JSON.stringify(invocation.args.join(' ').slice(0, 40))}`,
      [['do', 'mayday holds lists them with their ids']],
    );
  return withRecord(invocation, async (opened) =>
    id === undefined ? await list(invocation, opened) : await release(invocation, opened, id),
  );
}

async function list({ stdout, json }: Invocation, { record }: Opened): Promise<number> {
  const now = Date.now();
  const holds = await activeHolds(record, now);
  if (json) stdout.write(`${JSON.stringify(holds.map((hold) => holdJson(hold, now)))}\n`);
  else if (holds.length === 0) stdout.write('nothing is held\n');
  else stdout.write(holds.map((hold) => renderHold(hold, now)).join('\n'));
  return 0;
}

export async function release(invocation: Invocation, opened: Opened, id: string): Promise<number> {
  const { env, options, stdout, json } = invocation;
  const now = Date.now();
  const holds = await activeHolds(opened.record, now);
  const hold = holds.find((one) => one.id === id);
  if (hold === undefined)
    throw usageError('UNKNOWN_HOLD', `there is no hold ${JSON.stringify(id.slice(0, 80))}`, [
      [
        'do',
        holds.length === 0
          ? 'nothing is held; mayday ps says what each run waits for'
          : `say which: ${holds.map((one) => one.id).join(', ')}`,
      ],
      ['nothing', 'was released'],
    ]);
  await assertPerson(opened, '`mayday holds release`');
  const note = typeof options['note'] === 'string' ? options['note'] : '';
  await releaseHold(opened.record, hold, { by: userName(env), note, at: now });
  if (json) stdout.write(`${JSON.stringify({ ...holdJson(hold, now), released_by: userName(env) })}\n`);
  else
    stdout.write(
      `released   ${id}: ${hold.waiting.length === 0 ? 'nobody waited for it' : `run ${hold.waiting.join(', ')} may start now`}; recorded as your word\n`,
    );
  return 0;
}
