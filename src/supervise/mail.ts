/** Words of other processes to a run that they do not own. */
import type { Fact } from '../core/event.ts';
import type { MailboxItem } from '../record/contract.ts';

export type Mail = Extract<
  Fact,
  {
    type:
      | 'stop_requested'
      | 'resume_requested'
      | 'flag_raised'
      | 'accept_requested'
      | 'abandon_requested'
      | 'question_answered'
      | 'rescue_requested'
      | 'mission_enriched'
      | 'checkpoint_restored'
      | 'checkpoint_taken';
  }
>;

type WithoutTime<T> = T extends unknown ? Omit<T, 'at'> : never;

export function writeMail(mail: WithoutTime<Mail>): string {
  return JSON.stringify(mail);
}

export function readMail(item: MailboxItem, now: number): Fact {
  return { ...(JSON.parse(item.body) as WithoutTime<Mail>), at: now };
}
