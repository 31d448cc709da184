/**
 * Mail to a run that the sender does not own. What may be said is a closed list of a person's words; each is signed with
 * the person's key over the run, the words, the time and a number used once. The one unsigned letter is the flag, which an agent may raise
 * on its own run: all it can do is pause the work and ask a person.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { Fact } from '../../core/vocabulary/event.ts';
import type { Facts } from '../../core/vocabulary/facts.ts';
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
> & {
  /** The keeper reads the checkpoint itself; its number is all it takes from others. */
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

/** How an agent is named that raises the flag on its own run. */
export const AGENT_ITSELF = 'the agent itself';

const NONCE_BYTES = 16;

/** A person's word into the mailbox of a run. */
export async function postWord(
  { home, record }: { readonly home: string; readonly record: RunRecord },
  runId: string,
  word: Word,
): Promise<void> {
  const at = Date.now();
  const nonce = randomBytes(NONCE_BYTES).toString('hex');
  // The record keeps no secret: what it would hide is hidden before it is signed.
  const unsigned = JSON.parse(
    record.redacted(JSON.stringify({ word: JSON.stringify(word), at, nonce })),
  ) as Omit<Letter, 'mac'>;
  const letter: Letter = { ...unsigned, mac: macOf(personKey(home), runId, unsigned) };
  await record.post(runId, JSON.stringify(letter));
}

/** The agent's own flag: it has no key and needs none. */
export async function postAgentFlag(record: RunRecord, runId: string, reason: string): Promise<void> {
  const word: Word = { type: 'flag_raised', by: AGENT_ITSELF, reason };
  await record.post(runId, JSON.stringify({ word: JSON.stringify(word) }));
}

export function macOf(key: Buffer, runId: string, { word, at, nonce }: Omit<Letter, 'mac'>): string {
  return createHmac('sha256', key)
    .update(JSON.stringify(['mayday mail 1', runId, word, at, nonce]))
    .digest('hex');
}

/** Whether a person said it: the word as it was signed is the event without what the keeper added to it. */
export function isSignedWord(
  key: Buffer | null,
  runId: string,
  event: Extract<Fact, { type: 'question_answered' | 'accept_requested' }>,
): boolean {
  const { proof: _, nonce, seal, at: __, chance: ___, ...word } = event as typeof event & { chance?: string };
  if (key === null || nonce === undefined || seal === undefined) return false;
  return macOf(key, runId, { word: JSON.stringify(word), at: seal.at, nonce }) === seal.mac;
}
