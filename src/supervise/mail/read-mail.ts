/** `readMail`: checks a row of the mailbox and returns a signed word, the agent's own flag, or the reason why the row is refused. */
import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Category } from '../../core/vocabulary/classes/class-rule.ts';
import { CHECKLIST } from '../../core/vocabulary/mission.ts';
import type { ForgeryReason } from '../../core/vocabulary/events/word.ts';
import { AGENT_ITSELF, type Letter, macOf, type Word } from './mail.ts';
import { jsonOrNull } from '../../core/text/json.ts';
import { safeParse } from '../../platform/safe-parse.ts';

/** Longer than anything a command line can carry. */
const MAX_CHARS = 1024 * 1024;
const MAX_NAME_CHARS = 80;

const Text = z.string();
const By = Text.min(1);
const CATEGORIES = CHECKLIST.map(([category]) => category) as [Category, ...Category[]];

const WordSchema: z.ZodType<Word> = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('agent_declared_gone'), attempt: z.int().min(1), by: By, note: Text }),
  z.strictObject({
    type: z.literal('stop_requested'),
    by: By,
    reason: Text,
    withinMs: z.int().min(0).exactOptional(),
  }),
  z.strictObject({ type: z.literal('resume_requested'), by: By, note: Text }),
  z.strictObject({ type: z.literal('flag_raised'), by: By, reason: Text.min(1) }),
  z.strictObject({ type: z.literal('accept_requested'), by: By, note: Text }),
  z.strictObject({ type: z.literal('abandon_requested'), by: By, reason: Text }),
  z.strictObject({ type: z.literal('run_removed'), by: By }),
  z.strictObject({ type: z.literal('question_answered'), question: Text, option: Text, note: Text, by: By }),
  z.strictObject({
    type: z.literal('rescue_requested'),
    by: By,
    plan: z.strictObject({
      category: z.enum(CATEGORIES).nullable(),
      rootCause: Text.nullable(),
      evidence: z.array(Text),
      injection: Text,
      filesAdded: z.array(Text),
      specChanges: z.array(Text),
      unchanged: z.array(Text).exactOptional(),
    }),
  }),
  z.strictObject({
    type: z.literal('mission_enriched'),
    mission: Text,
    contextUpdates: z.array(Text),
    reason: Text.nullable(),
    by: By,
  }),
  z.strictObject({
    type: z.literal('checkpoint_restored'),
    number: z.int().min(0),
    restored: z.int().min(0),
    kept: z.array(Text),
    by: By,
  }),
  z.strictObject({ type: z.literal('work_salvaged'), host: By, ref: By, repository: By }),
  z.strictObject({ type: z.literal('checkpoint_taken'), number: z.int().min(0) }),
]);

const LetterSchema = z.strictObject({
  word: Text,
  at: z.int(),
  nonce: z.string().regex(/^[0-9a-f]{32}$/),
  mac: z.string().regex(/^[0-9a-f]{64}$/),
});
const UnsignedSchema = z.strictObject({ word: Text });

export type Mail =
  | { readonly type: 'word'; readonly word: Word; readonly letter: Letter }
  | { readonly type: 'agent_flag'; readonly reason: string }
  | { readonly type: 'refused'; readonly named: string; readonly why: ForgeryReason };

export function readMail(
  body: string,
  {
    runId,
    key,
    heard,
  }: { readonly runId: string; readonly key: Buffer | null; readonly heard: readonly string[] },
): Mail {
  const row = body.length > MAX_CHARS ? undefined : jsonOrNull(body);
  const letter = safeParse(LetterSchema, row).data;
  const text = letter?.word ?? safeParse(UnsignedSchema, row).data?.word;
  const said = text === undefined ? row : jsonOrNull(text);
  const refused = (why: ForgeryReason): Mail => ({ type: 'refused', named: nameOf(said), why });
  const word = safeParse(WordSchema, said).data;
  if (word === undefined) return refused(isNamed(said) ? 'not_for_mail' : 'unreadable');
  if (letter === undefined)
    return text !== undefined && word.type === 'flag_raised' && word.by === AGENT_ITSELF
      ? { type: 'agent_flag', reason: word.reason }
      : refused('not_signed');
  if (key === null || !isSigned(key, runId, letter)) return refused('wrong_signature');
  if (heard.includes(letter.nonce)) return refused('said_before');
  return { type: 'word', word, letter };
}

function isSigned(key: Buffer, runId: string, letter: Letter): boolean {
  return timingSafeEqual(Buffer.from(macOf(key, runId, letter), 'hex'), Buffer.from(letter.mac, 'hex'));
}

function isNamed(said: unknown): said is { readonly type: string } {
  return typeof said === 'object' && said !== null && typeof (said as { type?: unknown }).type === 'string';
}

/** An attacker may have chosen the name. It is shortened here, and cleaned for the terminal where it is shown. */
function nameOf(said: unknown): string {
  return isNamed(said) ? said.type.slice(0, MAX_NAME_CHARS) : 'unreadable';
}
