import { chmodSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { openQuestion, type RunState } from '../../src/core/state/run-state.ts';
import { runCommand } from '../../src/platform/process/run-command.ts';
import { postWord } from '../../src/supervise/mail/mail.ts';
import { PLAYS_ALL } from '../lane.ts';
import { type Fleet, openFleet, type Worker } from './fleet.ts';
import { processesOf, signalAll } from './host-sleep.ts';
import { Provider } from './provider.ts';

/** Fifty runs begin at once: a busy machine needs minutes for them. */
const PATIENCE_MS = 600_000;
vi.setConfig({ testTimeout: 3 * PATIENCE_MS, hookTimeout: 60_000 });

const RUNS = Number(process.env['MAYDAY_STORM_RUNS'] ?? (PLAYS_ALL ? 50 : 10));
/** Every fifth run uses the credential that has expired. */
const EXPIRED_EVERY = 5;
/** Turns that are under way on the host when it falls asleep. */
const SLEEPERS = Math.max(2, Math.round(RUNS / 12));
const SILENCE_MS = 6_000;
/** Half as long again as an agent may be silent. */
const SLEEP_MS = 9_000;
/** After it woke up the model needs that long; less than the limit, so a keeper that counts the sleep as silence kills. */
const REST_OF_TURN_MS = 3_000;
const POLICY = {
  // Longer than the drill: only a run that saw the provider healthy can end the outage in time.
  backoff_ms: 2 * PATIENCE_MS,
  silence_ms: SILENCE_MS,
  probe_ms: 1_500,
  wake_stagger_ms: 5_000,
  lease_ms: 60_000,
};
const AGENT = resolve(import.meta.dirname, '../fixtures/agents/asks-provider.mjs');

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

it(`${RUNS} runs in a storm: network down, a login expired, a host asleep; one question, no restart spent, all delivered, nothing doubled`, async () => {
  const begun = performance.now();
  const fleet = await openFleet();
  open.push({ close: () => fleet.remove() });
  const provider = await Provider.down();
  open.push(provider);
  provider.expired.add('two');
  const agents = new Map(['one', 'two'].map((name) => [name, agentProgram(fleet, provider, name)]));
  const runs: string[] = [];
  const withExpired = new Set<string>();
  for (let count = 0; count < RUNS; count += 1) {
    const credential = count % EXPIRED_EVERY === 0 ? 'two' : 'one';
    const runId = await fleet.submit([agents.get(credential) ?? ''], POLICY);
    runs.push(runId);
    if (credential === 'two') withExpired.add(runId);
  }
  const states = () => Promise.all(runs.map((runId) => fleet.state(runId)));
  const workers = [fleet.worker(Math.ceil(RUNS / 2)), fleet.worker(Math.ceil(RUNS / 2))];
  open.push({ close: () => endWorkers(workers) });

  await vi.waitFor(
    async () => {
      const waiting = (await states()).filter(({ life }) => life.type === 'waiting' && life.for === 'host');
      expect(waiting).toHaveLength(RUNS);
    },
    { timeout: PATIENCE_MS, interval: 500 },
  );
  const downFor = seconds(begun);
  const sleeper = workers[1] as Worker;
  const asleep = putToSleep(fleet, provider, sleeper, runs, withExpired);
  await provider.up();

  const asking = await vi.waitFor(
    async () => {
      const all = (await states()).filter(({ runId }) => withExpired.has(runId));
      const asks = all.filter((state) => openQuestion(state) !== undefined);
      const parked = all.filter(({ life }) => life.type === 'waiting' && life.for === 'host');
      expect(asks.map((state) => openQuestion(state)?.question)).toMatchObject([{ kind: 'login' }]);
      expect(parked).toHaveLength(withExpired.size - 1);
      return asks[0] as RunState;
    },
    { timeout: PATIENCE_MS, interval: 500 },
  );
  const slept = await asleep;
  provider.expired.clear();
  await answer(fleet, asking);
  for (const { exitCode, said } of await Promise.all(workers.map(({ done }) => done)))
    expect(exitCode, said).toBe(0);

  const ended = await states();
  expect(ended.map(({ life }) => life).filter(({ type }) => type !== 'ended')).toEqual([]);
  for (const { life } of ended) expect(life).toMatchObject({ state: 'delivered' });
  const attempts = ended.flatMap(({ attempts: all }) => all);
  expect(attempts.filter(({ counted }) => counted)).toEqual([]);
  // Also none that was asked for a moment and withdrawn.
  const questions = ended.flatMap(({ questions: all }) => all);
  expect(questions).toMatchObject([{ answer: { by: expect.any(String) }, question: { kind: 'login' } }]);
  expect(ended.flatMap(({ incidents }) => incidents.map((incident) => incident.class))).not.toContain(
    'stalled',
  );

  // What the provider saw: no run asked twice in one attempt, and every run was served exactly once.
  const each = provider.asked.map(({ run, attempt }) => `${run} ${attempt}`);
  expect(new Set(each).size).toBe(each.length);
  expect(
    provider.asked
      .filter(({ status }) => status === 200)
      .map(({ run }) => run)
      .toSorted(),
  ).toEqual(runs.toSorted());
  expect(slept.length).toBeGreaterThanOrEqual(1);
  // What git saw: one commit on one branch for each run.
  expect(await deliveredCommits(fleet, runs)).toEqual(runs.map(() => 1));
  const delivered = await Promise.all(
    runs.map(
      async (runId) => (await fleet.events(runId)).filter(({ type }) => type === 'work_delivered').length,
    ),
  );
  expect(delivered).toEqual(runs.map(() => 1));
  expect((await fleet.record.holds()).filter(({ liftedAt }) => liftedAt === null)).toEqual([]);
  expect(await fleet.record.verify()).toEqual([]);
  console.log(
    `storm: ${RUNS} runs, ${attempts.length} attempts, 0 counted, ${questions.length} question; ` +
      `all parked after ${downFor} s, ${provider.asked.filter(({ status }) => status === 401).length} refused logins, ` +
      `${slept.length} turns slept through, delivered after ${seconds(begun)} s`,
  );
});

/** Once enough turns are under way on that host, everything of it stops; it wakes up, and the turns end a while later. */
async function putToSleep(
  fleet: Fleet,
  provider: Provider,
  worker: Worker,
  runs: readonly string[],
  except: ReadonlySet<string>,
): Promise<readonly string[]> {
  const pid = worker.child.pid ?? 0;
  const kept = new Set<string>();
  for (const runId of runs)
    if (!except.has(runId) && (await fleet.record.lease(runId))?.owner.includes(`"pid":${pid},`) === true)
      kept.add(runId);
  const ordinary = provider.think;
  const chosen: string[] = [];
  const woken = Promise.withResolvers<void>();
  const full = Promise.withResolvers<void>();
  provider.think = async (run) => {
    if (!kept.has(run) || chosen.length >= SLEEPERS) return await ordinary(run);
    chosen.push(run);
    if (chosen.length === SLEEPERS) full.resolve();
    await woken.promise;
  };
  await full.promise;
  const pids = processesOf(pid, new Set(runs.filter((run) => kept.has(run))));
  signalAll(pids, 'SIGSTOP');
  await pause(SLEEP_MS);
  signalAll(pids.toReversed(), 'SIGCONT');
  await pause(REST_OF_TURN_MS);
  woken.resolve();
  return chosen;
}

async function answer(fleet: Fleet, state: RunState): Promise<void> {
  const question = openQuestion(state)?.question.id ?? '';
  const word = { type: 'question_answered', question, option: 'retry', note: '', by: 'ann' } as const;
  await postWord(fleet, state.runId, word);
}

/** A program of its own for each credential: what Mayday tells accounts of plain commands apart by. */
function agentProgram(fleet: Fleet, { port }: Provider, credential: string): string {
  const path = join(fleet.folder, `agent-${credential}`);
  writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${AGENT}' ${credential} ${port}\n`);
  chmodSync(path, 0o755);
  return path;
}

async function deliveredCommits({ repository }: Fleet, runs: readonly string[]): Promise<number[]> {
  const counts: number[] = [];
  for (const runId of runs) {
    const { output } = await runCommand({
      argv: ['git', 'rev-list', '--count', `main..mayday/${runId}`],
      cwd: repository,
      env: process.env as Record<string, string>,
      timeoutMs: 10_000,
    });
    counts.push(Number(output.trim()));
  }
  return counts;
}

async function endWorkers(workers: readonly Worker[]): Promise<void> {
  for (const { child } of workers)
    if (child.exitCode === null) {
      child.kill('SIGCONT');
      child.kill('SIGKILL');
    }
  await Promise.all(workers.map(({ done }) => done));
}

function seconds(begun: number): number {
  return Math.round((performance.now() - begun) / 100) / 10;
}
