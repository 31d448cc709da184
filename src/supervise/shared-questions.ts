/** `sharedQuestions`: the questions whose one answer serves several runs, by their id, with what the words for all of them need. */
import { hostname } from 'node:os';
import { ANY_LOGIN, loginOf } from '../agents/credentials.ts';
import type { AskedForAll, RefusedLogin } from '../core/view/words-for-all.ts';
import { accountHeld } from '../core/fleet/account-held.ts';
import { holdWords } from '../core/fleet/hold-words.ts';
import type { Hold } from '../core/vocabulary/hold.ts';
import type { RunRecord } from '../record/contract.ts';
import { activeHolds } from './active-holds.ts';

export async function sharedQuestions(
  record: RunRecord,
  now: number,
): Promise<ReadonlyMap<string, AskedForAll>> {
  const shared = new Map<string, AskedForAll>();
  for (const { hold, waiting, staying, question } of await activeHolds(record, now)) {
    const runs = [...new Set([hold.holder, ...waiting])];
    if (question === null || runs.length < 2) continue;
    shared.set(question, {
      asker: hold.holder,
      runs,
      staying: staying.map(({ runId, holds }) => ({ run: runId, waits: holds.map(holdWords) })),
      login: await loginAsked(record, hold, runs),
    });
  }
  return shared;
}

async function loginAsked(
  record: RunRecord,
  { kind, key }: Hold,
  runs: readonly string[],
): Promise<RefusedLogin | null> {
  const whose = kind === 'login' ? accountHeld(key) : null;
  if (whose === null) return null;
  const login = loginOf(whose.agent, []);
  return {
    ...whose,
    command: login.renewedBy ?? null,
    keys: login === ANY_LOGIN ? [] : login.keys,
    hosts: await hostNames(record, runs),
  };
}

async function hostNames({ hosts }: RunRecord, runs: readonly string[]): Promise<readonly string[]> {
  if (hosts === null) return [hostname()];
  const places = await Promise.all(runs.map((runId) => hosts.placeOf(runId)));
  const ids = new Set(places.map((place) => place?.host));
  return (await hosts.hosts()).filter(({ id }) => ids.has(id)).map(({ name }) => name);
}
