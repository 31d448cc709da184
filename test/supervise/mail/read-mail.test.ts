import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import type { Fact } from '../../../src/core/vocabulary/events/event.ts';
import type { RunRecord } from '../../../src/record/contract.ts';
import { createRedactor } from '../../../src/record/redaction/redact.ts';
import { openSqliteRecord } from '../../../src/record/sqlite/open.ts';
import { AGENT_ITSELF, macOf, postAgentFlag, postWord, type Word } from '../../../src/supervise/mail/mail.ts';
import { personKey, personKeyOrNull } from '../../../src/supervise/mail/person-key.ts';
import { readMail } from '../../../src/supervise/mail/read-mail.ts';
import { created } from '../../contracts/record/place.ts';

const SECRET = 'opensesame';
const PLAN = {
  category: null,
  rootCause: null,
  evidence: [],
  injection: 'x',
  filesAdded: [],
  specChanges: [],
};
const WORDS: readonly Word[] = [
  { type: 'stop_requested', by: 'ann', reason: 'Ctrl-C' },
  { type: 'resume_requested', by: 'ann', note: '' },
  { type: 'flag_raised', by: 'ann', reason: 'wrong branch' },
  { type: 'accept_requested', by: 'ann', note: 'fine' },
  { type: 'abandon_requested', by: 'ann', reason: '' },
  { type: 'question_answered', question: 'r-q1', option: 'retry', note: '', by: 'ann' },
  { type: 'rescue_requested', by: 'ann', plan: { ...PLAN, category: 'missing_context' } },
  { type: 'mission_enriched', mission: 'r-m1', contextUpdates: [], reason: 'nothing new', by: 'ann' },
  { type: 'checkpoint_restored', number: 1, restored: 2, kept: ['a'], by: 'ann' },
  { type: 'checkpoint_taken', number: 3 },
];
const OF_THE_KEEPER: readonly Fact['type'][] = [
  'run_created',
  'workspace_prepared',
  'checks_finished',
  'attempt_started',
  'attempt_ended',
  'attempt_examined',
  'attempt_unkillable',
  'signal_raised',
  'usage_reported',
  'progress_observed',
  'work_delivered',
  'work_split',
  'work_rebased',
  'delivery_blocked',
  'command_failed',
  'timer_fired',
  'held',
  'hold_lifted',
  'shared_cause_found',
  'clock_jumped',
  'work_begun',
  'taken_over',
  'lessons_matched',
  'lesson_proposed',
  'word_came_late',
  'forgery_refused',
  'released',
];

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'mayday-mail-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** What a sender puts into the mailbox. */
async function posted(send: (record: RunRecord) => Promise<void>): Promise<string> {
  const record = await openSqliteRecord({
    path: join(home, 'record.db'),
    redactor: () => createRedactor({ values: [SECRET] }),
  });
  try {
    if ((await record.row('r')) === null) await created(record, 'r');
    await send({ ...record, post: (_run, text) => record.post('r', text) });
    return (await record.mailbox('r')).at(-1)?.body ?? '';
  } finally {
    await record.close();
  }
}

const letterOf = (word: Word, runId = 'r') => posted((record) => postWord({ home, record }, runId, word));

/** Signed as it should be, whatever it says: the work of somebody who has the key. */
function signed(word: unknown, key = personKey(home)): string {
  const unsigned = { word: JSON.stringify(word), at: Date.now(), nonce: randomBytes(16).toString('hex') };
  return JSON.stringify({ ...unsigned, mac: macOf(key, 'r', unsigned) });
}

function read(body: string, heard: readonly string[] = []) {
  return readMail(body, { runId: 'r', key: personKeyOrNull(home), heard });
}

describe("a person's word", () => {
  it.each(WORDS)('$type is heard as it was said', async (word) => {
    expect(read(await letterOf(word))).toMatchObject({ type: 'word', word });
  });

  it('with a secret in it is signed as the record keeps it, and heard', async () => {
    const said = {
      type: 'accept_requested',
      by: 'ann',
      note: `try "${SECRET}"\nor password=${SECRET}1`,
    } as const;
    const letter = await letterOf(said);
    expect(letter).not.toContain(SECRET);
    expect(read(letter)).toMatchObject({
      type: 'word',
      word: { note: expect.stringContaining('try "[redacted:known-secret]"') },
    });
  });

  it.each(WORDS)('$type without a signature is refused', (word) => {
    expect(read(JSON.stringify(word))).toMatchObject({
      type: 'refused',
      named: word.type,
      why: 'not_signed',
    });
    expect(read(JSON.stringify({ word: JSON.stringify(word) }))).toMatchObject({ why: 'not_signed' });
  });

  it('is heard once', async () => {
    const body = await letterOf({ type: 'accept_requested', by: 'ann', note: '' });
    const first = read(body);
    expect(first.type).toBe('word');
    const heard = first.type === 'word' ? [first.letter.nonce] : [];
    expect(read(body, heard)).toMatchObject({ type: 'refused', why: 'said_before' });
  });

  it('is heard by the run it was said to, and by no other', async () => {
    const body = await letterOf({ type: 'accept_requested', by: 'ann', note: '' }, 'other');
    expect(read(body)).toMatchObject({ type: 'refused', why: 'wrong_signature' });
  });

  it('is refused when one sign of it was changed', async () => {
    const body = await letterOf({
      type: 'question_answered',
      question: 'r-q1',
      option: 'abandon',
      note: '',
      by: 'ann',
    });
    expect(read(body.replace('abandon', 'waive_with_reason'))).toMatchObject({ why: 'wrong_signature' });
    const { at } = JSON.parse(body) as { at: number };
    expect(read(body.replace(String(at), String(at + 1)))).toMatchObject({ why: 'wrong_signature' });
  });

  it('is refused when another key signed it, or there is none', () => {
    const word = { type: 'accept_requested', by: 'ann', note: '' };
    expect(read(signed(word, randomBytes(32)))).toMatchObject({ why: 'wrong_signature' });
    const body = signed(word);
    writeFileSync(join(home, 'keys', 'person.key'), 'spoiled');
    expect(read(body)).toMatchObject({ type: 'refused', why: 'wrong_signature' });
  });
});

describe('what only the keeper finds out', () => {
  it.each(OF_THE_KEEPER)('%s is refused, signed or not', (type) => {
    const fact = { type, at: 1, purpose: 'gate', passed: true, results: [], tree: 't', changed: [] };
    for (const body of [JSON.stringify(fact), signed(fact)])
      expect(read(body)).toMatchObject({ type: 'refused', named: type, why: 'not_for_mail' });
  });

  it('does not ride on a word that may be said', () => {
    const word = { type: 'checkpoint_taken', number: 1, checkpoint: { tree: 'forged' }, proof: 'key' };
    expect(read(signed(word))).toMatchObject({ type: 'refused', why: 'not_for_mail' });
  });
});

test.each([
  '',
  'x',
  '1',
  'null',
  '[]',
  '{}',
  '{"word":1}',
  '{"word":"{"}',
  '{"type":7}',
  `"${'x'.repeat(2_000_000)}"`,
])('a row that is no letter is refused and breaks nothing (%#)', (body) => {
  expect(read(body)).toMatchObject({ type: 'refused', named: 'unreadable', why: 'unreadable' });
});

test('an agent raises the flag on its own run without a key, in its own name only', async () => {
  const body = await posted((record) => postAgentFlag(record, 'r', 'the spec contradicts itself'));
  expect(read(body)).toEqual({ type: 'agent_flag', reason: 'the spec contradicts itself' });
  expect(body).toContain(AGENT_ITSELF);
  expect(personKeyOrNull(home)).toBeNull();
});

test("the person's key is private and stays the same", () => {
  const key = personKey(home);
  expect(personKey(home)).toEqual(key);
  expect(statSync(join(home, 'keys')).mode & 0o777).toBe(0o700);
  expect(statSync(join(home, 'keys', 'person.key')).mode & 0o777).toBe(0o600);
});
