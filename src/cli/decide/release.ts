/** `mayday release ID`: the short form of `mayday holds release ID`. */
import type { Invocation } from '../command.ts';
import { releaseNamedHold } from './holds.ts';
import { withRecord } from '../with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, (opened) => releaseNamedHold(invocation, opened, invocation.args[0] ?? ''));
}
