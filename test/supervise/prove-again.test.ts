/** `verify --rerun`: honest deliveries hold; a record that was forged as a whole, so that every chain fits, does not. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunState } from '../../src/core/state/run-state.ts';
import type { RunEvent } from '../../src/core/vocabulary/events/event.ts';
import { problemsOf as allProblemsOf } from '../../src/supervise/watch/cross-check.ts';
import { proveAgain } from '../../src/supervise/prove-again.ts';
import { RehearsalRepository } from '../context/rehearsal-repository.ts';
import { forgedRecord } from './forged-record.ts';

const WRITES = { attempts: [{ steps: [{ write: { 'a.txt': 'A', 'b.txt': 'B' } }, { exit: 0 }] }] };
const FAILS = { attempts: [{ steps: [{ write: { 'b.txt': 'B' } }, { exit: 0 }] }] };

/** Played once: what is forged is a copy each time. */
let world: RehearsalRepository;
let proven: RunState;
/** The check fails, and a person accepts the work all the same. */
let accepted: RunState;
beforeAll(async () => {
  world = await RehearsalRepository.make();
  proven = await world.run(WRITES, 'write a.txt', { sink: 'branch:work' });
  const asked = await world.run(FAILS, 'write a.txt', { sink: 'branch:other', policy: { restarts: 0 } });
  accepted = await world.say(asked, { type: 'accept_requested', by: 'ann', note: 'b is enough' });
});
afterAll(() => world.remove());

function git(...args: string[]): string {
  const env = { ...process.env, GIT_AUTHOR_NAME: 'x', GIT_AUTHOR_EMAIL: 'x@x', GIT_COMMITTER_NAME: 'x' };
  return execFileSync('git', args, {
    cwd: world.repository,
    env: { ...env, GIT_COMMITTER_EMAIL: 'x@x' },
    encoding: 'utf8',
  }).trim();
}

async function problemsOf({ runId }: RunState, record = world.record): Promise<readonly string[]> {
  return (await proveAgain({ home: world.home, record }, runId, { env: process.env })).problems;
}

async function found(run: RunState, alter: (events: readonly RunEvent[]) => readonly RunEvent[]) {
  const folder = mkdtempSync(join(world.folder, 'forged-'));
  const record = await forgedRecord({ folder, record: world.record }, run.runId, alter);
  try {
    expect(await allProblemsOf(record), 'the forged record fits itself').toEqual([]);
    return (await problemsOf(run, record)).join('\n');
  } finally {
    await record.close();
  }
}

function altering<T extends RunEvent['type']>(
  type: T,
  change: (event: Extract<RunEvent, { type: T }>) => RunEvent,
): (event: RunEvent) => RunEvent {
  return (event) => (event.type === type ? change(event as Extract<RunEvent, { type: T }>) : event);
}

function without<T extends object>(event: T, key: keyof T): T {
  return { ...event, [key]: undefined };
}

describe('an honest delivery holds', () => {
  it('proven by its checks', async () => {
    const run = proven;
    const seen = await proveAgain({ home: world.home, record: world.record }, run.runId, {
      env: process.env,
    });
    expect(seen).toMatchObject({ commit: run.delivered?.commit, problems: [], remarks: [] });
    expect(seen.checks).toMatchObject([{ command: 'test -f a.txt', passed: true, recordedPassed: true }]);
  });

  it('and its code, run again, sees nothing of the record or the key', async () => {
    const check = `test -f a.txt && ! ls ${world.home}/record.db ${world.home}/keys`;
    const run = await world.run(WRITES, 'write a.txt', { sink: 'branch:looks', checks: [check] });
    if (!run.attempts.every(({ homeHidden }) => homeHidden)) return;
    expect(await problemsOf(run)).toEqual([]);
  });

  it('accepted by a person, whose word is signed, apart from the check that fails again', async () => {
    expect(await problemsOf(accepted)).toEqual(['test -f a.txt: exit 1 on the delivered commit']);
  });

  it('merged into a branch that moved on', async () => {
    const commit = 'git add c.txt && git -c user.name=p -c user.email=p@p commit -qm c';
    const person = `cd ${world.repository} && echo c > c.txt && ${commit}`;
    const steps = [{ write: { 'a.txt': 'A' } }, { run: person }, { exit: 0 }];
    const run = await world.run({ attempts: [{ steps }] }, 'write a.txt', { sink: 'merge:main' });
    expect(run.life).toMatchObject({ state: 'delivered' });
    expect(git('log', '--format=%s', '--first-parent', 'main')).toContain('Merge work');
    expect(await problemsOf(run)).toEqual([]);
  });
});

describe('a forged delivery does not', () => {
  it('with another commit in its place', async () => {
    const run = proven;
    const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], {
      cwd: world.repository,
      input: 'evil',
      encoding: 'utf8',
    }).trim();
    const tree = execFileSync('git', ['mktree'], {
      cwd: world.repository,
      input: `${git('ls-tree', 'work')}\n100644 blob ${blob}\tevil.txt\n`,
      encoding: 'utf8',
    }).trim();
    const commit = git('commit-tree', tree, '-p', 'work~1', '-m', 'evil');
    git('branch', 'evil', commit);
    const alter = altering('work_delivered', (event) => ({ ...event, commit }));
    expect(await found(run, (events) => events.map(alter))).toContain('delivered and never judged: evil.txt');
  });

  it('with failed checks told as passed', async () => {
    const run = accepted;
    const pass = altering('checks_finished', (event) => ({
      ...event,
      results: event.results.map((result) => ({ ...result, passed: true, exitCode: 0 })),
    }));
    const without = (events: readonly RunEvent[]) => events.filter(({ type }) => type !== 'accept_requested');
    expect(await found(run, (events) => without(events).map(pass))).toContain('test -f a.txt: exit 1');
  });

  it('with a check that was never run', async () => {
    const run = proven;
    const none = altering('checks_finished', (event) => ({ ...event, results: [] }));
    expect(await found(run, (events) => events.map(none))).toContain('does not say that it passed');
  });

  it('with another judged tree', async () => {
    const run = proven;
    const base = run.workspace?.baseTree ?? '';
    const swap = altering('work_delivered', (event) => ({ ...event, tree: base }));
    expect(await found(run, (events) => events.map(swap))).toContain('delivered and never judged: a.txt');
  });

  it('with a part of the judged tree', async () => {
    const run = proven;
    git('read-tree', 'work');
    git('rm', '--cached', '--quiet', 'b.txt');
    const commit = git('commit-tree', git('write-tree'), '-p', 'work~1', '-m', 'part');
    git('read-tree', 'main');
    git('branch', 'part', commit);
    const alter = altering('work_delivered', (event) => ({ ...event, commit }));
    expect(await found(run, (events) => events.map(alter))).toContain('otherwise than it was judged: b.txt');
  });

  it.each<
    readonly [what: string, forge: (event: Extract<RunEvent, { type: 'accept_requested' }>) => RunEvent]
  >([
    ['whom nobody is', (event) => ({ ...event, by: 'boss' })],
    ['in other words', (event) => ({ ...event, note: 'all of it' })],
    ['without a signature', (event) => without(event, 'seal')],
  ])('by a word %s', async (_, forge) => {
    const run = accepted;
    const alter = altering('accept_requested', forge);
    expect(await found(run, (events) => events.map(alter))).toContain('not signed with the person');
  });

  it('by a waiver that no person spoke', async () => {
    const run = accepted;
    const tree = run.checkpoints.at(-1)?.tree ?? '';
    const approval = {
      id: 'x',
      question: 'q9',
      option: 'waive_with_reason',
      by: 'ann',
      note: '',
      at: 1,
      tree,
      attempt: 1,
      keys: ['check_failed|test -f a.txt: exit 1'],
      used: true,
    };
    const waiver = altering('accept_requested', ({ at }) => ({
      type: 'answer_applied',
      at,
      question: 'q9',
      option: 'waive_with_reason',
      changes: { approval },
    }));
    expect(await found(run, (events) => events.map(waiver))).toContain('which no person answered');
  });
});
