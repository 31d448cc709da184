/** `hearMail`: submits the mail of a run as facts, one by one. A refused row is journaled and removed; it never stops the keeper. */
import { checkpointFact } from '../../act/checkpoint-fact.ts';
import { listCheckpoints } from '../../act/checkpoint/checkpoint.ts';
import type { Fact } from '../../core/vocabulary/events/event.ts';
import type { RunState } from '../../core/state/run-state.ts';
import { isNotToldApart, proofOf, type Proven } from '../../core/vocabulary/events/word.ts';
import type { MailboxItem } from '../../record/contract/outbox.ts';
import { AGENT_ITSELF, type Word } from './mail.ts';
import { personKeyOrNull } from './person-key.ts';
import type { RunIntake } from '../run-intake.ts';
import type { KeptRun } from '../run-journal.ts';

export async function hearMail(
  { home, journal }: Pick<KeptRun, 'home' | 'journal'>,
  intake: RunIntake,
  items: readonly MailboxItem[],
): Promise<void> {
  const { runId } = journal.state;
  if (items.length === 0) return;
  const key = personKeyOrNull(home);
  // Most runs get no mail.
  const { readMail } = await import('./read-mail.ts');
  for (const { id, body } of items) {
    const at = Date.now();
    const acknowledged = [id];
    const mail = readMail(body, { runId, key, heard: journal.state.nonces });
    switch (mail.type) {
      case 'refused': {
        const { named, why } = mail;
        await intake.submit({ type: 'forgery_refused', at, what: 'mail', named, why }, { acknowledged });
        break;
      }
      case 'agent_flag':
        await intake.submit(
          { type: 'flag_raised', at, by: AGENT_ITSELF, reason: mail.reason },
          { acknowledged },
        );
        break;
      case 'word': {
        const { word, letter } = mail;
        if (isNotToldApart(word.type, journal.state)) {
          const forgery = { what: 'mail', named: word.type, why: 'not_told_apart' } as const;
          await intake.submit({ type: 'forgery_refused', at, ...forgery }, { acknowledged });
          break;
        }
        const { nonce, at: signedAt, mac } = letter;
        const late: Fact = {
          type: 'word_came_late',
          at,
          word: word.type,
          by: 'by' in word ? word.by : 'a person',
          nonce,
        };
        const seal = { at: signedAt, mac };
        const proven: Proven = { proof: proofOf(journal.state.attempts), nonce, seal };
        const fact = await factOf(home, journal.state, word);
        if (fact === null) await intake.submit(late, { acknowledged });
        else await intake.submit({ ...fact, ...proven, at }, { acknowledged, otherwise: late });
      }
    }
  }
}

type WithoutTime<T> = T extends unknown ? Omit<T, 'at'> : never;

/** Null: the word is about a checkpoint that is not there. */
async function factOf(home: string, state: RunState, word: Word): Promise<WithoutTime<Fact> | null> {
  if (word.type !== 'checkpoint_taken') return word;
  const { runId, attempts } = state;
  const taken = (await listCheckpoints({ home, runId })).find(({ number }) => number === word.number);
  return taken === undefined
    ? null
    : { type: 'checkpoint_taken', attempt: attempts.length, checkpoint: checkpointFact(taken) };
}
