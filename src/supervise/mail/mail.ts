/**
 * `postWord`, `postAgentFlag`: send mail to a run that the sender does not own. A person may say a closed list of words; each is signed
 * with the person's key over the run, the word, the time and a number used once. The only unsigned letter is the flag, which an agent
 * may raise on its own run: it can only pause the work and ask a person.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { FactOf } from '../../core/vocabulary/events/event.ts';
import type { Facts } from '../../core/vocabulary/events/facts.ts';
import type { RunRecord } from '../../record/contract.ts';
import { personKey } from './person-key.ts';

type Saying = Pick<
  Facts,
  | 'agent_declared_gone'
  | 'stop_requested'
  | 'resume_requested'
  | 'flag_raised'
  | 'accept_requested'
  | 'abandon_requested'
  | 'run_removed'
  | 'question_answered'
  | 'rescue_requested'
  | 'mission_enriched'
  | 'checkpoint_restored'
  | 'work_salvaged'
> & {
  /** Only the number comes by mail: the keeper reads the checkpoint itself. */
  readonly checkpoint_taken: { readonly number: number };
};

/** What may come by mail. */
export type Word = {
  [K in keyof Saying]: { readonly type: K } & Omit<Saying[K], 'proof' | 'nonce'>;
}[keyof Saying];

export interface Letter {
  /** The word as JSON, exactly as it was signed. */
  readonly word: string;
  readonly at: number;
  readonly nonce: string;
  readonly mac: string;
}

/** The name of an agent that raises the flag on its own run. */
export const AGENT_ITSELF = 'the agent itself';

const NONCE_BYTES = 16;

/** Signs a person's word and puts it into the mailbox of the run. */
export async function postWord(
  { home, record }: { readonly home: string; readonly record: RunRecord },
  runId: string,
  word: Word,
): Promise<void> {
  const at = Date.now();
  const nonce = randomBytes(NONCE_BYTES).toString('hex');
  // The record redacts secrets. The letter is redacted before it is signed, so that the signature fits what is stored.
  const unsigned = JSON.parse(
    record.redacted(JSON.stringify({ word: JSON.stringify(word), at, nonce })),
  ) as Omit<Letter, 'mac'>;
  const letter: Letter = { ...unsigned, mac: macOf(personKey(home), runId, unsigned) };
  await record.post(runId, JSON.stringify(letter));
}

/** Puts the agent's own flag into the mailbox, unsigned: the agent has no key and needs none. */
export async function postAgentFlag(record: RunRecord, runId: string, reason: string): Promise<void> {
  const word: Word = { type: 'flag_raised', by: AGENT_ITSELF, reason };
  await record.post(runId, JSON.stringify({ word: JSON.stringify(word) }));
}

export function macOf(key: Buffer, runId: string, { word, at, nonce }: Omit<Letter, 'mac'>): string {
  return createHmac('sha256', key)
    .update(JSON.stringify(['mayday mail 1', runId, word, at, nonce]))
    .digest('hex');
}

/** Whether a person signed the word of the event. The signed word is the event without the fields that the keeper added. */
export function isSignedWord(
  key: Buffer | null,
  runId: string,
  event: FactOf<'question_answered' | 'accept_requested'>,
): boolean {
  const { proof: _, nonce, seal, at: __, chance: ___, ...word } = event as typeof event & { chance?: string };
  if (key === null || nonce === undefined || seal === undefined) return false;
  return macOf(key, runId, { word: JSON.stringify(word), at: seal.at, nonce }) === seal.mac;
}
