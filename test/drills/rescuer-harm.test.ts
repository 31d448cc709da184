import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { perform } from '../../src/act/perform.ts';
import type { Fact } from '../../src/core/vocabulary/events/event.ts';
import type { Signal } from '../../src/core/vocabulary/signal.ts';
import { createRedactor } from '../../src/record/redaction/redact.ts';
import { keep } from '../../src/supervise/keeper.ts';
import { postWord, type Word } from '../../src/supervise/mail/mail.ts';
import { RunJournal } from '../../src/supervise/run-journal.ts';
import { takeRun } from '../../src/supervise/lease/adopt-run.ts';
import { type Fleet, openFleet } from './fleet.ts';

vi.setConfig({ testTimeout: 300_000 });

const QUICK = { backoff_ms: 50, stop_soft_ms: 500, stop_term_ms: 500 };
const DONE = { steps: [{ write: { 'a.txt': 'A' } }, { exit: 0 }] };
const ANY_SIGNAL: Signal = {
  type: 'stalled',
  severity: 'critical',
  reason: 'silent',
  sinceAt: 1,
  at: 1,
  evidence: [],
  confidence: 0.9,
  suggestedAction: 'stop it',
};

async function newFleet(): Promise<Fleet> {
  const fleet = await openFleet();
  onTestFinished(() => fleet.remove());
  return fleet;
}

describe('a message about an earlier attempt', () => {
  it('does not kill the new attempt, which delivers', async () => {
    const fleet = await newFleet();
    const [pids, go] = ['pids', 'go'].map((name) => join(fleet.folder, name));
    const works = {
      steps: [
        { run: `echo $PPID >> '${pids}'; until [ -e '${go}' ]; do sleep 0.1; done` },
        { run: `echo $PPID >> '${pids}'` },
        ...DONE.steps,
      ],
    };
    const runId = await fleet.submit({ attempts: [{ steps: [{ exit: 1 }] }, works] }, QUICK);
    const taken = await takeRun(fleet.record, runId, 60_000);
    const journal = await RunJournal.open(fleet.record, runId, taken?.fence ?? 0, (value) => value);
    const { home, record } = fleet;
    const signal = AbortSignal.timeout(240_000);
    const kept = keep({ home, record, journal, env: process.env, redactor: createRedactor(), signal });
    await vi.waitFor(
      () => {
        expect(existsSync(pids ?? '')).toBe(true);
        expect(journal.state.attempts[1]?.startedAt ?? null).not.toBeNull();
      },
      { timeout: 120_000 },
    );

    const at = Date.now();
    const exit = { exitCode: 1, signal: null, outOfMemory: false, endedBy: 'itself', exitedAt: at } as const;
    const late: Fact[] = [
      { type: 'signal_raised', at, attempt: 1, signal: ANY_SIGNAL },
      { type: 'attempt_ended', at, attempt: 1, exit },
      { type: 'attempt_unkillable', at, attempt: 1, evidence: [] },
      { type: 'question_answered', at, question: `${runId}-q1`, option: 'abandon', note: '', by: 'ann' },
    ];
    for (const fact of late) expect(await journal.submit(fact), fact.type).toBeNull();
    const stop = { type: 'stop_attempt', attempt: 1, why: 'silent', by: 'mayday' } as const;
    const { state } = journal;
    await perform({ home, env: process.env, signal, state, others: async () => [], now: Date.now }, stop);
    const word = { type: 'question_answered', question: 'q0', option: 'abandon', note: '', by: 'x' } as const;
    await postWord({ home, record }, runId, word);
    await vi.waitFor(async () => expect(await record.mailbox(runId)).toEqual([]), { timeout: 60_000 });
    writeFileSync(go ?? '', '');

    expect(await kept).toBe('ended');
    expect(journal.state.life).toMatchObject({ type: 'ended', state: 'delivered' });
    expect(journal.state.attempts).toHaveLength(2);
    // The agent itself says so: the process that began is the one that ended.
    const [began, ended, ...more] = readFileSync(pids ?? '', 'utf8')
      .trim()
      .split('\n');
    expect(ended).toBe(began);
    expect(more).toEqual([]);
  });
});

describe('finished work', () => {
  it('is not begun again by a word that comes after its end', async () => {
    const fleet = await newFleet();
    const starts = join(fleet.folder, 'starts');
    const runId = await fleet.submit(
      { attempts: [{ steps: [{ run: `echo x >> '${starts}'` }, ...DONE.steps] }] },
      QUICK,
    );
    await fleet.work(1);
    expect((await fleet.state(runId)).life).toMatchObject({ type: 'ended', state: 'delivered' });
    const told = await fleet.events(runId);
    const words: Word[] = [
      { type: 'resume_requested', by: 'ann', note: '' },
      { type: 'rescue_requested', by: 'ann', plan: NO_PLAN },
      { type: 'stop_requested', by: 'ann', reason: '' },
    ];
    for (const word of words) await postWord(fleet, runId, word);
    await fleet.work(1);
    expect(await fleet.record.mailbox(runId)).toEqual([]);
    const said = (await fleet.events(runId)).slice(told.length);
    expect(said.map(({ type }) => type)).toEqual(words.map(() => 'word_came_late'));
    expect(readFileSync(starts, 'utf8')).toBe('x\n');
  });
});

describe('the same stop', () => {
  it('is one incident and one question, however many look at it and however often', async () => {
    const fleet = await newFleet();
    const error = 'Error: listen EADDRINUSE: address already in use :::3000';
    const runId = await fleet.submit({ attempts: [{ steps: [{ error }, { exit: 1 }] }] }, QUICK);
    for (let round = 0; round < 3; round += 1)
      await Promise.all([fleet.work(1), fleet.work(1), fleet.work(1)]);
    const types = (await fleet.events(runId)).map(({ type }) => type);
    for (const once of ['attempt_started', 'incident_opened', 'question_asked', 'recovery_decided'])
      expect(
        types.filter((type) => type === once),
        once,
      ).toHaveLength(1);
  });
});

const NO_PLAN = {
  category: null,
  rootCause: null,
  evidence: [],
  injection: 'again',
  filesAdded: [],
  specChanges: [],
};
