/**
 * `erase`: deletes the payload of one ledger record for good (`mayday ledger erase RUN@SEQ --note`). The chain still holds and names the
 * person.
 */
import { usageError } from '../../platform/mayday-error.ts';
import { eraseEvidence } from '../../supervise/erase-evidence.ts';
import type { Invocation } from '../command.ts';
import { userName } from '../../use-cases/caller.ts';
import type { Opened } from '../with-record.ts';

export async function erase(
  opened: Opened,
  { args, options, env, json, stdout }: Invocation,
): Promise<number> {
  const note = typeof options['note'] === 'string' ? options['note'].trim() : '';
  if (note === '')
    throw usageError('NOTE_MISSING', 'erasing evidence needs its reason', [
      ['did', 'nothing: no record was erased'],
      ['do', 'mayday ledger erase RUN@SEQ --note "a token was in it"'],
    ]);
  const name = args[1] ?? '';
  const { ledgerId, run, seq, by } = await eraseEvidence(opened.record, {
    name,
    by: userName(env),
    note,
    at: Date.now(),
  });
  stdout.write(
    json
      ? `${JSON.stringify({ ledger_id: ledgerId, run_id: run, seq, by, note, erased: true })}\n`
      : [
          `erased the payload of ${ledgerId}; the chain still holds (mayday verify)\n`,
          'the journal may hold the same words: if a secret leaked, change the secret\n',
        ].join(''),
  );
  return 0;
}
