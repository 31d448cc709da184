/** `sharedQuestions`: the questions whose one answer serves several runs, by their id, with what the words for all of them need. */
import { loginOf } from '../agents/credentials.ts';
import type { AskedForAll } from '../core/view/words-for-all.ts';
import { accountHeld } from '../core/fleet/account-held.ts';
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

function loginAsked({ kind, key }: Hold): AskedForAll['login'] {
  const whose = kind === 'login' ? accountHeld(key) : null;
  if (whose === null) return null;
  const { agent, account } = whose;
  return { agent, account, command: loginOf(agent, []).renewedBy ?? null };
}
