/**
 * `sharedQuestions`: the questions whose one answer serves several runs, by their id, with what the words for all of them need.
 * `accountHeld`: whose login or limit a hold is about.
 */
import { loginOf } from '../agents/credentials.ts';
import type { AskedForAll } from '../core/view/words-for-all.ts';
import type { Hold } from '../core/vocabulary/hold.ts';
import type { RunRecord } from '../record/contract.ts';
import { activeHolds } from './active-holds.ts';

export async function sharedQuestions(
  record: RunRecord,
  now: number,
): Promise<ReadonlyMap<string, AskedForAll>> {
  const shared = (await activeHolds(record, now)).flatMap(({ hold, waiting, question }) => {
    const runs = [...new Set([hold.holder, ...waiting])];
    return question === null || runs.length < 2
      ? []
      : ([[question, { asker: hold.holder, runs, login: loginAsked(hold) }]] as const);
  });
  return new Map(shared);
}

/** An account without a name is known by a hash of its environment, which tells a person nothing. */
const HASHED = /^[0-9a-f]{16}$/;

/** Whose login or limit a hold is about, as its key tells. */
export function accountHeld(key: string): { readonly agent: string; readonly account: string | null } {
  const [, agent = '', account = ''] = key.split(':');
  return { agent, account: account === '' || HASHED.test(account) ? null : account };
}

function loginAsked({ kind, key }: Hold): AskedForAll['login'] {
  if (kind !== 'login') return null;
  const whose = accountHeld(key);
  return { ...whose, command: loginOf(whose.agent, []).renewedBy ?? null };
}
